#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/store/store.h"
#include "orrery/store/test/store_file.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreErrorsTest : public StoreFileTest {
 protected:
  // A store with an experiment that has all kinds of results.
  ExperimentId MakeStore() {
    ExperimentStore store(path_);
    const ExperimentId id = store.Begin({.columns = {{.name = "x"}}});
    store.AppendRuns(id, {.status = {RunStatus::kCompleted}, .values = {{1}}});
    TrajectoryBuilder builder({{.name = "x", .column = 0}});
    builder.Append(0, std::vector{1.0});
    store.SaveTrajectory(id, 0, builder.Take());
    store.SaveEvents(id, 0, EventLog({"e"}, {{.t = 1}}));
    store.Attach(id, "plan.json", "application/json", "{}");
    store.Finish(id, {});
    return id;
  }
};

TEST_F(StoreErrorsTest, TellThatATextIsNoStore) {
  WriteFile(path_, std::string(1000, 'a'));

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { ExperimentStore store(path_); }),
            "cannot read '$': it is no store of experiments; name another "
            "file");
  EXPECT_EQ(ReadFile(path_), std::string(1000, 'a'));
}

TEST_F(StoreErrorsTest, TellThatADatabaseIsNoStore) {
  Change("CREATE TABLE other (x)");

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { ExperimentStore store(path_); }),
            "cannot open '$': it is an SQLite database, but no store of "
            "experiments; name another file");
}

TEST_F(StoreErrorsTest, TellThatAStoreIsOfANewerVersion) {
  MakeStore();
  Change("PRAGMA user_version = 7");

  EXPECT_EQ(
      Says(ErrorCode::kUnsupported, [&] { ExperimentStore store(path_); }),
      "cannot open '$': it is a store of version 7, and this Orrery knows "
      "version 3; open it with a newer one");
}

TEST_F(StoreErrorsTest, AnOlderStoreWithoutNamesOfValuesIsReadAndWritten) {
  const ExperimentId id = MakeStore();
  Change("DROP TABLE run_column_value; PRAGMA user_version = 1");

  ExperimentStore reader(path_, {.read_only = true});
  EXPECT_EQ(reader.Read(id).columns, (std::vector<RunColumn>{{.name = "x"}}));
  RunColumn mode{.name = "mode"};
  mode.value_names.Edit() = {"Off", "On"};
  ExperimentStore store(path_);
  EXPECT_EQ(store.Read(store.Begin({.columns = {mode}})).columns[0], mode);
}

TEST_F(StoreErrorsTest, TellThatAFolderIsMissing) {
  EXPECT_EQ(
      Says(ErrorCode::kIo, [&] { ExperimentStore store(path_ + "/no/x.db"); }),
      "cannot write '$/no/x.db': there is no folder '$/no'");
}

TEST_F(StoreErrorsTest, TellThatAFolderIsNoFile) {
  std::filesystem::create_directory(path_);

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { ExperimentStore store(path_); }),
            "cannot open '$': it is a folder; name a file in it");
}

TEST_F(StoreErrorsTest, TellThatAnEmptyFileIsNoStore) {
  WriteFile(path_, "");

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { ExperimentStore store(path_); }),
            "cannot open '$': it is empty; delete it, so that a store can be "
            "made there");
}

TEST_F(StoreErrorsTest, TellThatThereIsNothingToRead) {
  EXPECT_EQ(Says(ErrorCode::kIo,
                 [&] { ExperimentStore store(path_, {.read_only = true}); }),
            "cannot open '$': there is no such file");
  EXPECT_THAT(folder_.Files(), IsEmpty());
}

TEST_F(StoreErrorsTest, TellThatAFileIsDamaged) {
  MakeStore();
  std::string bytes = ReadFile(path_);
  bytes.replace(16384, bytes.size() - 16384, bytes.size() - 16384, '\x5A');
  WriteFile(path_, bytes);

  EXPECT_EQ(Says(ErrorCode::kIo,
                 [&] { static_cast<void>(ExperimentStore(path_).List()); }),
            "cannot read '$': it is damaged (database disk image is "
            "malformed); restore a copy, or save what can be read by "
            "`sqlite3 $ .recover`");
  EXPECT_THAT(ExperimentStore(path_).FindDamage(), testing::Not(IsEmpty()));
}

TEST_F(StoreErrorsTest, TellThatATableIsMissing) {
  const ExperimentId id = MakeStore();
  Change("DROP TABLE log");

  EXPECT_EQ(Says(ErrorCode::kIo,
                 [&] { static_cast<void>(ExperimentStore(path_).Read(id)); }),
            "cannot read '$': it is damaged (no such table: log); restore a "
            "copy, or save what can be read by `sqlite3 $ .recover`");
}

TEST_F(StoreErrorsTest, TellWhichResultsAreDamaged) {
  const ExperimentId id = MakeStore();
  Change(
      "UPDATE chunk SET data = x'00'; UPDATE batch SET data = x'00';"
      "UPDATE attachment_part SET data = x'00'");
  ExperimentStore store(path_);
  const std::string cannot = "cannot read '" + path_ + "': there is damage in ";
  const std::string still = "; what is sound can be read still";

  EXPECT_THAT(
      store.FindDamage(),
      ElementsAre(cannot + "the batch of runs from 0 of experiment 1" + still,
                  cannot + "the trajectory of run 0 of experiment 1" + still,
                  cannot + "the events of run 0 of experiment 1" + still,
                  cannot +
                      "the attachment 'plan.json' of experiment "
                      "1" +
                      still));
  EXPECT_EQ(store.Read(id).info.runs.finished, 1);
}

// Sizes are not believed.
TEST_F(StoreErrorsTest, SurviveAbsurdNumbers) {
  for (const char* change : {"UPDATE batch SET count = 1 << 60",
                             "UPDATE batch SET first = -5",
                             "UPDATE batch SET first = (1 << 62) + 1",
                             "UPDATE experiment SET runs_asked = 1 << 60",
                             "UPDATE experiment SET status = 'odd'",
                             "UPDATE chunk SET count = 1 << 60",
                             "UPDATE chunk SET position = position + 9",
                             "UPDATE series SET rows = 1 << 60",
                             "UPDATE series SET constant_count = 1 << 60",
                             "UPDATE layout SET size = 1 << 60",
                             "UPDATE layout SET data = x''",
                             "UPDATE attachment SET size = 1 << 60",
                             "UPDATE attachment SET size = -1"}) {
    std::filesystem::remove(path_);
    MakeStore();
    Change(change);

    EXPECT_THAT(ExperimentStore(path_).FindDamage(), testing::Not(IsEmpty()))
        << change;
  }
}

TEST_F(StoreErrorsTest, TellThatAnotherProcessKeepsTheStoreLocked) {
  MakeStore();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  ExperimentStore store(path_,
                        {.busy_timeout = std::chrono::milliseconds(100)});

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Tag(1, "paper"); }),
            "cannot write '$': another process has kept it locked for 0.1 s; "
            "try again when it is done");
  EXPECT_EQ(store.List().size(), 1U);

  sqlite3_close(other);
  store.Tag(1, "paper");
}

TEST_F(StoreErrorsTest, TellThatAStoreWasOpenedForReading) {
  const ExperimentId id = MakeStore();
  ExperimentStore store(path_, {.read_only = true});
  const std::string why = "cannot write '$': it was opened for reading only";

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { static_cast<void>(store.Begin({})); }),
            why);
  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Resume(id); }), why);
  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Delete(id); }), why);
  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Tag(id, "a"); }), why);
  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.SetNotes(id, "a"); }), why);
}

// Root may write everywhere.
TEST_F(StoreErrorsTest, TellThatAFolderIsNotWritableAndReadThere) {
  const ExperimentId id = MakeStore();
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  std::filesystem::permissions(path_, std::filesystem::perms(0444));
  const pid_t child = fork();
  if (child == 0) {
    const bool is_nobody = geteuid() != 0 || setuid(65534) == 0;
    const std::string message =
        MessageOf(ErrorCode::kIo, [&] { ExperimentStore store(path_); });
    ExperimentStore reader(path_, {.read_only = true});
    const bool is_right =
        is_nobody &&
        message == "cannot write '" + path_ + "': it is write-protected" &&
        reader.Read(id).info.status == ExperimentStatus::kCompleted &&
        reader.ReadTrajectory(id, 0).rows() == 1;
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);

  EXPECT_EQ(status, 0);
}

TEST_F(StoreErrorsTest, TellWhichExperimentsThereAre) {
  ExperimentStore store(path_);
  const auto read = [&](ExperimentId id) {
    return Says(ErrorCode::kInvalidArgument,
                [&] { static_cast<void>(store.Read(id)); });
  };
  EXPECT_EQ(read(1),
            "cannot find experiment 1 of '$': there is none; the store is "
            "empty");
  for (int i = 0; i < 12; ++i) {
    store.Finish(store.Begin({}), {});
  }
  store.Delete(6);

  EXPECT_EQ(read(6),
            "cannot find experiment 6 of '$': it was deleted; the nearest are "
            "2, 3, 4, 5, 7, 8, 9, 10");
  EXPECT_EQ(read(100),
            "cannot find experiment 100 of '$': there is none; the nearest "
            "are 9, 10, 11, 12");
}

TEST_F(StoreErrorsTest, NameWhatIsNearTheNameThatWasGiven) {
  const ExperimentId id = MakeStore();
  ExperimentStore store(path_);
  store.Tag(id, "paper");
  const auto says = [&](const auto& action) {
    return Says(ErrorCode::kInvalidArgument, action);
  };

  EXPECT_EQ(
      says([&] { static_cast<void>(store.ReadAttachment(id, "plon.json")); }),
      "cannot read the attachment 'plon.json' of experiment 1 of '$': it has "
      "none of this name; did you mean 'plan.json'?");
  EXPECT_EQ(says([&] { store.Untag(id, "papr"); }),
            "cannot take the tag 'papr' from experiment 1 of '$': it has no "
            "such tag; did you mean 'paper'?");
  EXPECT_EQ(says([&] { static_cast<void>(store.ReadTrajectory(id, 7)); }),
            "cannot read the trajectory of run 7 of experiment 1 of '$': the "
            "runs that have one: 0");
  EXPECT_EQ(says([&] { static_cast<void>(store.ReadEvents(id, 7)); }),
            "cannot read the events of run 7 of experiment 1 of '$': the runs "
            "that have one: 0");
  EXPECT_EQ(says([&] { store.Tag(id, ""); }),
            "cannot tag experiment 1 of '$': the tag is empty");
  EXPECT_EQ(says([&] { store.Attach(id, "", "text/plain", "a"); }),
            "cannot attach a file to experiment 1 of '$': its name is empty");
}

TEST_F(StoreErrorsTest, RefuseResultsFromWhoDoesNotRunTheExperiment) {
  const ExperimentId id = MakeStore();
  ExperimentStore store(path_);
  const auto says = [&](const auto& action) {
    return Says(ErrorCode::kInvalidArgument, action);
  };
  const std::string why =
      " experiment 1 of '$': this object does not run it; Resume() it first";

  EXPECT_EQ(says([&] { store.AppendRuns(id, {}); }),
            "cannot store runs of" + why);
  EXPECT_EQ(says([&] { store.SaveTrajectory(id, 0, {}); }),
            "cannot store a trajectory of" + why);
  EXPECT_EQ(says([&] { store.AppendTrajectory(id, 0, {}); }),
            "cannot store a trajectory of" + why);
  EXPECT_EQ(says([&] { store.SaveEvents(id, 0, {}); }),
            "cannot store the events of" + why);
  EXPECT_EQ(says([&] { store.AppendLog(id, "a"); }),
            "cannot write the log of" + why);
  EXPECT_EQ(says([&] { store.SetRunsAsked(id, 1); }),
            "cannot change the number of runs of" + why);
  EXPECT_EQ(says([&] { store.SetDocument(id, "{}"); }),
            "cannot change the document of" + why);
  EXPECT_EQ(says([&] { store.Finish(id, {}); }), "cannot finish" + why);
}

TEST_F(StoreErrorsTest, RefuseToTouchWhatRuns) {
  ExperimentStore runner(path_);
  const ExperimentId id = runner.Begin({});
  ExperimentStore other(path_);
  const auto says = [&](const auto& action) {
    return Says(ErrorCode::kInvalidArgument, action);
  };

  EXPECT_EQ(says([&] { other.Resume(id); }),
            "cannot resume experiment 1 of '$': another process runs it; wait "
            "for its end");
  EXPECT_EQ(says([&] { runner.Resume(id); }),
            "cannot resume experiment 1 of '$': this object runs it already");
  EXPECT_EQ(says([&] { other.Delete(id); }),
            "cannot delete experiment 1 of '$': it is running; wait for its "
            "end");
  EXPECT_EQ(says([&] { runner.Delete(id); }),
            "cannot delete experiment 1 of '$': it is running; wait for its "
            "end");
}

TEST_F(StoreErrorsTest, DeleteNothingWhereOneOfSeveralRuns) {
  ExperimentStore store(path_);
  const ExperimentId ended = store.Begin({});
  store.Finish(ended, {});
  const std::vector<ExperimentId> both = {ended, store.Begin({})};

  EXPECT_EQ(Says(ErrorCode::kInvalidArgument, [&] { store.Delete(both); }),
            "cannot delete experiment 2 of '$': it is running; wait for its "
            "end");
  EXPECT_EQ(store.List().size(), 2U);
  store.Finish(both[1], {});
  store.Delete(both);
  EXPECT_EQ(store.List().size(), 0U);
}

TEST_F(StoreErrorsTest, RefuseBatchesThatDoNotFit) {
  ExperimentStore store(path_);
  const ExperimentId id =
      store.Begin({.runs_asked = 10, .columns = {{.name = "x"}}});
  const auto says = [&](const RunBatch& batch) {
    return Says(ErrorCode::kInvalidArgument,
                [&] { store.AppendRuns(id, batch); });
  };
  const auto done = RunStatus::kCompleted;
  const std::string cannot =
      "cannot store the batch of runs from 3 of experiment 1 of '$': ";

  EXPECT_EQ(says({.first = 3, .status = {done}}),
            cannot + "it has values of 0 columns, the table has 1");
  EXPECT_EQ(says({.first = 3, .status = {done}, .values = {{1, 2}}}),
            cannot + "a column has 2 values for 1 runs");
  EXPECT_EQ(says({.first = 3,
                  .status = {done},
                  .values = {{1}},
                  .failures = {{.run = 3}}}),
            cannot + "it tells why run 3 failed, which did not fail in it");
  EXPECT_EQ(says({.first = 3,
                  .status = {done},
                  .values = {{1}},
                  .failures = {{.run = 4}}}),
            cannot + "it tells why run 4 failed, which did not fail in it");
  EXPECT_EQ(says({.first = -1, .status = {done}, .values = {{1}}}),
            "cannot store the batch of runs from -1 of experiment 1 of '$': "
            "runs are numbered from 0 to 999999999");
  EXPECT_EQ(says({.first = 1'000'000'000, .status = {done}, .values = {{1}}}),
            "cannot store the batch of runs from 1000000000 of experiment 1 "
            "of '$': runs are numbered from 0 to 999999999");
  EXPECT_EQ(store.Read(id).info.runs, (RunCounts{.asked = 10}));
}

TEST_F(StoreErrorsTest, RefusePartsThatDoNotFit) {
  ExperimentStore store(path_);
  const ExperimentId id = store.Begin({});
  TrajectoryBuilder x({{.name = "x", .column = 0}});
  TrajectoryBuilder y({{.name = "y", .column = 0}});
  x.Append(2, std::vector{0.0});
  const auto says = [&](const Trajectory& part) {
    return Says(ErrorCode::kInvalidArgument,
                [&] { store.AppendTrajectory(id, 0, part); });
  };
  const std::string cannot =
      "cannot append to the trajectory of run 0 of experiment 1 of '$': ";

  EXPECT_EQ(says(x.Build()),
            cannot + "it has none; call SaveTrajectory() first");
  store.SaveTrajectory(id, 0, x.Take());
  EXPECT_EQ(says(y.Build()), cannot + "its first part has other signals");
  x.Append(1.5, std::vector{0.0});
  EXPECT_EQ(says(x.Build()),
            cannot +
                "it begins at 1.5 s, before 2 s, where the part before "
                "ended");
  EXPECT_EQ(Says(ErrorCode::kInvalidArgument,
                 [&] { store.SaveTrajectory(id, -1, x.Build()); }),
            "cannot store run -1: runs are numbered from 0 to 999999999");
}

TEST_F(StoreErrorsTest, RefuseExperimentsThatCannotBe) {
  ExperimentStore store(path_);
  const auto says = [&](const NewExperiment& experiment) {
    return Says(ErrorCode::kInvalidArgument,
                [&] { static_cast<void>(store.Begin(experiment)); });
  };

  EXPECT_EQ(says({.runs_asked = -1}),
            "cannot ask for -1 runs: there can be 0 to 1000000000");
  EXPECT_EQ(says({.columns = {{.name = "x"}, {.name = "x"}}}),
            "cannot begin an experiment with column 'x' in its table of runs: "
            "another column has this name; rename one of them");
  EXPECT_EQ(says({.columns = {{.name = ""}}}),
            "cannot begin an experiment with column '' in its table of runs: "
            "its name is empty");
  EXPECT_THAT(store.List(), IsEmpty());
}

TEST_F(StoreErrorsTest, RefuseToBeginOrEndWithinATransaction) {
  ExperimentStore store(path_);
  const ExperimentId id = store.Begin({});
  const auto says = [&](const auto& action) {
    return Says(ErrorCode::kInvalidArgument,
                [&] { store.InOneTransaction(action); });
  };
  const std::string why =
      " an experiment of '$' within InOneTransaction(): it is a transaction "
      "of its own; call it before or after";

  EXPECT_EQ(says([&] { static_cast<void>(store.Begin({})); }),
            "cannot begin" + why);
  EXPECT_EQ(says([&] { store.Resume(id); }), "cannot resume" + why);
  EXPECT_EQ(says([&] { store.Finish(id, {}); }), "cannot finish" + why);
  EXPECT_EQ(says([&] { store.Delete(id); }), "cannot delete" + why);
}

// How many writes to files still work.
std::atomic<int>& WritesLeft() {
  static std::atomic<int> writes{0};
  return writes;
}

ssize_t WriteToAFullDisk(int file, const void* data, size_t size, off_t at) {
  if (WritesLeft()-- <= 0) {
    errno = ENOSPC;
    return -1;
  }
  return pwrite(file, data, size, at);
}

// While it lives, the disk is full after some writes of SQLite.
class FullDisk {
 public:
  explicit FullDisk(int writes) {
    WritesLeft() = writes;
    Replace(reinterpret_cast<sqlite3_syscall_ptr>(&WriteToAFullDisk));
  }

  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  ~FullDisk() { Replace(nullptr); }

 private:
  // Null restores the original.
  static void Replace(sqlite3_syscall_ptr function) {
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) {
      if (system->xGetSystemCall(system, name) != nullptr) {
        system->xSetSystemCall(system, name, function);
      }
    }
  }
};

TEST_F(StoreErrorsTest, TellThatTheDiskIsFullAndKeepWhatWasStored) {
  ExperimentStore store(path_);
  const ExperimentId id =
      store.Begin({.runs_asked = 100, .columns = {{.name = "x"}}});
  int failures = 0;
  for (std::int64_t run = 0; run < 100; ++run) {
    const RunBatch batch{.first = run,
                         .status = {RunStatus::kCompleted},
                         .values = {{static_cast<double>(run)}}};
    std::string message;
    {
      const FullDisk full(static_cast<int>(run % 12));
      try {
        store.AppendRuns(id, batch);
      } catch (const Error& error) {
        message = error.what();
      }
    }
    if (!message.empty()) {
      ++failures;
      EXPECT_EQ(
          message,
          "cannot write '" + path_ + "': the disk is full; free some space");
      EXPECT_EQ(store.Read(id).info.runs.finished, run);
      store.AppendRuns(id, batch);
    }
    EXPECT_EQ(store.Read(id).info.runs.finished, run + 1);
  }
  EXPECT_GT(failures, 10);
  EXPECT_THAT(store.UnfinishedRuns(id), IsEmpty());
  EXPECT_THAT(store.FindDamage(), IsEmpty());
}

TEST_F(StoreErrorsTest, LeaveNoHalfOfAStoreOnAFullDisk) {
  int failures = 0;
  bool is_made = false;
  for (int writes = 0; !is_made; ++writes) {
    {
      const FullDisk full(writes);
      try {
        const ExperimentStore store(path_);
        is_made = true;
      } catch (const Error&) {
        ++failures;
      }
    }
    for (const char* const ending : {"-new", "-new-wal", "-new-shm"}) {
      EXPECT_FALSE(std::filesystem::exists(path_ + ending)) << writes;
    }
    if (std::filesystem::exists(path_)) {
      EXPECT_THAT(ExperimentStore(path_).FindDamage(), IsEmpty()) << writes;
      std::filesystem::remove(path_);
    }
  }
  EXPECT_GT(failures, 10);
}

TEST_F(StoreErrorsTest, KnowThatTheFileWasRemoved) {
  ExperimentStore store(path_);
  EXPECT_TRUE(store.IsStillThere());
  std::filesystem::remove(path_);
  EXPECT_FALSE(store.IsStillThere());
  const ExperimentStore another(path_);
  EXPECT_FALSE(store.IsStillThere());
  EXPECT_TRUE(another.IsStillThere());
}

TEST_F(StoreErrorsTest, UndoATransactionOnAFullDisk) {
  ExperimentStore store(path_);
  const ExperimentId id = store.Begin({});

  EXPECT_THAT(
      MessageOf(ErrorCode::kIo,
                [&] {
                  const FullDisk full(3);
                  store.InOneTransaction([&] {
                    store.AppendLog(id, "lost");
                    store.Attach(
                        id, "lost", "text/plain", std::string(100'000, 'x'));
                  });
                }),
      HasSubstr("the disk is full"));
  EXPECT_EQ(store.Read(id).log, "");
  EXPECT_THAT(store.Read(id).attachments, IsEmpty());
}

}  // namespace
}  // namespace orrery
