// Integers are exact or end the run.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

RunResult RunOf(const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 30});
}

TEST(IntegerTest, TellsWhereAndWhenAnIntegerBecomesTooLarge) {
  const RunResult run = RunOf(
      "  Integer i(start = 1, fixed = true);\n"
      "equation\n"
      "  when sample(1, 1) then\n"
      "    i = 10*pre(i);\n"
      "  end when;\n");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kAssertion);
  EXPECT_EQ(run["i"].final(), 1e15);
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_EQ(run.summary.diagnostics[0].line, 5U);
  EXPECT_EQ(run.summary.message,
            "cannot evaluate i = if sample(1, 1) then 10*pre(i) else pre(i) at "
            "t = 16 s: 1e+16 is beyond the Integers, which lie between -2^53 "
            "and 2^53; make it Real, or smaller");
}

TEST(IntegerTest, TellsWhichPartOfAFormulaIsTooLarge) {
  const RunResult run = RunOf(
      "  Integer s(start = 1, fixed = true);\n"
      "equation\n"
      "  when sample(1, 1) then\n"
      "    s = mod(1103515245*pre(s) + 12345, 2147483648);\n"
      "  end when;\n");
  EXPECT_EQ(run["s"].final(), 1103527590);
  EXPECT_EQ(run.summary.message,
            "cannot evaluate s = if sample(1, 1) then mod(1103515245*pre(s) + "
            "12345, 2147483648) else pre(s) at t = 2 s: in 1103515245*pre(s) + "
            "12345, 1217759518843121920 is beyond the Integers, which lie "
            "between -2^53 and 2^53; make it Real, or smaller");
}

TEST(IntegerTest, AFunctionEndsTheRunWhereAnIntegerBecomesTooLarge) {
  const auto program = CompileText(
      "function Factorial\n"
      "  input Integer n;\n"
      "  output Integer f = 1;\n"
      "algorithm\n"
      "  for i in 1:100 loop\n"
      "    if i <= n then\n"
      "      f := f*i;\n"
      "    end if;\n"
      "  end for;\n"
      "end Factorial;\n"
      "model A\n"
      "  parameter Integer n = 18;\n"
      "  Integer f = Factorial(n);\n"
      "end A;\n");
  EXPECT_EQ(Simulate(program)["f"].final(), 6402373705728000);
  EXPECT_THAT(
      Simulate(program, {.settings = {{"n", 19}}}).summary.message,
      testing::HasSubstr("in f*i, 121645100408832000 is beyond the Integers"));
}

TEST(IntegerTest, ARealThatIsTooLargeDoesNotBecomeAnInteger) {
  const RunResult run = RunOf(
      "  discrete Real x(start = 1, fixed = true);\n"
      "  Integer i(start = 0, fixed = true);\n"
      "equation\n"
      "  when sample(1, 1) then\n"
      "    x = 10*pre(x);\n"
      "    i = integer(x);\n"
      "  end when;\n");
  EXPECT_EQ(run["i"].final(), 1e15);
  EXPECT_THAT(run.summary.message,
              testing::HasSubstr("1e+16 is beyond the Integers"));
}

}  // namespace
}  // namespace orrery
