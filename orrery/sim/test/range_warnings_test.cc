#include <string>

#include <gtest/gtest.h>

#include "orrery/base/diagnostic.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A run's warnings and notes, a line each.
std::string WarningsOf(const std::string& body) {
  const RunResult run =
      Simulate(CompileBody(body), {.stop = 1, .interval = 0.25});
  EXPECT_EQ(run.summary.message, "");
  std::string lines;
  for (const Diagnostic& diagnostic : run.summary.diagnostics) {
    EXPECT_NE(diagnostic.severity, Severity::kError);
    lines += diagnostic.message + "\n";
  }
  return lines;
}

TEST(RangeWarningsTest, WhatLeavesItsRangeIsToldWithHowFarItGoes) {
  EXPECT_EQ(WarningsOf("  Real x(start = 0, fixed = true, max = 1.5);\n"
                       "  Real y(min = -1);\n"
                       "equation\n"
                       "  der(x) = 2;\n"
                       "  y = 4*time - 8*time^2;\n"),
            "x rises above its maximum, 1.5, at t = 1 s, and goes up to 2\n"
            "y falls below its minimum, -1, at t = 0.75 s, and goes down to "
            "-4\n");
}

TEST(RangeWarningsTest, WhatIsOffByLessThanTheToleranceIsWithin) {
  EXPECT_EQ(WarningsOf("  Real x(min = 0), y(max = 1e6);\n"
                       "equation\n"
                       "  x = -1e-10*time;\n"
                       "  y = 1e6 + 0.5*time;\n"),
            "");
}

TEST(RangeWarningsTest, BoundsMayBeParameters) {
  EXPECT_EQ(WarningsOf("  parameter Real low = 0.5;\n"
                       "  Real x(min = low) = 1 - time;\n"),
            "x falls below its minimum, 0.5, at t = 0.75 s, and goes down to "
            "0\n");
}

TEST(RangeWarningsTest, WhatTheModelGivesIsToldOnly) {
  EXPECT_EQ(WarningsOf("  constant Real a(max = 1) = 2;\n"
                       "  parameter Real b(max = 1) = 3;\n"
                       "  parameter Real c[2](each min = 0) = {b, -b};\n"
                       "  final parameter Real d(max = 5) = 2*b;\n"
                       "  Real x = a + c[1] + d + time;\n"),
            "constant 'a' is 2, above its maximum, 1\n"
            "parameter 'b' is 3, above its maximum, 1\n"
            "parameter 'c[2]' is -3, below its minimum, 0\n"
            "parameter 'd' is 6, above its maximum, 5\n");
}

TEST(RangeWarningsTest, WhatIsSetForARunMustBeInItsRange) {
  const RunResult run =
      Simulate(CompileBody("  parameter Real c(min = 0) = 1;\n"
                           "  Real x = c + time;\n"),
               {.stop = 1, .settings = {{"c", -3}}});
  EXPECT_EQ(run.summary.message,
            "cannot start: parameter 'c' is -3, as set for this run, below its "
            "minimum, 0");
  EXPECT_EQ(run.summary.diagnostics.size(), 1);
}

TEST(RangeWarningsTest, ParametersBeyondTheFirstFewAreCounted) {
  const std::string warnings = WarningsOf(
      "  parameter Real p[20](each min = 0) = fill(-1, 20);\n"
      "  Real x = p[1] + time;\n");
  EXPECT_EQ(warnings.substr(warnings.rfind("and ")),
            "and 15 more are out of their ranges\n");
}

TEST(RangeWarningsTest, NamesOfOppositeSignHaveRangesOfTheirOwn) {
  EXPECT_EQ(WarningsOf("  Real x, y(min = -0.5);\n"
                       "equation\n"
                       "  x = time;\n"
                       "  y = -x;\n"),
            "y falls below its minimum, -0.5, at t = 0.75 s, and goes down to "
            "-1\n");
}

TEST(RangeWarningsTest, OfAnArrayTheElementIsNamedThatLeavesFirst) {
  EXPECT_EQ(WarningsOf("  Real x[3](each max = 1) = {time, 3*time, 2*time};\n"),
            "x[2] rises above its maximum, 1, at t = 0.5 s, and goes up to "
            "3\n");
}

TEST(RangeWarningsTest, OfManyAFewAreNamed) {
  std::string body;
  for (int i = 1; i <= 8; ++i) {
    body += "  Real x" + std::to_string(i) + "(max = 0.5) = time;\n";
  }
  const std::string warnings = WarningsOf(body);
  EXPECT_EQ(warnings.substr(warnings.find("x5")),
            "x5 rises above its maximum, 0.5, at t = 0.75 s, and goes up to "
            "1\n"
            "and 3 more leave their ranges\n");
}

}  // namespace
}  // namespace orrery
