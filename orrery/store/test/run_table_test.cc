#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/store/store.h"
#include "orrery/store/test/files.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr RunStatus kDone = RunStatus::kCompleted;
constexpr RunStatus kFailed = RunStatus::kFailed;
constexpr RunStatus kMissing = RunStatus::kMissing;

class RunTableTest : public testing::Test {
 protected:
  // A sweep of `runs` runs with two columns.
  ExperimentId Sweep(std::int64_t runs) {
    return store_.Begin(
        {.type = "sweep",
         .runs_asked = runs,
         .columns = {{.name = "k", .role = RunColumn::Role::kVaried},
                     {.name = "x"}}});
  }

  TemporaryFolder folder_;
  ExperimentStore store_{folder_ / "orrery.db"};
};

TEST_F(RunTableTest, IsInTheOrderOfRunsWhateverTheOrderOfArrival) {
  const ExperimentId id = Sweep(5);
  store_.AppendRuns(
      id, {.first = 3, .status = {kDone, kDone}, .values = {{3, 4}, {30, 40}}});
  store_.AppendRuns(id,
                    {.first = 0,
                     .status = {kDone, kDone, kDone},
                     .values = {{0, 1, 2}, {0, 10, 20}}});

  const RunTable table = store_.ReadRuns(id);
  EXPECT_THAT(table.status, ElementsAre(kDone, kDone, kDone, kDone, kDone));
  EXPECT_THAT(
      table.values,
      ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(0, 10, 20, 30, 40)));
  EXPECT_EQ(table.columns[0].name, "k");
  EXPECT_EQ(store_.Read(id).info.runs, (RunCounts{.asked = 5, .finished = 5}));
}

TEST_F(RunTableTest, IsReadInPartsThatCutBatches) {
  const ExperimentId id = Sweep(9);
  store_.AppendRuns(id,
                    {.first = 0,
                     .status = {kDone, kDone, kDone},
                     .values = {{0, 1, 2}, {0, 10, 20}}});
  store_.AppendRuns(id,
                    {.first = 4,
                     .status = {kFailed, kDone, kDone},
                     .values = {{4, 5, 6}, {40, 50, 60}},
                     .failures = {{.run = 4, .message = "It diverged."}}});
  const RunTable whole = store_.ReadRuns(id);
  for (std::int64_t first = 0; first <= 10; ++first) {
    for (std::int64_t count = 0; count <= 10; ++count) {
      const RunTable part =
          store_.ReadRunsIn(id, {.first = first, .count = count});
      ASSERT_EQ(part.status.size(),
                static_cast<std::size_t>(
                    std::clamp<std::int64_t>(9 - first, 0, count)))
          << first << ", " << count;
      for (std::size_t i = 0; i < part.status.size(); ++i) {
        const std::size_t run = static_cast<std::size_t>(first) + i;
        EXPECT_EQ(part.status[i], whole.status[run]);
        for (std::size_t c = 0; c < 2; ++c) {
          EXPECT_EQ(std::bit_cast<std::uint64_t>(part.values[c][i]),
                    std::bit_cast<std::uint64_t>(whole.values[c][run]));
        }
      }
    }
  }
  EXPECT_EQ(store_.ReadRunsIn(id, {.first = 3, .count = 3}).columns.size(), 2U);
}

TEST_F(RunTableTest, RefusesPartsThatCannotBe) {
  const ExperimentId id = Sweep(3);
  for (const RunRange& range : {RunRange{.first = -1, .count = 1},
                                RunRange{.first = 0, .count = -1},
                                RunRange{.first = 1'000'000'001, .count = 1}}) {
    EXPECT_THROW(static_cast<void>(store_.ReadRunsIn(id, range)), Error);
  }
}

TEST_F(RunTableTest, KnowsWhatIsMissing) {
  const ExperimentId id = Sweep(10);
  store_.AppendRuns(
      id, {.first = 2, .status = {kDone, kDone}, .values = {{2, 3}, {4, 9}}});
  store_.AppendRuns(id, {.first = 7, .status = {kDone}, .values = {{7}, {49}}});

  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 0, .count = 2},
                          RunRange{.first = 4, .count = 3},
                          RunRange{.first = 8, .count = 2}));
  const RunTable table = store_.ReadRuns(id);
  EXPECT_EQ(table.status.size(), 10U);
  EXPECT_EQ(table.status[4], kMissing);
  EXPECT_TRUE(std::isnan(table.values[1][4]));
  EXPECT_EQ(table.values[1][7], 49);
}

TEST_F(RunTableTest, IsEmptyAtFirst) {
  const ExperimentId id = Sweep(3);

  EXPECT_THAT(store_.ReadRuns(id).status,
              ElementsAre(kMissing, kMissing, kMissing));
  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 0, .count = 3}));
}

TEST_F(RunTableTest, StoresABatchThatIsDeliveredTwiceOnce) {
  const ExperimentId id = Sweep(2);
  const RunBatch batch{.status = {kDone, kFailed},
                       .values = {{1, 2}, {3, 4}},
                       .failures = {{.run = 1, .message = "step too small"}}};
  store_.AppendRuns(id, batch);
  store_.AppendRuns(id, batch);

  EXPECT_EQ(store_.Read(id).info.runs,
            (RunCounts{.asked = 2, .finished = 1, .failed = 1}));
  EXPECT_THAT(store_.ReadRuns(id).values,
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(store_.ReadFailures(id, 10),
              ElementsAre(RunFailure{.run = 1, .message = "step too small"}));
}

TEST_F(RunTableTest, ReplacesAFailureByARunThatCompleted) {
  const ExperimentId id = Sweep(3);
  store_.AppendRuns(
      id,
      {.status = {kDone, kFailed, kFailed},
       .values = {{1, 2, 3}, {1, 0, 0}},
       .failures = {{.run = 1, .message = "a"}, {.run = 2, .message = "b"}}});
  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 1, .count = 2}));
  store_.AppendRuns(id, {.first = 1, .status = {kDone}, .values = {{2}, {4}}});

  EXPECT_THAT(store_.ReadRuns(id).status, ElementsAre(kDone, kDone, kFailed));
  EXPECT_THAT(store_.ReadRuns(id).values[1], ElementsAre(1, 4, 0));
  EXPECT_THAT(store_.ReadFailures(id, 10),
              ElementsAre(RunFailure{.run = 2, .message = "b"}));
  EXPECT_EQ(store_.Read(id).info.runs,
            (RunCounts{.asked = 3, .finished = 2, .failed = 1}));
}

TEST_F(RunTableTest, KeepsARunThatCompletedWhenALaterOneFails) {
  const ExperimentId id = Sweep(1);
  store_.AppendRuns(id, {.status = {kDone}, .values = {{1}, {2}}});
  store_.AppendRuns(id,
                    {.status = {kFailed},
                     .values = {{1}, {0}},
                     .failures = {{.run = 0, .message = "late"}}});

  EXPECT_THAT(store_.ReadRuns(id).status, ElementsAre(kDone));
  EXPECT_THAT(store_.ReadRuns(id).values[1], ElementsAre(2));
  EXPECT_THAT(store_.ReadFailures(id, 10), IsEmpty());
}

TEST_F(RunTableTest, KeepsTheLastFailure) {
  const ExperimentId id = Sweep(1);
  for (const char* why : {"first", "second"}) {
    store_.AppendRuns(id,
                      {.status = {kFailed},
                       .values = {{1}, {0}},
                       .failures = {{.run = 0, .message = why}}});
  }

  EXPECT_THAT(store_.ReadFailures(id, 10),
              ElementsAre(RunFailure{.run = 0, .message = "second"}));
  EXPECT_EQ(store_.Read(id).info.runs, (RunCounts{.asked = 1, .failed = 1}));
}

TEST_F(RunTableTest, TakesScatteredRunsInOneBatch) {
  const ExperimentId id = Sweep(5);
  store_.AppendRuns(id,
                    {.status = {kMissing, kDone, kMissing, kDone, kMissing},
                     .values = {{9, 1, 9, 3, 9}, {9, 10, 9, 30, 9}}});

  const RunTable table = store_.ReadRuns(id);
  EXPECT_THAT(table.status,
              ElementsAre(kMissing, kDone, kMissing, kDone, kMissing));
  EXPECT_TRUE(std::isnan(table.values[0][2]));
  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 0, .count = 1},
                          RunRange{.first = 2, .count = 1},
                          RunRange{.first = 4, .count = 1}));
}

TEST_F(RunTableTest, GivesTheFirstFailures) {
  const ExperimentId id = Sweep(3);
  store_.AppendRuns(id,
                    {.status = {kFailed, kFailed, kFailed},
                     .values = {{0, 0, 0}, {0, 0, 0}},
                     .failures = {{.run = 2, .message = "c"},
                                  {.run = 0, .message = "a"},
                                  {.run = 1, .message = "b"}}});

  EXPECT_THAT(store_.ReadFailures(id, 2),
              ElementsAre(RunFailure{.run = 0, .message = "a"},
                          RunFailure{.run = 1, .message = "b"}));
}

TEST_F(RunTableTest, TakesRunsBeyondThoseAskedFor) {
  const ExperimentId id = Sweep(0);
  store_.AppendRuns(id, {.first = 2, .status = {kDone}, .values = {{1}, {2}}});

  EXPECT_THAT(store_.ReadRuns(id).status,
              ElementsAre(kMissing, kMissing, kDone));
  EXPECT_THAT(store_.UnfinishedRuns(id), IsEmpty());
}

TEST_F(RunTableTest, NeedsNoColumns) {
  const ExperimentId id = store_.Begin({.runs_asked = 2});
  store_.AppendRuns(id, {.status = {kDone}});

  EXPECT_EQ(store_.Read(id).info.runs, (RunCounts{.asked = 2, .finished = 1}));
  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 1, .count = 1}));
}

// A row of the file has 2^20 values.
TEST_F(RunTableTest, TakesABatchOfAMillionRuns) {
  constexpr std::size_t kRuns = 1'000'001;
  const ExperimentId id = Sweep(kRuns);
  RunBatch batch{.status = std::vector(kRuns, kDone),
                 .values = {std::vector(kRuns, 1.5), std::vector(kRuns, -0.0)}};
  batch.values[0].back() = 7;
  batch.status[600'000] = kFailed;
  store_.AppendRuns(id, batch);

  const RunTable table = store_.ReadRuns(id);
  EXPECT_EQ(table.status, batch.status);
  EXPECT_EQ(table.values[0], batch.values[0]);
  EXPECT_TRUE(std::signbit(table.values[1].back()));
  EXPECT_THAT(store_.UnfinishedRuns(id),
              ElementsAre(RunRange{.first = 600'000, .count = 1}));
}

// The expected table: completed runs stay, failures are replaced.
struct Model {
  struct Run {
    RunStatus status = kMissing;
    std::uint64_t bits = 0;
    std::optional<std::string> failure;
  };

  void Append(const RunBatch& batch) {
    for (std::size_t k = 0; k < batch.status.size(); ++k) {
      Run& run = runs[batch.first + static_cast<std::int64_t>(k)];
      if (batch.status[k] != kMissing && run.status != kDone) {
        run = {.status = batch.status[k],
               .bits = std::bit_cast<std::uint64_t>(batch.values[0][k])};
        for (const RunFailure& failure : batch.failures) {
          if (failure.run == batch.first + static_cast<std::int64_t>(k)) {
            run.failure = failure.message;
          }
        }
      }
    }
  }

  std::map<std::int64_t, Run> runs;
};

RunBatch AnyBatch() {
  RunBatch batch{.first = *rc::gen::inRange<std::int64_t>(0, 40),
                 .values = {{}}};
  const auto count = *rc::gen::inRange<std::int64_t>(0, 20);
  for (std::int64_t run = batch.first; run < batch.first + count; ++run) {
    const auto status = *rc::gen::element(kMissing, kDone, kFailed);
    batch.status.push_back(status);
    batch.values[0].push_back(
        std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>()));
    if (status == kFailed && *rc::gen::arbitrary<bool>()) {
      batch.failures.push_back(
          {.run = run, .message = *rc::gen::arbitrary<std::string>()});
    }
  }
  return batch;
}

// Checks table, failures and unfinished runs against `model`.
void CheckAgainst(const Model& model, ExperimentStore& store, ExperimentId id) {
  constexpr std::int64_t kRuns = 60;
  const RunTable table = store.ReadRuns(id);
  RC_ASSERT(table.status.size() == kRuns);
  std::vector<RunFailure> failures;
  std::vector<std::int64_t> unfinished;
  RunCounts counts{.asked = kRuns};
  for (std::int64_t i = 0; i < kRuns; ++i) {
    const auto found = model.runs.find(i);
    const Model::Run run =
        found == model.runs.end() ? Model::Run{} : found->second;
    const auto k = static_cast<std::size_t>(i);
    RC_ASSERT(table.status[k] == run.status);
    RC_ASSERT(run.status == kMissing ||
              std::bit_cast<std::uint64_t>(table.values[0][k]) == run.bits);
    if (run.failure) {
      failures.push_back({.run = i, .message = *run.failure});
    }
    counts.finished += run.status == kDone ? 1 : 0;
    counts.failed += run.status == kFailed ? 1 : 0;
    if (run.status != kDone) {
      unfinished.push_back(i);
    }
  }
  RC_ASSERT(store.ReadFailures(id, kRuns) == failures);
  RC_ASSERT(store.Read(id).info.runs == counts);
  std::vector<std::int64_t> told;
  for (const RunRange& range : store.UnfinishedRuns(id)) {
    for (std::int64_t k = 0; k < range.count; ++k) {
      told.push_back(range.first + k);
    }
  }
  RC_ASSERT(told == unfinished);
}

TEST_F(RunTableTest, KeepsWhatAnyBatchesInAnyOrderComeTo) {
  EXPECT_TRUE(rc::check([&] {
    const ExperimentId id =
        store_.Begin({.runs_asked = 60, .columns = {{.name = "x"}}});
    Model model;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
      const RunBatch batch = AnyBatch();
      store_.AppendRuns(id, batch);
      model.Append(batch);
      if (*rc::gen::weightedElement<bool>({{1, true}, {3, false}})) {
        store_.AppendRuns(id, batch);
      }
    }
    CheckAgainst(model, store_, id);
  }));
}

}  // namespace
}  // namespace orrery
