#include "orrery/sdk/runs/joint_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/process/cells.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/beside.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/live/live_timeline.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/process_timeline.h"
#include "orrery/sdk/test/live_refusal.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Accumulator;
using process::Cell;
using process::Register;
using process::Resource;
using process::Task;
using testing::ElementsAre;
using testing::IsEmpty;

// x' = speed, and a component with the same name as one of the tasks.
constexpr const char* kRamp = R"(
model Ramp
  model Part
    parameter Real level(unit = "m") = 7;
  end Part;
  parameter Real slope = 1;
  input Real speed(start = 1);
  output Real x(start = 0, fixed = true);
  Real minus = -x;
  Boolean is_far = x > 2.5;
  Part PART;
equation
  der(x) = slope * speed;
end Ramp;
)";

std::string RampWith(const std::string& part) {
  std::string text = kRamp;
  return text.replace(text.find("PART"), 4, part);
}

// Fills by 2 a second from 1 s on, until the ramp is at 3.
class Filler : public process::Model {
 public:
  Cell<Accumulator> stock{this, "stock", 1.0};
  Cell<Register<bool>> busy{this, "busy", false};
  Cell<Register<std::string>> mode{this, "mode", "idle"};
  Resource level{this, "level", stock, "l"};
  Resource works{this, "works", [this] {
                   return busy.Get();
                 }};
  Resource state{this, "state", [this] {
                   return mode.Get();
                 }};

  Task<> Fill(SystemVariable x) {
    co_await Delay(1s);
    stock.AddRate(2);
    busy.Set(true);
    co_await Until(x >= 3.0);
    stock.AddRate(-2);
    stock.Add(10);
    busy.Set(false);
    mode.Set("done");
  }
};

class Plant : public Simulation {
 public:
  explicit Plant(Parameters& p) : factor_(p.Get("factor", 2.0, "Of results")) {
    System& ramp = Add(CompileText(RampWith(p.Get("part", "part", "Name"))));
    auto& filler = Add<Filler>("filler");
    Start(filler.Fill(ramp["x"]));
    p.SetDefaultStop(4s);
  }

  void Results(const TimelineResult& run, Record& results) const {
    results.Add("far", factor_ * run["x"].final());
  }

 private:
  double factor_;
};

JointModel PlantModel() {
  return JointModel::Of<Plant>("test::Plant");
}

JointRunResult RunPlant(JointRunOptions options = {}) {
  return JointRun(PlantModel(), std::move(options)).Run();
}

std::string MessageOf(JointRunOptions options) {
  try {
    const JointRun run(PlantModel(), std::move(options));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

struct Rester : process::Model {
  process::Activity rest{this, "Rest", "Does nothing", [this](Parameters&) {
                           return Rest();
                         }};

  Task<> Rest() { co_return; }
};

class Resting : public Simulation {
 public:
  explicit Resting(Parameters& /*p*/) { Add<Rester>("rester"); }
};

TEST(JointRunTest, ActivitiesOutsideOfTheRunAreWarnedOf) {
  const auto plan = std::make_shared<const SourceFile>(
      "day.json", R"({"stop": 3, "activities": [
  {"id": "nap", "type": "rester.Rest", "start": 5}
]})");
  JointRun run(JointModel::Of<Resting>("test::Resting"), {.plan = plan});
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0].message,
            "activity 'nap' is left out: it begins at t = 5 s, after the end "
            "of the run");
  EXPECT_EQ(run.warnings()[0].line, 2);
  EXPECT_EQ(run.Run().run.summary.diagnostics, run.warnings());
}

// Values ----------------------------------------------------------------------

TEST(JointRunTest, ValuesAreResourcesAtTheEndThenResults) {
  const JointRunResult result = RunPlant();
  ASSERT_TRUE(result.run.summary.completed()) << result.run.summary.message;
  std::vector<std::string> names;
  for (const auto& value : result.values) {
    names.push_back(value.name);
  }
  EXPECT_THAT(
      names,
      ElementsAre("filler.level", "filler.works", "filler.state", "far"));
  // 1 and 2 s with 2 per second, and 10 at once.
  EXPECT_NEAR(std::get<double>(result.values[0].value), 15, 1e-6);
  EXPECT_EQ(result.values[0].unit, "l");
  EXPECT_EQ(std::get<bool>(result.values[1].value), false);
  EXPECT_EQ(std::get<std::string>(result.values[2].value), "done");
  EXPECT_NEAR(std::get<double>(result.values[3].value), 8, 1e-6);
  EXPECT_EQ(result.run.end, 4s);
}

TEST(JointRunTest, ModelIsAKindOfItsOwnForPlugins) {
  const ClassModel model = ModelOf<Plant>("test::Plant");
  EXPECT_TRUE(std::holds_alternative<JointModel>(model));
  EXPECT_EQ(NameOf(model), "Plant");
}

TEST(JointRunTest, SizeAndSignalsAreKnownBeforeTheRun) {
  const JointRun run(PlantModel(), {});
  EXPECT_EQ(run.size(),
            (JointModelSize{.equations = "Ramp",
                            .states = 1,
                            .inputs = 1,
                            .devs = {},
                            .tasks = {.cells = 3, .resources = 3}}));
  EXPECT_TRUE(run.signals().Find("x"));
  EXPECT_TRUE(run.signals().Find("filler.level"));
  EXPECT_EQ(run.stop(), Seconds(4));
}

TEST(JointRunTest, SettingsThatTheClassDoesNotDeclareAreOfTheEquations) {
  const JointRunResult result =
      RunPlant({.settings = {{"factor", "3"}, {"slope", "2"}, {"x", "1"}}});
  EXPECT_NEAR(result.run["x"].final(), 9, 1e-6);
  EXPECT_NEAR(std::get<double>(result.values[3].value), 27, 1e-6);
}

TEST(JointRunTest, StopIsThatOfOptionsBeforeThePlansBeforeTheModels) {
  const auto plan = std::make_shared<const SourceFile>(
      "plan", R"({"stop": 3, "activities": []})");
  EXPECT_EQ(JointRun(PlantModel(), {.plan = plan}).stop(), Seconds(3));
  EXPECT_EQ(
      JointRun(PlantModel(), {.timeline = {.stop = 2}, .plan = plan}).stop(),
      Seconds(2));
}

TEST(JointRunTest, ObserverEndsARunThatKeepsWhatItHas) {
  JointRun run(PlantModel(), {});
  const JointRunResult result =
      run.Run([](const Progress& progress) { return progress.t < 2; });
  EXPECT_EQ(result.run.summary.outcome, RunOutcome::kInterrupted);
  EXPECT_GE(result.run["x"].final(), 2);
  EXPECT_LT(result.run["x"].final(), 4);
  EXPECT_EQ(result.values.back().name, "far");
}

// Wrong uses ------------------------------------------------------------------

TEST(JointRunTest, ResourceCalledAsAQuantityIsRefused) {
  EXPECT_EQ(MessageOf({.settings = {{"part", "filler"}}}),
            "cannot record 'filler.level': a resource is called as a quantity "
            "of the equations is; choose another name for it");
}

TEST(JointRunTest, SettingsOfEquationsAreConvertedFromOtherUnits) {
  const JointRunResult result =
      RunPlant({.settings = {{"part.level", "2.5 km"}}});
  EXPECT_EQ(result.run["part.level"].final(), 2500);
}

TEST(JointRunTest, SettingsOfNothingAreRefused) {
  EXPECT_EQ(MessageOf({.settings = {{"slop", "1"}}}),
            "cannot set 'slop': model Plant has no such parameter, and its "
            "equations Ramp have no such quantity; did you mean 'slope'?");
  EXPECT_EQ(MessageOf({.settings = {{"slope", "1 m"}}}),
            "cannot set 'slope' to '1 m': it has no unit; give a number "
            "alone");
  EXPECT_EQ(MessageOf({.settings = {{"slope", "steep"}}}),
            "cannot set 'slope' to 'steep': it is a quantity of the equations; "
            "give a number, true or false");
  EXPECT_EQ(MessageOf({.settings = {{"slope", "1"}, {"slope", "2"}}}),
            "cannot set 'slope' twice: to '1' and to '2'; give one of them");
}

TEST(JointRunTest, OutputTimesThatTheRunDoesNotComeToAreRefused) {
  JointRunOptions options;
  options.timeline.equations.output_times = {4, 5};
  EXPECT_EQ(MessageOf(options),
            "cannot simulate: a row is wanted at 5 s, and the run is from 0 to "
            "4 s; leave that output time out, or run further");
}

TEST(JointRunTest, RunsOnce) {
  JointRun run(PlantModel(), {});
  static_cast<void>(run.Run());
  try {
    static_cast<void>(run.Run());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot run Plant twice: a JointRun is one run; make another");
  }
}

// One trajectory --------------------------------------------------------------

TEST(JointTrajectoryTest, HasQuantitiesThenResourcesOfNumbers) {
  const Trajectory run = ToTrajectory(RunPlant().run);
  std::vector<std::string> names;
  for (const SignalInfo& signal : run.signals()) {
    names.push_back(signal.name);
  }
  EXPECT_THAT(names, testing::Contains("x"));
  EXPECT_EQ(names[names.size() - 2], "filler.level");
  EXPECT_EQ(names[names.size() - 1], "filler.works");
  EXPECT_EQ(run["filler.level"].unit(), "l");
}

TEST(JointTrajectoryTest, BothAreExactAtTimesOfTheOther) {
  const Trajectory run = ToTrajectory(RunPlant().run);
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];
    EXPECT_NEAR(run["x"][row], t, 1e-6);
    EXPECT_EQ(run["minus"][row], -run["x"][row]);
    if (t < 3) {
      EXPECT_NEAR(run["filler.level"][row], t < 1 ? 1 : 1 + 2 * (t - 1), 1e-6);
    }
  }
}

TEST(JointTrajectoryTest, ConstantsAreThoseOfTheRun) {
  const Trajectory run =
      ToTrajectory(RunPlant({.settings = {{"slope", "0.5"}}}).run);
  EXPECT_EQ(run["slope"].final(), 0.5);
  EXPECT_EQ(run["part.level"].final(), 7);
}

TEST(JointTrajectoryTest, JumpsHaveBothLimits) {
  const Trajectory run = ToTrajectory(RunPlant().run);
  const double jump = 3;  // Where x is 3.
  EXPECT_NEAR(run["filler.level"].LeftLimit(jump), 5, 1e-6);
  EXPECT_NEAR(run["filler.level"].at(jump), 15, 1e-6);
  EXPECT_NEAR(run["x"].LeftLimit(jump), run["x"].at(jump), 1e-12);
}

TEST(JointTrajectoryTest, WithoutEquationsItIsThatOfTheResources) {
  class Alone : public Simulation {
   public:
    Alone() { Add<Filler>("filler"); }
  };

  JointRun run(JointModel::Of<Alone>("Alone"), {.timeline = {.stop = 1}});
  const Trajectory trajectory = ToTrajectory(run.Run().run);
  EXPECT_EQ(trajectory.signals().size(), 2U);
  EXPECT_EQ(trajectory["filler.level"].final(), 1);
}

TEST(JointTrajectoryTest, WithoutResourcesItIsThatOfTheEquations) {
  class Alone : public Simulation {
   public:
    Alone() { Add(CompileText(RampWith("part"))); }
  };

  JointRun run(JointModel::Of<Alone>("Alone"), {});
  EXPECT_EQ(run.stop(), Seconds(1));
  const JointRunResult result = run.Run();
  EXPECT_THAT(result.values, IsEmpty());
  EXPECT_EQ(ToTrajectory(result.run).table(), result.run.trajectory.table());
}

// Equations that jump at whole and half seconds, and a task that jumps at its
// own times, some of which coincide.
class Jumps : public Simulation {
 public:
  explicit Jumps(std::vector<int> times) {
    Add(CompileText(R"(
model Sawtooth
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.5, 0.5) then
    reinit(x, 0);
    n = pre(n) + 1;
  end when;
end Sawtooth;
)"));
    auto& filler = Add<Filler>("filler");
    Start(Act(filler, std::move(times)));
  }

 private:
  static Task<> Act(Filler& filler, std::vector<int> times) {
    for (const int time : times) {
      co_await filler.Delay(time * 250ms);
      filler.stock.Add(1);
    }
  }
};

RC_GTEST_PROP(JointTrajectoryTest, LosesNothingOfEither, ()) {
  const auto times =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 5));
  Jumps jumps(times);
  const TimelineResult run =
      jumps.Run({.stop = 5, .tasks = {.records = {.profiles = true}}});
  RC_ASSERT(run.summary.completed());
  const Trajectory joint = ToTrajectory(run);
  const Trajectory tasks = ToTrajectory(run.recording.profiles, 0s, 5s);
  RC_ASSERT(std::is_sorted(joint.time().begin(), joint.time().end()));
  for (const char* name : {"x", "n"}) {
    for (const double t : run.trajectory.time()) {
      RC_ASSERT(joint[name].at(t) == run[name].at(t));
      RC_ASSERT(joint[name].LeftLimit(t) == run[name].LeftLimit(t));
    }
  }
  for (const double t : tasks.time()) {
    RC_ASSERT(joint["filler.level"].at(t) == tasks["filler.level"].at(t));
  }
  const auto time = joint.time();
  for (std::size_t row = 1; row + 1 < joint.rows(); ++row) {
    if (time[row] == time[row + 1]) {
      RC_ASSERT(joint["filler.level"][row] ==
                tasks["filler.level"].at(time[row] - 1e-6));
    }
  }
}

// Timelines and files ---------------------------------------------------------

TEST(JointTimelineTest, QuantitiesStandBesideTasksAndResources) {
  JointRunOptions options;
  options.timeline.tasks.records.spans = true;
  const JointRunResult result = RunPlant(options);
  const std::vector<std::string> names = {"x", "filler.state", "is_far"};
  const Timeline timeline = ToTimeline(result.run, names);
  EXPECT_EQ(timeline.spans.size(), 1U);
  ASSERT_EQ(timeline.bands.size(), 1U);
  EXPECT_EQ(timeline.bands[0].label, "filler.state");
  ASSERT_EQ(timeline.panels.size(), 2U);
  EXPECT_EQ(timeline.panels[0].y.label, "x");
  EXPECT_EQ(timeline.panels[1].series[0].style, SeriesStyle::kStep);
  EXPECT_EQ(timeline.end, 4);
  EXPECT_EQ(ToTimeline(result.run).panels.size(), 1U);
}

TEST(JointTimelineTest, NameOfNeitherIsRefused) {
  const JointRunResult result = RunPlant();
  const std::vector<std::string> names = {"x", "filler.lvel"};
  try {
    static_cast<void>(ToTimeline(result.run, names));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot show 'filler.lvel' in a timeline: the run kept no "
                 "profile of it; did you mean 'filler.level'?");
  }
}

// Requests from outside -------------------------------------------------------

// Sends twice its input, at once.
class Doubler : public devs::Atomic<Doubler> {
 public:
  struct State {
    std::optional<double> value;
  };

  devs::In<double> in{this, "in"};
  devs::Out<double> out{this, "out"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.value ? Duration::zero() : devs::kPassive;
  }

  void Output(const State& s, devs::Bag& y) const { y.Send(out, 2 * *s.value); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration, const devs::Bag& x) const {
    s.value = x[in].front();
  }
};

// A ramp whose speed a DEVS model sets.
class Drive : public Simulation {
 public:
  explicit Drive(Parameters& p) {
    p.Get("size", 1.0, "Of nothing");
    System& ramp = Add(CompileText(RampWith("part")));
    auto& gear = Add<Doubler>("gear");
    Connect(gear.out, ramp["speed"]);
    p.SetDefaultStop(4s);
  }
};

class LiveTimelineTest : public testing::Test {
 protected:
  const JointModel model_ = JointModel::Of<Drive>("Drive");
  JointRun run_{model_, {}};
  LiveTimeline live_{run_, {.period = 0.5, .shown = {}}};
};

TEST_F(LiveTimelineTest, MessagesAndParametersTakeEffectWhereTheyAreSet) {
  live_.GoOn();
  live_.GoOn();
  live_.Set({{"gear.in", 1.5}});  // The speed is 3 from 1 s on.
  live_.GoOn();
  live_.GoOnTo(2);
  EXPECT_NEAR(
      std::get<double>(live_.TakeRows().at(0).values[0].value), 4, 1e-9);
  live_.Set({{"slope", 2}});
  while (live_.GoOn()) {
  }
  const JointRunResult result = live_.Finish();
  EXPECT_TRUE(result.run.summary.completed());
  EXPECT_NEAR(result.run["x"].final(), 16, 1e-9);
  EXPECT_EQ(result.run.devs.messages, 1);
}

TEST_F(LiveTimelineTest, RepetitionIsTheSameToTheLastBit) {
  live_.GoOnTo(0.3);
  live_.Set({{"gear.in", 0.7}, {"slope", 1.1}});
  live_.GoOn();
  live_.GoOnTo(0.9);
  live_.Set({{"gear.in", -0.2}});
  const JointRunResult first = live_.Finish();
  JointRun run(model_, {});
  LiveTimeline again(run, {.period = 0.5, .shown = {}});
  EXPECT_TRUE(Repeat(again, live_.record()));
  const JointRunResult second = again.Finish();
  EXPECT_EQ(second.run.summary.end_time, 0.9);
  EXPECT_TRUE(std::ranges::equal(first.run.trajectory.time(),
                                 second.run.trajectory.time()));
  EXPECT_EQ(first.run["x"].values(), second.run["x"].values());
}

TEST_F(LiveTimelineTest, WhatCannotBeSetIsRefused) {
  EXPECT_EQ(WhyNotSet(live_, {"speed", 1}),
            "cannot set 'speed': in the simulation 'model.gear.out' sets it; "
            "set a parameter or another input");
  EXPECT_EQ(WhyNotSet(live_, {"x", 1}),
            "cannot set 'x': the model computes it as the run goes on; set a "
            "parameter or an input");
  EXPECT_EQ(WhyNotSet(live_, {"size", 1}),
            "cannot set 'size': the model is made with this parameter; set it "
            "before the run");
  EXPECT_EQ(WhyNotSet(live_, {"gear.inn", 1}),
            "cannot set 'gear.inn': model Drive has no such quantity, and no "
            "such input of a DEVS model that takes numbers; did you mean "
            "'gear.in'?");
  EXPECT_EQ(live_.record().changes.size(), 0U);
}

TEST(BesideTest, PathIsBesideTheProgramThatAClassIsIn) {
  const std::filesystem::path program =
      std::filesystem::canonical("/proc/self/exe");
  EXPECT_EQ(PathBeside<Plant>("models/tank.mo"),
            (program.parent_path() / "models/tank.mo").string());
}

}  // namespace
}  // namespace orrery
