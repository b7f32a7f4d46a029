#include "orrery/sdk/runs/process_run.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/manual_clock.h"
#include "orrery/process/cells.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/live/live_pace.h"
#include "orrery/sdk/live/live_tasks.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Accumulator;
using process::Cell;
using process::Polynomial;
using process::Profile;
using process::Resource;
using process::Task;
using testing::ElementsAre;

class Tank : public process::Model {
 public:
  Cell<Accumulator> volume{this, "volume", 10.0};
  Cell<process::Register<std::string>> mode{this, "mode", "idle"};
  Resource level{this, "level", volume, "m3"};
  Resource is_full{this, "is_full", [this] {
                     return mode.Get() == "full";
                   }};
  Resource state{this, "state", [this] {
                   return mode.Get();
                 }};
  process::Activity fill{this, "Fill", "Lets flow in", [this](Parameters& p) {
                           return Fill(p.Get("time", 5s, "So long"));
                         }};
  process::Activity fail{this, "Break", "Breaks", [this](Parameters&) {
                           return Break();
                         }};
  process::Activity stay{this, "Stay", "Waits", [this](Parameters&) {
                           return Stay();
                         }};

  explicit Tank(Parameters& p) : rate_(p.Get("rate", 2.0, "Of the flow")) {
    p.SetDefaultStop(20s);
  }

  void Results(const process::Simulator& run, Record& results) const {
    results.Add("added", run.Get(volume) - 10);
  }

 private:
  Task<> Fill(Duration time) {
    mode.Set("filling");
    volume.AddRate(rate_);
    co_await Delay(time);
    volume.AddRate(-rate_);
    mode.Set("idle");
  }

  Task<> Break() {
    volume.Set(1);
    co_await Delay(1s);
    throw std::runtime_error("it bursts");
  }

  Task<> Stay() { co_await Until(volume >= 1000.0); }

  double rate_;
};

ProcessModel TankModel() {
  return ProcessModel::Of<Tank>("site::Tank");
}

std::shared_ptr<const SourceFile> PlanOf(std::string activities) {
  return std::make_shared<const SourceFile>(
      "day.json", "{\"activities\": [" + std::move(activities) + "]}");
}

constexpr const char* kFill = R"({"id": "a", "type": "Fill", "start": 4})";

template <typename Function>
std::string MessageOf(ErrorCode code, Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ProcessRunTest, RunOfAPlanComesToItsValues) {
  ProcessRun run(TankModel(), {.plan = PlanOf(kFill)});
  EXPECT_EQ(run.size(),
            (ProcessModelSize{.cells = 2, .resources = 3, .activities = 3}));
  EXPECT_EQ(run.num_planned(), 1U);
  EXPECT_EQ(run.stop(), 20s);
  const ProcessRunResult result = run.Run();
  EXPECT_EQ(result.outcome, RunEnd::kCompleted);
  EXPECT_EQ(result.end, 20s);
  ASSERT_EQ(result.values.size(), 4U);
  EXPECT_EQ(result.values[0].name, "level");
  EXPECT_EQ(result.values[0].unit, "m3");
  EXPECT_EQ(result.values[0].value, Record::Value(20.0));
  EXPECT_EQ(result.values[1].value, Record::Value(false));
  EXPECT_EQ(result.values[2].value, Record::Value(std::string("idle")));
  EXPECT_EQ(result.values[3].name, "added");
  EXPECT_EQ(result.values[3].value, Record::Value(10.0));
}

TEST(ProcessRunTest, ParametersAreSet) {
  ProcessRun run(
      TankModel(),
      {.settings = {{.name = "rate", .value = "3"}}, .plan = PlanOf(kFill)});
  EXPECT_EQ(run.Run().values[0].value, Record::Value(25.0));
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [] {
                        const ProcessRun refused(
                            TankModel(),
                            {.settings = {{.name = "rat", .value = "3"}}});
                      }),
            "cannot set 'rat': model Tank has no such parameter; did you mean "
            "'rate'?");
}

TEST(ProcessRunTest, EndIsThatOfTheOptionsThePlanAndTheModelInThisOrder) {
  const auto plan = std::make_shared<const SourceFile>(
      "day.json", R"({"start": 2, "stop": 8, "activities": []})");
  const ProcessRun planned(TankModel(), {.plan = plan});
  EXPECT_EQ(planned.start(), 2s);
  EXPECT_EQ(planned.stop(), 8s);
  const ProcessRun asked(TankModel(), {.start = 3s, .stop = 4s, .plan = plan});
  EXPECT_EQ(asked.start(), 3s);
  EXPECT_EQ(asked.stop(), 4s);
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [&] {
                        const ProcessRun run(TankModel(),
                                             {.stop = 1s, .plan = plan});
                      }),
            "cannot stop at 1 s: the run starts at 2 s; give a later time");
}

TEST(ProcessRunTest, FailureKeepsWhatCameBefore) {
  ProcessRun run(
      TankModel(),
      {.plan = PlanOf(R"({"id": "b", "type": "Break", "start": 2})")});
  const ProcessRunResult result = run.Run();
  EXPECT_EQ(result.outcome, RunEnd::kFailed);
  EXPECT_EQ(result.message,
            "cannot go on at t = 3 s: task 'Break (b)' failed: it bursts");
  EXPECT_EQ(result.end, 3s);
  ASSERT_EQ(result.values.size(), 3U);
  EXPECT_EQ(result.values[0].value, Record::Value(1.0));
}

TEST(ProcessRunTest, WhoWaitsAtTheEndIsTold) {
  ProcessRun run(
      TankModel(),
      {.plan = PlanOf(R"({"id": "s", "type": "Stay", "start": 2})")});
  EXPECT_THAT(run.Run().waiting,
              ElementsAre(process::WaitingTask{.task = "Stay (s)",
                                               .awaits = "volume >= 1000"}));
}

TEST(ProcessRunTest, WatchEndsARun) {
  ProcessRun run(TankModel(), {.plan = PlanOf(kFill)});
  const ProcessRunResult result =
      run.Run([](Duration, std::optional<Duration> stop) {
        EXPECT_EQ(stop, 20s);
        return false;
      });
  EXPECT_EQ(result.outcome, RunEnd::kInterrupted);
  EXPECT_EQ(result.message, "interrupted at t = 0 s");
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [&] { static_cast<void>(run.Run()); }),
            "cannot run Tank twice: a ProcessRun is one run; make another");
}

struct Clock : process::Model {
  Task<> Tick() {
    for (;;) {
      co_await Delay(1s);
    }
  }

  void Start() override { Spawn(Tick()); }
};

TEST(ProcessRunTest, RunWithoutEndIsEnded) {
  ProcessRun run(ProcessModel::Of<Clock>("Clock"), {});
  const ProcessRunResult result = run.Run();
  EXPECT_EQ(result.outcome, RunEnd::kFailed);
  EXPECT_EQ(result.message,
            "cannot go on with Clock at t = 999999 s: no end is given, and "
            "after 1000000 times with events something is due still; give a "
            "time to stop at");
}

struct Misnamed : process::Model {
  Resource time{this, "time", [] {
                  return 1.0;
                }};
};

TEST(ProcessRunTest, ResourceIsNotCalledTime) {
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidModel,
                      [] {
                        const ProcessRun run(
                            ProcessModel::Of<Misnamed>("Misnamed"), {});
                      }),
            "cannot record 'time': the times of the recording are called so; "
            "choose another name");
}

TEST(ProcessRunTest, KindOfAModelIsThatOfItsEngine) {
  EXPECT_TRUE(std::holds_alternative<ProcessModel>(ModelOf<Tank>("a::Tank")));
  EXPECT_EQ(NameOf(ModelOf<Tank>("a::Tank")), "Tank");
}

TEST(ProcessRunTest, PartsAreListed) {
  Parameters none;
  const Tank tank(none);
  const ProcessModelParts parts = PartsOf(tank);
  EXPECT_THAT(parts.cells, ElementsAre("volume", "mode"));
  ASSERT_EQ(parts.resources.size(), 3U);
  EXPECT_EQ(parts.resources[0].unit, "m3");
  ASSERT_EQ(parts.activities.size(), 3U);
  EXPECT_EQ(parts.activities[0].path, "Fill");
  EXPECT_EQ(parts.activities[0].meaning, "Lets flow in");
  ASSERT_EQ(parts.activities[0].arguments.size(), 1U);
  EXPECT_EQ(parts.activities[0].arguments[0].value, "5 s");
}

// Profiles --------------------------------------------------------------------

struct Curves : process::Model {
  Cell<process::Register<double>> held{this, "held", 1.0};
  Cell<Accumulator> line{this, "line", 0.0};
  Resource step{this, "step", held};
  Resource truth{this, "truth", [this] {
                   return held.Get() > 1;
                 }};
  Resource ramp{this, "ramp", line};
  Resource jump{this, "jump", line + held};
  Resource bow{this, "bow", line* line};
  Resource name{this, "name", [this] {
                  return std::to_string(held.Get());
                }};

  Task<> Change() {
    line.AddRate(2);
    co_await Delay(2s);
    held.Set(3);
    co_await Delay(2s);
    line.AddRate(-2);
  }

  void Start() override { Spawn(Change()); }
};

TEST(ProcessRunTest, ProfilesBecomeATrajectory) {
  Curves curves;
  process::Simulator run(curves, {.records = {.profiles = true}});
  run.RunUntil(10s);
  const Trajectory all =
      ToTrajectory(run.recording().profiles, Duration::zero(), 10s);
  EXPECT_FALSE(all.Contains("name"));
  EXPECT_EQ(all["step"].info().variability, SignalVariability::kDiscrete);
  EXPECT_EQ(all["truth"].info().variability, SignalVariability::kDiscrete);
  EXPECT_EQ(all["ramp"].info().variability, SignalVariability::kContinuous);
  EXPECT_EQ(all["step"].at(1.9), 1);
  EXPECT_EQ(all["step"].at(2), 3);
  EXPECT_EQ(all["truth"].at(2), 1);
  EXPECT_EQ(all["ramp"].at(1.5), 3);
  EXPECT_EQ(all["ramp"].at(7), 8);
  EXPECT_EQ(all["jump"].LeftLimit(2), 5);
  EXPECT_EQ(all["jump"].at(2), 7);
  EXPECT_EQ(all.time().front(), 0);
  EXPECT_EQ(all.time().back(), 10);
  // 1e-4 of the way from 0 to 64.
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    const double exact = t < 4 ? 4 * t * t : 64;
    EXPECT_NEAR(all["bow"].at(t), exact, 0.0064 + 1e-12);  // With rounding.
  }
  EXPECT_LT(all.rows(), 100U);
}

// Files -----------------------------------------------------------------------

class ProcessFilesTest : public testing::Test {
 protected:
  ProcessFilesTest() {
    const ProcessRunOptions options = {
        .stop = 6s,
        .engine = {.records = {.spans = true, .events = true}},
        .plan = PlanOf(std::string(kFill) +
                       R"(, {"id": "s", "type": "Stay", "start": 5})")};
    run_.emplace(TankModel(), options);
    static_cast<void>(run_->Run());
  }

  template <typename Write>
  static std::string Written(const std::string& ending, Write write) {
    const std::string path =
        testing::TempDir() +
        testing::UnitTest::GetInstance()->current_test_info()->name() + ending;
    write(path);
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    std::filesystem::remove(path);
    return text.str();
  }

  std::optional<ProcessRun> run_;
};

TEST_F(ProcessFilesTest, SpansAreWritten) {
  const auto write = [this](const std::string& path) {
    WriteSpans(path, run_->recording().spans);
  };
  EXPECT_EQ(Written(".csv", write),
            "span,parent,name,begin,end,state,attributes\n"
            "0,,Fill,4,,open,directive=a; time=5\n"
            "1,,Stay,5,,open,directive=s\n");
  EXPECT_EQ(Written(".json", write),
            R"([
{"span":0,"parent":null,"name":"Fill","begin":4,"end":null,"state":"open","attributes":{"directive":"a","time":5}},
{"span":1,"parent":null,"name":"Stay","begin":5,"end":null,"state":"open","attributes":{"directive":"s"}}
]
)");
}

TEST_F(ProcessFilesTest, EventsAreWritten) {
  const auto write = [this](const std::string& path) {
    WriteEvents(path, run_->recording().events);
  };
  EXPECT_EQ(Written(".csv", write),
            "time,microstep,level,join,source,task,fields\n"
            "4,0,0,,mode,Fill,set=filling\n"
            "4,0,0,;,volume,Fill,add_rate=2\n");
  EXPECT_EQ(Written(".json", write),
            R"([
{"time":4,"microstep":0,"level":0,"join":"","source":"mode","task":"Fill","fields":{"set":"filling"}},
{"time":4,"microstep":0,"level":0,"join":";","source":"volume","task":"Fill","fields":{"add_rate":2}}
]
)");
}

TEST_F(ProcessFilesTest, EndingsThatSayNoFormatAreRefused) {
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [] { CheckRecordFile("spans.txt"); }),
            "cannot write spans.txt: the ending of its name says no format; "
            "known endings: .csv, .json");
}

// Live runs ------------------------------------------------------------------

TEST(LiveTasksTest, ResourcesAreSeenAtTheirWallTimes) {
  ProcessRun run(TankModel(), {.stop = 6s, .plan = PlanOf(kFill)});
  LiveTasks live(run, {.period = 1.5, .shown = {"level", "state"}});
  ManualClock clock(100s);
  LivePace pace(live, clock, {.factor = 2});
  std::vector<double> levels;
  std::vector<Duration> times;
  pace.RunToEnd([&](LiveRun& its) {
    levels.push_back(std::get<double>(its.TakeRows().at(0).values[0].value));
    times.push_back(clock.now());
  });
  EXPECT_THAT(levels, ElementsAre(10, 10, 10, 11, 14));
  EXPECT_THAT(times, ElementsAre(100s, 103s, 106s, 109s, 112s));
  const ProcessRunResult result = live.Finish();
  EXPECT_EQ(result.values[0].value, Record::Value(14.0));
  ProcessRun alone(TankModel(), {.stop = 6s, .plan = PlanOf(kFill)});
  EXPECT_EQ(result.statistics, alone.Run().statistics);
}

TEST(LiveTasksTest, RunThatIsStoppedEndsThere) {
  ProcessRun run(TankModel(), {.plan = PlanOf(kFill)});
  LiveTasks live(run, {.period = 5.5, .shown = {}});
  live.GoOn();
  EXPECT_EQ(live.Finish().end, 5500ms);
  EXPECT_EQ(live.record().end, 5.5);
}

TEST(LiveTasksTest, CellsAreForTasksAlone) {
  ProcessRun run(TankModel(), {});
  LiveTasks live(run, {.period = 1, .shown = {}});
  EXPECT_EQ(MessageOf(ErrorCode::kInvalidArgument,
                      [&] {
                        live.Set({{"volume", 1}});
                      }),
            "cannot set 'volume': model Tank is of tasks, which alone act on "
            "its cells; set a parameter, or plan an activity, before the run");
}

}  // namespace
}  // namespace orrery
