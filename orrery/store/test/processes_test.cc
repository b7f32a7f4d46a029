#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/store/store.h"
#include "orrery/store/test/files.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A process that calls a function, which can tell numbers.
class Process {
 public:
  using Tell = std::function<void(std::int64_t)>;

  explicit Process(const std::function<void(const Tell&)>& act) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    id_ = fork();
    if (id_ == 0) {
      int code = 0;
      try {
        act([&](std::int64_t number) {
          code = write(ends[1], &number, sizeof number) == sizeof number ? code
                                                                         : 2;
        });
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        code = 1;
      }
      _exit(code);
    }
    close(ends[1]);
    told_ = ends[0];
  }

  Process(Process&& other) noexcept
      : id_(std::exchange(other.id_, -1)),
        told_(std::exchange(other.told_, -1)) {}

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process& operator=(Process&&) = delete;

  ~Process() {
    if (id_ > 0) {
      Kill();
    }
  }

  // The next number that it tells; -1 when it has ended.
  std::int64_t Next() {
    std::int64_t number = -1;
    return read(told_, &number, sizeof number) == sizeof number ? number : -1;
  }

  void Kill() {
    kill(id_, SIGKILL);
    static_cast<void>(Wait());
  }

  // Its exit code, when it has ended by itself.
  [[nodiscard]] int Wait() {
    int status = -1;
    waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_ = -1;
  int told_ = -1;
};

// Does nothing until it is killed.
[[noreturn]] void Sleep() {
  for (;;) {
    pause();
  }
}

class ProcessesTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "orrery.db";
};

TEST_F(ProcessesTest, MayCreateOneStoreAtOnce) {
  std::vector<Process> processes;
  for (int i = 0; i < 8; ++i) {
    processes.emplace_back([&](const Process::Tell& tell) {
      ExperimentStore store(path_);
      const ExperimentId id = store.Begin({});
      store.Finish(id, {});
      tell(id);
    });
  }
  std::set<std::int64_t> ids;
  for (Process& process : processes) {
    ids.insert(process.Next());
    EXPECT_EQ(process.Wait(), 0);
  }

  EXPECT_THAT(ids, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(ExperimentStore(path_).List().size(), 8U);
}

TEST_F(ProcessesTest, MayWriteToOneStoreAtOnce) {
  constexpr std::int64_t kBatches = 200;
  const auto sweep = [&](const Process::Tell& tell) {
    ExperimentStore store(path_);
    const ExperimentId id =
        store.Begin({.runs_asked = kBatches, .columns = {{.name = "x"}}});
    for (std::int64_t run = 0; run < kBatches; ++run) {
      store.AppendRuns(id,
                       {.first = run,
                        .status = {RunStatus::kCompleted},
                        .values = {{static_cast<double>(id * run)}}});
    }
    store.Finish(id, {});
    tell(id);
  };
  Process first(sweep);
  Process second(sweep);
  EXPECT_EQ(first.Wait(), 0);
  EXPECT_EQ(second.Wait(), 0);

  ExperimentStore store(path_);
  for (const ExperimentId id : {1, 2}) {
    const RunTable table = store.ReadRuns(id);
    EXPECT_THAT(store.UnfinishedRuns(id), IsEmpty());
    for (std::size_t run = 0; run < kBatches; ++run) {
      EXPECT_EQ(table.values[0][run],
                static_cast<double>(id) * static_cast<double>(run));
    }
  }
}

TEST_F(ProcessesTest, MayCreateAStoreWhereOneWasKilledAndItsFileRemoved) {
  Process runner([&](const Process::Tell& tell) {
    ExperimentStore store(path_);
    store.Attach(store.Begin({}), "a", "text/plain", "old");
    tell(1);
    Sleep();
  });
  runner.Next();
  runner.Kill();
  EXPECT_THAT(folder_.Files(), testing::Contains("orrery.db-wal"));
  std::filesystem::remove(path_);

  ExperimentStore store(path_);
  EXPECT_THAT(store.List(), IsEmpty());
  EXPECT_EQ(store.Begin({}), 1);
  EXPECT_THAT(store.FindDamage(), IsEmpty());
}

TEST_F(ProcessesTest, MayBeKilledWhileTheyCreateAStore) {
  RandomStream random(3, "kills");
  for (int kill = 0; kill < 20; ++kill) {
    const std::string path = folder_ / (std::to_string(kill) + ".db");
    Process creator(
        [&](const Process::Tell& /*tell*/) { ExperimentStore store(path); });
    std::this_thread::sleep_for(
        std::chrono::microseconds(random.UniformInt(0, 10'000)));
    creator.Kill();

    ExperimentStore store(path);
    EXPECT_EQ(store.Begin({}), 1);
    EXPECT_THAT(store.FindDamage(), IsEmpty());
  }
}

TEST_F(ProcessesTest, AreKnownToRunUntilTheyAreKilled) {
  Process runner([&](const Process::Tell& tell) {
    ExperimentStore store(path_);
    tell(store.Begin({}));
    Sleep();
  });
  const ExperimentId id = runner.Next();
  ExperimentStore store(path_);
  EXPECT_EQ(store.Read(id).info.status, ExperimentStatus::kRunning);
  EXPECT_THROW(store.Resume(id), Error);
  EXPECT_THROW(store.Delete(id), Error);

  runner.Kill();

  EXPECT_EQ(store.Read(id).info.status, ExperimentStatus::kInterrupted);
  store.Resume(id);
  EXPECT_EQ(store.Read(id).info.status, ExperimentStatus::kRunning);
}

TEST_F(ProcessesTest, ResumeAnExperimentOneAtATime) {
  { static_cast<void>(ExperimentStore(path_).Begin({})); }
  std::vector<Process> processes;
  for (int i = 0; i < 6; ++i) {
    processes.emplace_back([&](const Process::Tell& tell) {
      ExperimentStore store(path_);
      try {
        store.Resume(1);
        tell(1);
      } catch (const Error&) {
        tell(0);
      }
      Sleep();
    });
  }
  std::int64_t resumed = 0;
  for (Process& process : processes) {
    resumed += process.Next();
  }

  EXPECT_EQ(resumed, 1);
}

TEST_F(ProcessesTest, TakeTurnsAtAnExperimentWithoutOverlap) {
  { static_cast<void>(ExperimentStore(path_).Begin({.runs_asked = 40})); }
  std::vector<Process> processes;
  for (int i = 0; i < 4; ++i) {
    processes.emplace_back([&](const Process::Tell& tell) {
      ExperimentStore store(path_);
      for (int turn = 0; turn < 10;) {
        try {
          store.Resume(1);
        } catch (const Error&) {
          continue;
        }
        // Two at once would find the same run.
        store.AppendRuns(1,
                         {.first = store.UnfinishedRuns(1).front().first,
                          .status = {RunStatus::kCompleted}});
        store.Finish(1, {});
        ++turn;
      }
      tell(1);
    });
  }
  for (Process& process : processes) {
    EXPECT_EQ(process.Wait(), 0);
  }

  ExperimentStore store(path_);
  EXPECT_EQ(store.Read(1).info.runs, (RunCounts{.asked = 40, .finished = 40}));
  EXPECT_THAT(folder_.Files(),
              testing::Not(testing::Contains("orrery.db-run")));
}

constexpr std::int64_t kBatchRuns = 100;

double ValueOf(std::int64_t run) {
  return std::sin(static_cast<double>(run));
}

// Runs experiment 2 of `store`, telling how many runs have been stored.
void Sweep(ExperimentStore& store, const Process::Tell& tell) {
  const ExperimentId id = 2;
  if (store.List({.limit = 1}).front().id < id) {
    static_cast<void>(
        store.Begin({.type = "sweep", .columns = {{.name = "x"}}}));
  } else {
    store.Resume(id);
  }
  for (std::int64_t first = store.Read(id).info.runs.finished;;
       first += kBatchRuns) {
    RunBatch batch{.first = first,
                   .status = std::vector(kBatchRuns, RunStatus::kCompleted),
                   .values = {{}}};
    TrajectoryBuilder builder({{.name = "x", .column = 0}});
    for (std::int64_t run = first; run < first + kBatchRuns; ++run) {
      batch.values[0].push_back(ValueOf(run));
      builder.Append(static_cast<double>(run), std::vector{ValueOf(run)});
    }
    store.InOneTransaction([&] {
      store.AppendRuns(id, batch);
      store.SaveTrajectory(id, first / (kBatchRuns * 10), builder.Take());
    });
    tell(first + kBatchRuns);
  }
}

// The runs of whole batches, all that were told among them.
void CheckSweep(ExperimentStore& store, std::int64_t told) {
  const RunTable table = store.ReadRuns(2);
  const std::int64_t runs =
      std::ranges::count(table.status, RunStatus::kCompleted);
  ASSERT_GE(runs, told);
  ASSERT_EQ(runs % kBatchRuns, 0);
  ASSERT_EQ(store.Read(2).info.runs.finished, runs);
  for (std::int64_t run = 0; run < runs; ++run) {
    ASSERT_EQ(table.values[0][static_cast<std::size_t>(run)], ValueOf(run));
  }
  for (const std::int64_t run : store.Read(2).trajectories) {
    const Trajectory trajectory = store.ReadTrajectory(2, run);
    ASSERT_EQ(trajectory.rows(), kBatchRuns);
    ASSERT_EQ(trajectory["x"].final(),
              ValueOf(static_cast<std::int64_t>(trajectory.time().back())));
  }
}

TEST_F(ProcessesTest, LoseNothingWhenTheyAreKilledAt50RandomMoments) {
  {
    ExperimentStore store(path_);
    store.Attach(store.Begin({}), "earlier", "text/plain", "still there");
  }
  RandomStream random(7, "kills");
  std::int64_t told = 0;
  for (int kill = 0; kill < 50; ++kill) {
    Process writer([&](const Process::Tell& tell) {
      ExperimentStore store(path_);
      Sweep(store, tell);
    });
    // Every other one is on its way then, however busy the machine.
    for (auto batches = kill % 2 * random.UniformInt(1, 10); batches > 0;
         --batches) {
      told = std::max(told, writer.Next());
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(random.UniformInt(0, 20'000)));
    writer.Kill();
    for (std::int64_t runs = 0; runs >= 0; runs = writer.Next()) {
      told = std::max(told, runs);
    }

    ExperimentStore store(path_);
    EXPECT_THAT(store.FindDamage(), IsEmpty());
    EXPECT_EQ(store.ReadAttachment(1, "earlier"), "still there");
    for (const ExperimentInfo& experiment : store.List()) {
      EXPECT_EQ(experiment.status, ExperimentStatus::kInterrupted);
    }
    if (told > 0) {
      CheckSweep(store, told);
    }
  }
  EXPECT_GT(told, 10 * kBatchRuns);
}

}  // namespace
}  // namespace orrery
