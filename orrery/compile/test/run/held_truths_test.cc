// Nonlinear loops that hold the values of their relations between events.
#include <cmath>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using Law = std::string (*)(const std::string& from, const std::string& to);

// An orifice without flow below a difference of pressures.
std::string Leap(const std::string& from, const std::string& to) {
  return "if " + from + " > " + to + " then 2*sqrt(" + from + " - " + to +
         ") + 1 else -2*sqrt(" + to + " - " + from + ") - 1";
}

// An orifice that is linear near zero.
std::string Linear(const std::string& from, const std::string& to) {
  const std::string d = from + " - " + to;
  return "if abs(" + d + ") > width then sign(" + d + ")*sqrt(abs(" + d +
         ")) else (" + d + ")/sqrt(width)";
}

std::string LinearBetween(const std::string& from, const std::string& to) {
  return "if " + from + " > " + to + " + width then sqrt(" + from + " - " + to +
         ") elseif " + from + " - " + to + " < -width then -sqrt(" + to +
         " - " + from + ") else (" + from + " - " + to + ")/sqrt(width)";
}

std::string Scaled(const std::string& from, const std::string& to) {
  return "if 2*" + from + " > 2*" + to + " then sqrt(" + from + " - " + to +
         ") else -sqrt(" + to + " - " + from + ")";
}

// Two equal orifices in series, between p1 and p2.
RunResult RunOrifices(Law law,
                      const std::string& start,
                      const std::string& p2) {
  return Simulate(CompileBody("  parameter Real width = 0.1;\n"
                              "  Real p1 = 2 + 0.5*sin(time);\n"
                              "  Real p2 = " +
                              p2 + ";\n  Real p(start = " + start +
                              "), q;\nequation\n  q = " + law("p1", "p") +
                              ";\n  q = " + law("p", "p2") + ";\n"),
                  {.stop = 6, .interval = 0.1});
}

// The pressure falls by the same before and behind the middle.
void ExpectInTheMiddle(const RunResult& run) {
  ASSERT_EQ(run.summary.message, "");
  ASSERT_GE(run.trajectory.rows(), 61);
  for (std::size_t i = 0; i < run.trajectory.rows(); ++i) {
    EXPECT_NEAR(run["p"][i], (run["p1"][i] + run["p2"][i]) / 2, 1e-9);
  }
}

TEST(HeldTruthsTest, AtTheStartTheyAreAsStartValuesHaveThem) {
  const RunResult run = RunOrifices(Leap, "1.6", "1 + 0.3*sin(2*time)");
  ExpectInTheMiddle(run);
  EXPECT_NEAR(run["q"][0], 2 * std::sqrt(0.5) + 1, 1e-12);
}

// With p = 5, all would flow out of the middle.
TEST(HeldTruthsTest, WhereTheyLeaveNoSolutionTheyMoveWithTheUnknowns) {
  ExpectInTheMiddle(RunOrifices(Leap, "5", "1 + 0.3*sin(2*time)"));
  ExpectInTheMiddle(RunOrifices(Leap, "-5", "1 + 0.3*sin(2*time)"));
}

TEST(HeldTruthsTest, RelationsBetweenMultiplesChooseBranchesThatMeetAsTheyAre) {
  const RunResult run = RunOrifices(Scaled, "1.6", "2 + sin(2*time + 1)");
  ExpectInTheMiddle(run);
  EXPECT_EQ(run.events.size(), 0);
}

TEST(HeldTruthsTest, RelationsWithAWidthChooseBranchesThatMeetAsTheyAre) {
  for (const Law law : {Linear, LinearBetween}) {
    const RunResult run = RunOrifices(law, "1.6", "2 + sin(2*time + 1)");
    ExpectInTheMiddle(run);
    EXPECT_EQ(run.events.size(), 0);
  }
}

}  // namespace
}  // namespace orrery
