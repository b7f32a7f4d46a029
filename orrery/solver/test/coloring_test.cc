#include "orrery/solver/algebra/coloring.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

// Makes a pattern from the rows of each column.
SparsityPattern PatternOf(int rows, std::vector<std::vector<int>> columns) {
  SparsityPattern pattern{.rows = rows,
                          .columns = static_cast<int>(columns.size()),
                          .column_starts = {0},
                          .row_indices = {}};
  for (std::vector<int>& column : columns) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
    pattern.row_indices.insert(
        pattern.row_indices.end(), column.begin(), column.end());
    pattern.column_starts.push_back(pattern.nonzeros());
  }
  return pattern;
}

TEST(ColoringTest, TridiagonalMatrixNeedsThreeGroups) {
  constexpr int kSize = 1000;
  std::vector<std::vector<int>> columns;
  for (int j = 0; j < kSize; ++j) {
    columns.push_back({std::max(j - 1, 0), j, std::min(j + 1, kSize - 1)});
  }
  EXPECT_EQ(ColorColumns(PatternOf(kSize, columns)).size(), 3);
}

TEST(ColoringTest, DiagonalMatrixNeedsOneGroup) {
  EXPECT_EQ(ColorColumns(PatternOf(4, {{0}, {1}, {2}, {3}})).size(), 1);
}

RC_GTEST_PROP(ColoringTest, GroupsShareNoRowAndHoldEachColumnOnce, ()) {
  const int rows = *rc::gen::inRange(1, 30);
  const auto columns = *rc::gen::container<std::vector<std::vector<int>>>(
      rc::gen::container<std::vector<int>>(rc::gen::inRange(0, rows)));
  const SparsityPattern pattern = PatternOf(rows, columns);
  std::vector<int> seen(columns.size());
  for (const std::vector<int>& group : ColorColumns(pattern)) {
    std::vector<bool> is_taken(static_cast<std::size_t>(rows));
    for (const int column : group) {
      const auto j = static_cast<std::size_t>(column);
      ++seen[j];
      for (int k = pattern.column_starts[j]; k < pattern.column_starts[j + 1];
           ++k) {
        const auto row = static_cast<std::size_t>(
            pattern.row_indices[static_cast<std::size_t>(k)]);
        RC_ASSERT(!is_taken[row]);
        is_taken[row] = true;
      }
    }
  }
  RC_ASSERT(std::ranges::all_of(seen, [](int count) { return count == 1; }));
}

}  // namespace
}  // namespace orrery
