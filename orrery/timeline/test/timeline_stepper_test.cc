#include "orrery/timeline/timeline_stepper.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/timeline/timeline.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Task;

// A stiff oscillator that is pushed, with a clock of its own that samples it.
const char* const kPushed =
    "input Real u(start = 0);\n"
    "Real x(start = 2, fixed = true);\n Real v(start = 0, fixed = true);\n"
    "discrete Real seen(start = 0, fixed = true);\n"
    "equation der(x) = v; der(v) = 5 * (1 - x^2) * v - x + u;\n"
    "when sample(0, 0.5) then seen = x; end when;\n";

// Pushes it now and then, and when it passes zero.
struct Pushes : process::Model {
  std::vector<Duration> passed;

  Task<> Push(SystemVariable u) {
    for (double sign = 1;; sign = -sign) {
      u.Set(sign);
      co_await Delay(3100ms);
    }
  }

  Task<> Passes() {
    passed.push_back(Now());
    co_return;
  }
};

struct Pushed {
  TimelineResult result;
  std::vector<Duration> passed;
};

// Run with a look each `period`, if that is above zero.
Pushed RunPushed(Duration period) {
  Simulation sim;
  System& system = sim.Add(CompileBody(kPushed));
  auto& pushes = sim.Add<Pushes>("pushes");
  sim.Start(pushes.Push(system["u"]));
  sim.Connect(Crossing{system["x"], 0.0}, [&] { return pushes.Passes(); });
  const TimelineOptions options = {.stop = 20s};
  if (period == Duration(0)) {
    TimelineResult result = sim.Run(options);
    return {.result = std::move(result), .passed = pushes.passed};
  }
  TimelineStepper run(sim, options);
  for (Duration t{}; t < run.stop(); t += period) {
    run.GoOnTo(t);
    EXPECT_EQ(run.now(), t);
    static_cast<void>(run["x"]);
  }
  run.GoOnTo(run.stop());
  TimelineResult result = run.Finish();
  return {.result = std::move(result), .passed = pushes.passed};
}

TEST(TimelineStepperTest, LookingOnLeavesTheStepsAlone) {
  const Pushed alone = RunPushed(Duration(0));
  EXPECT_GT(alone.passed.size(), 2U);
  for (const Duration period : {7ms, 37ms, 500ms, 3100ms}) {
    const Pushed seen = RunPushed(period);
    EXPECT_EQ(seen.result.summary.steps, alone.result.summary.steps);
    EXPECT_EQ(seen.result.instants, alone.result.instants);
    EXPECT_EQ(seen.passed, alone.passed);
    for (const char* const name : {"x", "seen"}) {
      EXPECT_EQ(seen.result[name].values(), alone.result[name].values())
          << name << " " << period.count();
    }
  }
}

}  // namespace
}  // namespace orrery
