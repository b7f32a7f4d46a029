#include "orrery/compile/system/incidence.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::compile::internal {
namespace {

using Rows = std::vector<std::vector<std::uint32_t>>;

Incidence Make(const Rows& rows) {
  Incidence incidence;
  for (const auto& row : rows) {
    incidence.AddRow(row);
  }
  return incidence;
}

Rows RandomRows(std::size_t rows, std::uint32_t columns, std::size_t density) {
  Rows result(rows);
  for (auto& row : result) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (*rc::gen::inRange<std::size_t>(0, 100) < density) {
        row.push_back(column);
      }
    }
  }
  return result;
}

// The largest matching, by trying every choice for the first row.
std::size_t LargestMatching(const Rows& rows,
                            std::size_t row,
                            std::vector<bool>& taken) {
  if (row == rows.size()) {
    return 0;
  }
  std::size_t best = LargestMatching(rows, row + 1, taken);
  for (const std::uint32_t column : rows[row]) {
    if (!taken[column]) {
      taken[column] = true;
      best = std::max(best, 1 + LargestMatching(rows, row + 1, taken));
      taken[column] = false;
    }
  }
  return best;
}

RC_GTEST_PROP(MaximumMatchingTest, IsAsLargeAsTryingEverythingFinds, ()) {
  const std::size_t num_rows = *rc::gen::inRange<std::size_t>(0, 7);
  const std::uint32_t num_columns = *rc::gen::inRange<std::uint32_t>(1, 7);
  const Rows rows = RandomRows(num_rows, num_columns, 35);
  const std::vector<std::uint32_t> preferred(num_rows, kNone);
  const Matching matching = MaximumMatching(Make(rows), num_columns, preferred);
  std::size_t size = 0;
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    const std::uint32_t column = matching.column_of_row[row];
    if (column != kNone) {
      ++size;
      RC_ASSERT(std::ranges::count(rows[row], column) == 1);
      RC_ASSERT(matching.row_of_column[column] == row);
    }
  }
  std::vector<bool> taken(num_columns);
  RC_ASSERT(size == LargestMatching(rows, 0, taken));
}

TEST(MaximumMatchingTest, SolvesAChainOfMillionsWithoutRecursion) {
  // Row i holds columns i and i + 1; the last row only the first column, so
  // that every other row has to give way.
  constexpr std::uint32_t kSize = 1'000'000;
  Incidence incidence;
  for (std::uint32_t i = 0; i + 1 < kSize; ++i) {
    incidence.AddRow(std::vector<std::uint32_t>{i, i + 1});
  }
  incidence.AddRow(std::vector<std::uint32_t>{0});
  std::vector<std::uint32_t> preferred(kSize, kNone);
  for (std::uint32_t i = 0; i + 1 < kSize; ++i) {
    preferred[i] = i;
  }
  const Matching matching = MaximumMatching(incidence, kSize, preferred);
  EXPECT_TRUE(matching.is_perfect());
  EXPECT_EQ(matching.column_of_row[kSize - 1], 0U);
  EXPECT_EQ(matching.column_of_row[7], 8U);
}

TEST(PartsTest, FindsWhatHasTooManyRowsInConnectedPieces) {
  // Rows 0 and 1 share column 0; rows 3 to 5 have columns 2 and 3; row 2 is
  // alone with column 1, row 6 has no column.
  const Incidence incidence = Make({{0}, {0}, {1}, {2}, {2, 3}, {3}, {}});
  const std::vector<std::uint32_t> preferred(7, kNone);
  const Matching matching = MaximumMatching(incidence, 4, preferred);
  const std::vector<Part> expected = {{.rows = {0, 1}, .columns = {0}},
                                      {.rows = {3, 4, 5}, .columns = {2, 3}},
                                      {.rows = {6}, .columns = {}}};
  EXPECT_EQ(OverdeterminedParts(incidence, matching), expected);
  EXPECT_TRUE(UnderdeterminedParts(incidence, matching).empty());
}

TEST(PartsTest, FindsWhatHasTooFewRowsInConnectedPieces) {
  const Incidence incidence = Make({{0, 1}, {2}, {3, 4}, {4, 5}});
  const std::vector<std::uint32_t> preferred(4, kNone);
  const Matching matching = MaximumMatching(incidence, 7, preferred);
  const std::vector<Part> expected = {{.rows = {0}, .columns = {0, 1}},
                                      {.rows = {2, 3}, .columns = {3, 4, 5}},
                                      {.rows = {}, .columns = {6}}};
  EXPECT_EQ(UnderdeterminedParts(incidence, matching), expected);
  EXPECT_TRUE(OverdeterminedParts(incidence, matching).empty());
}

RC_GTEST_PROP(PartsTest, HaveTheExcessThatTheMatchingLeaves, ()) {
  const std::size_t num_rows = *rc::gen::inRange<std::size_t>(0, 9);
  const std::uint32_t num_columns = *rc::gen::inRange<std::uint32_t>(1, 9);
  const Incidence incidence = Make(RandomRows(num_rows, num_columns, 20));
  const std::vector<std::uint32_t> preferred(num_rows, kNone);
  const Matching matching = MaximumMatching(incidence, num_columns, preferred);
  const auto left_over = [](const std::vector<std::uint32_t>& partners) {
    return static_cast<std::size_t>(std::ranges::count(partners, kNone));
  };
  std::size_t rows = 0;
  for (const Part& part : OverdeterminedParts(incidence, matching)) {
    RC_ASSERT(part.rows.size() > part.columns.size());
    rows += part.rows.size() - part.columns.size();
  }
  std::size_t columns = 0;
  for (const Part& part : UnderdeterminedParts(incidence, matching)) {
    RC_ASSERT(part.columns.size() > part.rows.size());
    columns += part.columns.size() - part.rows.size();
  }
  RC_ASSERT(rows == left_over(matching.column_of_row));
  RC_ASSERT(columns == left_over(matching.row_of_column));
}

RC_GTEST_PROP(StrongComponentsTest, HoldsWhatReachesEachOther, ()) {
  const std::uint32_t size = *rc::gen::inRange<std::uint32_t>(1, 9);
  const Rows rows = RandomRows(size, size, 20);
  std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size));
  for (std::uint32_t i = 0; i < size; ++i) {
    reaches[i][i] = true;
    for (const std::uint32_t to : rows[i]) {
      reaches[i][to] = true;
    }
  }
  for (std::uint32_t k = 0; k < size; ++k) {  // Warshall's closure.
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < size; ++j) {
        reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
      }
    }
  }
  const Incidence components = StrongComponents(Make(rows));
  std::vector<std::size_t> component_of(size);
  for (std::size_t c = 0; c < components.num_rows(); ++c) {
    for (const std::uint32_t node : components.row(c)) {
      component_of[node] = c;
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t j = 0; j < size; ++j) {
      RC_ASSERT((component_of[i] == component_of[j]) ==
                (reaches[i][j] && reaches[j][i]));
      RC_ASSERT(!reaches[i][j] || component_of[j] <= component_of[i]);
    }
  }
}

TEST(StrongComponentsTest, FollowsAChainOfAMillionWithoutRecursion) {
  constexpr std::uint32_t kSize = 1'000'000;
  Incidence edges;
  for (std::uint32_t i = 0; i < kSize; ++i) {
    edges.AddRow(std::vector<std::uint32_t>{(i + 1) % kSize});
  }
  EXPECT_EQ(StrongComponents(edges).num_rows(), 1U);
}

TEST(IncidenceTest, RowsMayShareAList) {
  Incidence incidence;
  const std::uint32_t list = incidence.AddShared({4, 7});
  incidence.AddRow(std::vector<std::uint32_t>{1});
  incidence.AddRow(std::vector<std::uint32_t>{2, 3}, list);
  incidence.AddRow(std::vector<std::uint32_t>{}, list);
  incidence.AddRow(std::vector<std::uint32_t>{5});
  const auto row = [&](std::size_t i) {
    const IncidenceRow all = incidence.row(i);
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t column : all) {
      EXPECT_EQ(column, all[columns.size()]);
      columns.push_back(column);
    }
    EXPECT_EQ(all.size(), columns.size());
    return columns;
  };
  EXPECT_EQ(row(0), std::vector<std::uint32_t>({1}));
  EXPECT_EQ(row(1), std::vector<std::uint32_t>({2, 3, 4, 7}));
  EXPECT_EQ(row(2), std::vector<std::uint32_t>({4, 7}));
  EXPECT_EQ(row(3), std::vector<std::uint32_t>({5}));
}

TEST(IncidenceTest, ComponentsOfRowsThatShareAreThoseOfWholeRows) {
  // 0 and 1 depend on 2 and 3, which depend on each other; 4 on all.
  Incidence edges;
  const std::uint32_t list = edges.AddShared({2, 3});
  edges.AddRow(std::vector<std::uint32_t>{}, list);
  edges.AddRow(std::vector<std::uint32_t>{0}, list);
  edges.AddRow(std::vector<std::uint32_t>{3});
  edges.AddRow(std::vector<std::uint32_t>{2});
  edges.AddRow(std::vector<std::uint32_t>{0, 1}, list);
  const Incidence components = StrongComponents(edges);
  std::vector<std::vector<std::uint32_t>> found;
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    const auto members = components.own(i);
    found.emplace_back(members.begin(), members.end());
  }
  EXPECT_EQ(found,
            (std::vector<std::vector<std::uint32_t>>{{2, 3}, {0}, {1}, {4}}));
}

RC_GTEST_PROP(IncidenceTest,
              ComponentsComeInOneOrderWithSharedListsAndWithout,
              ()) {
  const std::uint32_t size = *rc::gen::inRange<std::uint32_t>(1, 12);
  const Rows lists = RandomRows(2, size, 30);
  const Rows own = RandomRows(size, size, 8);
  Incidence sharing;
  for (const auto& list : lists) {
    sharing.AddShared(list);
  }
  Rows whole = own;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto list = *rc::gen::inRange<std::uint32_t>(0, 3);
    sharing.AddRow(own[i], list == lists.size() ? kNone : list);
    if (list < lists.size()) {
      whole[i].insert(whole[i].end(), lists[list].begin(), lists[list].end());
    }
  }
  const Incidence found = StrongComponents(sharing);
  const Incidence expected = StrongComponents(Make(whole));
  RC_ASSERT(found.num_rows() == expected.num_rows());
  for (std::size_t i = 0; i < found.num_rows(); ++i) {
    RC_ASSERT(std::ranges::equal(found.own(i), expected.own(i)));
  }
}

}  // namespace
}  // namespace orrery::compile::internal
