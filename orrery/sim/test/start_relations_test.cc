// Relations at the start.

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// In two phases, the temperature does not depend on the enthalpy: the start has
// a solution only if the phase is that of the start value.
TEST(StartRelationsTest, ALoopThatNeedsThemIsSolvedWithThoseOfTheStartValues) {
  const RunResult run = Simulate(CompileBody(R"(
  function temperature
    input Real h;
    input Integer phase;
    output Real T;
  algorithm
    T := if phase == 1 then h else 2;
  end temperature;
  Real h(start = 1), T;
  Integer phase = if h < 2 then 1 else 2;
initial equation
  T = 0.5;
equation
  T = temperature(h, phase);
  der(h) = 0.1;
)"),
                                 {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kCompleted);
  EXPECT_NEAR(run["T"].final(), 0.6, 1e-9);
  EXPECT_EQ(run["phase"].final(), 1);
}

}  // namespace
}  // namespace orrery
