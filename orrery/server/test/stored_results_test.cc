#include "orrery/server/results/stored_results.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

class StoredResultsTest : public testing::Test {
 protected:
  // A store with one experiment: a signal of two rows and a table of one run.
  static void Make(const std::string& path,
                   const std::string& signal,
                   double value) {
    ExperimentStore store(path);
    const ExperimentId id = store.Begin({.type = "sweep",
                                         .model = "M",
                                         .document = "{}",
                                         .columns = {{.name = "k"}}});
    TrajectoryBuilder builder({{.name = signal, .column = 0}});
    builder.Append(0, std::vector<double>{value});
    builder.Append(1, std::vector<double>{2 * value});
    store.SaveTrajectory(id, 0, builder.Take());
    store.AppendRuns(id,
                     {.status = {RunStatus::kCompleted},
                      .values = {{value}},
                      .failures = {}});
    store.Finish(id, {});
  }

  void Remove() const {
    for (const char* end : {"", "-wal", "-shm", "-run"}) {
      fs::remove(path_ + end);
    }
  }

  [[nodiscard]] double ValueOf(const std::string& signal) {
    return results_.Rows(1, 0, {signal})[signal].final();
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/orrery.db";
  StoredResults results_{path_};
};

TEST_F(StoredResultsTest, AreThoseOfANewStoreAfterTheOldOneWasDeleted) {
  Make(path_, "x", 1);
  EXPECT_EQ(ValueOf("x"), 2);
  for (const double value : {3.0, 5.0, 7.0}) {
    Remove();
    Make(path_, "x", value);
    EXPECT_EQ(ValueOf("x"), 2 * value);
  }
}

TEST_F(StoredResultsTest, AreThoseOfAStoreThatReplacedTheOldOne) {
  Make(path_, "x", 1);
  EXPECT_EQ(ValueOf("x"), 2);
  const std::string other = folder_.path() + "/other.db";
  Make(other, "x", 4);
  Remove();
  fs::rename(other, path_);
  EXPECT_EQ(ValueOf("x"), 8);
}

TEST_F(StoredResultsTest, HaveTheSignalsOfTheNewStore) {
  Make(path_, "x", 1);
  EXPECT_EQ(results_.Tree(1, 0)->Under("", 0, 9).entries.at(0).name, "x");
  Remove();
  Make(path_, "y", 1);
  EXPECT_EQ(results_.Tree(1, 0)->Under("", 0, 9).entries.at(0).name, "y");
}

TEST_F(StoredResultsTest, HaveTheTableOfTheNewStore) {
  Make(path_, "x", 1);
  EXPECT_EQ(results_.Table(1)->values.at(0).at(0), 1);
  Remove();
  Make(path_, "x", 6);
  EXPECT_EQ(results_.Table(1)->values.at(0).at(0), 6);
}

TEST_F(StoredResultsTest, KeepTheTableOfAStoreThatStays) {
  Make(path_, "x", 1);
  EXPECT_EQ(results_.Table(1), results_.Table(1));
  EXPECT_EQ(results_.Tree(1, 0), results_.Tree(1, 0));
}

TEST_F(StoredResultsTest, HaveTheTableOfASweepThatGoesOn) {
  constexpr RunStatus kDone = RunStatus::kCompleted;
  constexpr RunStatus kFailed = RunStatus::kFailed;
  ExperimentStore store(path_);
  const ExperimentId id = store.Begin(
      {.type = "sweep", .runs_asked = 6, .columns = {{.name = "k"}}});
  const auto is_whole = [&] {
    const auto found = results_.Table(id);
    const RunTable whole = store.ReadRuns(id);
    EXPECT_EQ(found->status, whole.status);
    for (std::size_t run = 0; run < whole.status.size(); ++run) {
      if (whole.status[run] != RunStatus::kMissing) {
        EXPECT_EQ(found->values[0][run], whole.values[0][run]) << run;
      }
    }
  };
  is_whole();
  store.AppendRuns(id, {.first = 2, .status = {kDone}, .values = {{2}}});
  is_whole();
  store.AppendRuns(id,
                   {.first = 0,
                    .status = {kDone, kFailed},
                    .values = {{0, 1}},
                    .failures = {{.run = 1, .message = "It diverged."}}});
  is_whole();
  // The failed run is carried out again, beside runs that were not asked for.
  store.AppendRuns(id, {.first = 1, .status = {kDone}, .values = {{10}}});
  store.AppendRuns(id,
                   {.first = 5, .status = {kDone, kDone}, .values = {{5, 6}}});
  is_whole();
  EXPECT_EQ(results_.Table(id)->status.size(), 7U);
  store.SetRunsAsked(id, 4);
  is_whole();
}

TEST_F(StoredResultsTest, AreMissingWhileThereIsNoStore) {
  Make(path_, "x", 1);
  EXPECT_EQ(ValueOf("x"), 2);
  Remove();
  EXPECT_THROW(static_cast<void>(ValueOf("x")), HttpError);
}

}  // namespace
}  // namespace orrery::server
