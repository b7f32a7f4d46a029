// Results of runs that somebody outside has a part in, taken as they go on.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/sdk/live/live_devs.h"
#include "orrery/sdk/live/live_equations.h"
#include "orrery/sdk/live/live_tasks.h"
#include "orrery/sdk/live/live_timeline.h"
#include "orrery/sdk/orrery.h"
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
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::NanSensitiveDoubleNear;

// A store that is given the results of a run in parts.
class Parts {
 public:
  void Take(LiveRun& run) {
    const NewResults results = run.TakeResults();
    const Trajectory& rows = results.rows.rows;
    if (results.rows.are_all) {
      builder_ = std::make_unique<TrajectoryBuilder>(rows.table());
      ++beginnings_;
    }
    std::vector<double> row(rows.table()->columns());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t column = 0; column < row.size(); ++column) {
        row[column] = rows.column(column)[i];
      }
      builder_->Append(rows.time()[i], row);
    }
    if (results.events.are_all) {
      events_.clear();
    }
    for (const EventLog::Entry& entry : results.events.events.entries()) {
      events_.push_back(results.events.events.NameOf(entry));
    }
  }

  // With all that comes from here on.
  void TakeAll(LiveRun& run) {
    Take(run);
    while (!run.has_ended()) {
      run.GoOn();
      Take(run);
    }
  }

  [[nodiscard]] Trajectory rows() const { return builder_->Build(); }

  // Names, in their order.
  [[nodiscard]] const std::vector<std::string>& events() const {
    return events_;
  }

  // How often all rows came.
  [[nodiscard]] int beginnings() const { return beginnings_; }

 private:
  std::unique_ptr<TrajectoryBuilder> builder_;
  std::vector<std::string> events_;
  int beginnings_ = 0;
};

// `level l continuous`: what tells a signal from another one.
std::vector<std::string> SignalTexts(const Trajectory& run) {
  std::vector<std::string> texts;
  for (const SignalInfo& signal : run.signals()) {
    texts.push_back(signal.name + " " + signal.unit + " " +
                    std::to_string(signal.column) + " " +
                    std::to_string(static_cast<int>(signal.variability)));
  }
  return texts;
}

// Expects the same values at each time of `whole`, just before and after it.
void ExpectSame(const Trajectory& parts, const Trajectory& whole) {
  ASSERT_EQ(SignalTexts(parts), SignalTexts(whole));
  for (const SignalInfo& signal : whole.signals()) {
    for (const double t : whole.time()) {
      EXPECT_THAT(parts[signal.name].at(t),
                  NanSensitiveDoubleNear(whole[signal.name].at(t), 1e-9))
          << signal.name << " at " << t;
      EXPECT_THAT(parts[signal.name].LeftLimit(t),
                  NanSensitiveDoubleNear(whole[signal.name].LeftLimit(t), 1e-9))
          << signal.name << " before " << t;
    }
  }
}

std::vector<std::string> NamesIn(const EventLog& events) {
  std::vector<std::string> names;
  for (const EventLog::Entry& entry : events.entries()) {
    names.push_back(events.NameOf(entry));
  }
  return names;
}

// Tasks ---------------------------------------------------------------------

// A stock that is 1, grows by 2 a second from 1 s on, and has 10 more at
// 2.5 s; a number of jumps; a curve; a text.
class Yard : public process::Model {
 public:
  Cell<Accumulator> stock{this, "stock", 1.0};
  Cell<Register<std::int64_t>> jumps{this, "jumps", 0};
  Cell<Register<std::string>> mode{this, "mode", "idle"};
  Resource level{this, "level", stock, "l"};
  Resource square{this, "square", stock* stock};
  Resource count{this, "count", [this] {
                   return jumps.Get();
                 }};
  Resource state{this, "state", [this] {
                   return mode.Get();
                 }};

  Task<> Work() {
    co_await Delay(1s);
    stock.AddRate(2);
    mode.Set("works");
    co_await Delay(1500ms);
    stock.Add(10);
    jumps.Set(jumps.Get() + 1);
  }
};

// It works from the start on.
class BusyYard : public Yard {
 public:
  explicit BusyYard(Parameters& /*p*/) {}

  void Start() override { Spawn(Work()); }
};

class YardRun {
 public:
  explicit YardRun(double period)
      : run_(ProcessModel::Of<BusyYard>("Yard"), Options()),
        live_(run_, {.period = period, .shown = {}}) {}

  static ProcessRunOptions Options() { return {.stop = 4s}; }

  [[nodiscard]] LiveTasks& live() { return live_; }

  [[nodiscard]] Trajectory Whole() {
    const ProcessRunResult result = live_.Finish();
    return ToTrajectory(run_.recording().profiles, run_.start(), result.end);
  }

 private:
  ProcessRun run_;
  LiveTasks live_;
};

TEST(LiveResultsTest, PartsOfResourcesAreTheWholeWhoeverLooks) {
  for (const double period : {4.0, 1.0, 0.5, 0.3, 0.07}) {
    YardRun run(period);
    Parts parts;
    parts.TakeAll(run.live());
    const Trajectory rows = parts.rows();
    ASSERT_EQ(rows.table()->columns(), 3U);
    EXPECT_DOUBLE_EQ(rows["level"].at(2), 3);
    EXPECT_DOUBLE_EQ(rows["level"].LeftLimit(2.5), 4);
    EXPECT_DOUBLE_EQ(rows["level"].at(2.5), 14);
    EXPECT_DOUBLE_EQ(rows["square"].final(), 17 * 17);
    EXPECT_EQ(rows["count"].at(2.4), 0);
    // Lines along the curve are off by 1e-4 of its move.
    EXPECT_NEAR(rows["square"].at(3.3), std::pow(15.6, 2), 0.02);
    const Trajectory whole = run.Whole();
    EXPECT_EQ(SignalTexts(rows), SignalTexts(whole));
    EXPECT_EQ(rows["level"].final(), whole["level"].final());
    EXPECT_LE(parts.beginnings(), 2);  // Once more when it begins to move.
  }
}

TEST(LiveResultsTest, ResourcesHaveARowWhereTheRunIs) {
  YardRun run(0.25);
  Parts parts;
  parts.Take(run.live());
  run.live().GoOn();
  parts.Take(run.live());
  EXPECT_THAT(parts.rows().time(), ElementsAre(0, 0.25));
}

TEST(LiveResultsTest, NothingNewOfResourcesIsNoRow) {
  YardRun run(0.25);
  Parts parts;
  parts.Take(run.live());
  parts.Take(run.live());
  EXPECT_THAT(parts.rows().time(), ElementsAre(0));
}

// DEVS ----------------------------------------------------------------------

// Sends 1, 2, ... each second, and from 3 on their halves as well.
class CountAndHalf : public devs::Atomic<CountAndHalf> {
 public:
  struct State {
    std::int64_t n = 1;
  };

  devs::Out<std::int64_t> count{this, "count"};
  devs::Out<double> half{this, "half"};

  [[nodiscard]] Duration TimeAdvance(const State& /*s*/) const { return 1s; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(count, s.n);
    if (s.n > 2) {
      y.Send(half, 0.5 * static_cast<double>(s.n));
    }
  }

  void Internal(State& s) const { ++s.n; }
};

TEST(LiveResultsTest, PartsOfOutputsAreTheWhole) {
  DevsRun run(DevsModel::Of<CountAndHalf>("Ticker"),
              {.stop = 5s, .records_outputs = true});
  LiveDevs live(run);
  Parts parts;
  parts.TakeAll(live);
  const Trajectory whole = live.Finish().outputs;
  ExpectSame(parts.rows(), whole);
  EXPECT_THAT(parts.rows().time(), ElementsAreArray(whole.time()));
  EXPECT_THAT(parts.rows()["count"].values(),
              ElementsAre(testing::IsNan(), 1, 2, 3, 4, 5));
}

TEST(LiveResultsTest, OutputsThatAreNotRecordedAreNotGiven) {
  DevsRun run(DevsModel::Of<CountAndHalf>("Ticker"), {.stop = 5s});
  LiveDevs live(run);
  live.GoOn();
  EXPECT_EQ(live.TakeResults().rows.rows.rows(), 0U);
}

// Equations -----------------------------------------------------------------

constexpr const char* kBouncing = R"(
model Bouncing
  parameter Real k = 1;
  output Real x(start = 1, fixed = true);
  discrete Real n(start = 0, fixed = true);
  Boolean is_low = x < 0.5;
equation
  der(x) = -k*x;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
end Bouncing;
)";

TEST(LiveResultsTest, PartsOfEventsAreTheLogOfTheRun) {
  LiveEquations live(
      CompileText(kBouncing), {.stop = 1}, {.period = 0.1, .shown = {}});
  Parts parts;
  live.GoOn();
  parts.Take(live);
  EXPECT_THAT(parts.events(), IsEmpty());
  live.GoOn();
  live.GoOn();
  live.Set({{"k", 2}});
  parts.TakeAll(live);
  const RunResult result = live.Finish();
  EXPECT_THAT(parts.events(), ElementsAreArray(NamesIn(result.events)));
  EXPECT_THAT(parts.events(),
              ElementsAre("sample(0.25, 0.25)",
                          "k = 2",
                          "x < 0.5",
                          "sample(0.25, 0.25)",
                          "sample(0.25, 0.25)",
                          "sample(0.25, 0.25)"));
}

// A row at the end of a piece is told at once: no other comes in its place.
TEST(LiveResultsTest, RowsOfEquationsAreGivenUpToTheLastOne) {
  LiveEquations live(CompileText(kBouncing),
                     {.stop = 1, .interval = 0.1},
                     {.period = 0.2, .shown = {}});
  Parts parts;
  parts.Take(live);
  live.GoOn();
  parts.Take(live);
  EXPECT_DOUBLE_EQ(parts.rows().time().back(), 0.2);
}

// All together --------------------------------------------------------------

constexpr const char* kRise = R"(
model Rise
  parameter Real slope = 1;
  output Real x(start = 0, fixed = true);
equation
  der(x) = slope;
end Rise;
)";

class Mill : public Simulation {
 public:
  explicit Mill(Parameters& p) {
    Add(CompileText(kRise));
    auto& yard = Add<Yard>("yard");
    Simulation::Start(yard.Work());
    p.SetDefaultStop(4s);
  }
};

TEST(LiveResultsTest, PartsOfAJointRunAreTheWhole) {
  for (const double period : {1.0, 0.5, 0.3, 0.07}) {
    JointRunOptions options;
    options.timeline.equations.interval = 0.2;
    JointRun run(JointModel::Of<Mill>("Mill"), options);
    LiveTimeline live(run, {.period = period, .shown = {}});
    Parts parts;
    parts.TakeAll(live);
    const Trajectory rows = parts.rows();
    for (const double t : {0.0, 0.7, 1.0, 1.7, 2.5, 3.1, 3.9}) {
      EXPECT_NEAR(rows["x"].at(t), t, 1e-9);
      const double level = t < 1 ? 1 : 1 + 2 * (t - 1) + (t < 2.5 ? 0 : 10);
      EXPECT_NEAR(rows["yard.level"].at(t), level, 1e-9) << t;
      EXPECT_EQ(rows["yard.count"].at(t), t < 2.5 ? 0 : 1) << t;
    }
    EXPECT_NEAR(rows["yard.level"].LeftLimit(2.5), 4, 1e-9);
    EXPECT_EQ(SignalTexts(rows), SignalTexts(ToTrajectory(live.Finish().run)));
    EXPECT_LE(parts.beginnings(), 2);
  }
}

TEST(LiveResultsTest, ParameterThatIsSetInAJointRunIsARowOfParts) {
  JointRun run(JointModel::Of<Mill>("Mill"), {});
  LiveTimeline live(run, {.period = 0.5, .shown = {}});
  Parts parts;
  parts.Take(live);
  live.GoOn();
  live.GoOn();
  parts.Take(live);
  live.Set({{"slope", 3}});
  parts.TakeAll(live);
  EXPECT_NEAR(parts.rows()["x"].at(2), 4, 1e-9);
  EXPECT_EQ(parts.rows()["slope"].at(0.5), 1);
  EXPECT_EQ(parts.rows()["slope"].final(), 3);
  EXPECT_EQ(parts.events().back(), "slope = 3");
}

}  // namespace
}  // namespace orrery
