// reinit() of states, by one when-clause or several.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// x falls and y rises to 0.5 at the same time; the clauses set z.
RunResult TwoClauses(const std::string& first, const std::string& second) {
  return Simulate(CompileBody("  Real x(start = 1, fixed = true);\n"
                              "  Real y(start = 0, fixed = true);\n"
                              "  Real z(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = -1;\n"
                              "  der(y) = 1;\n"
                              "  der(z) = 0;\n"
                              "  when time >= 0.5 then\n" +
                              first +
                              "  end when;\n"
                              "  when y >= 0.5 then\n" +
                              second + "  end when;\n"),
                  {});
}

TEST(ResetTest, AClauseMayResetWhatAnotherDoesNot) {
  const RunResult run =
      TwoClauses("    reinit(x, 3);\n", "    reinit(z, 7);\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), 2.5, 1e-12);
  EXPECT_EQ(run["z"].final(), 7);
}

TEST(ResetTest, AStateIsSetByItsOtherNamesToo) {
  const RunResult run = Simulate(CompileBody(R"(
  Real x;
  Real y(start = 0, fixed = true);
  Real z;
equation
  der(y) = 1;
  y = x;
  x + z = 0;
  when time > 0.5 then
    reinit(x, 3);
  end when;
  when time > 0.75 then
    reinit(z, pre(z) - 1);
  end when;
)"),
                                 {});
  EXPECT_NEAR(run["y"].at(0.7), 3.2, 1e-12);
  EXPECT_NEAR(run["x"].final(), 4.5, 1e-12);
  EXPECT_NEAR(run["z"].final(), -4.5, 1e-12);
}

// The message for a model that sets an element of z to 1.
std::string RefusalOf(const std::string& element) {
  return MessageOf([&] {
    return CompileBody(
        "  parameter Real p = 1;\n"
        "  Real x[2](start = {0, 0});\n"
        "  Real z[2];\n"
        "equation\n"
        "  der(x[1]) = p;\n"
        "  x[2] = p;\n"
        "  z = x;\n"
        "  when time > 0.5 then\n"
        "    reinit(" +
        element + ", 1);\n  end when;\n");
  });
}

TEST(ResetTest, AnotherNameOfWhatIsNoStateIsRefused) {
  EXPECT_EQ(RefusalOf("z[1]"), "no error");
  EXPECT_THAT(RefusalOf("z[2]"),
              testing::HasSubstr("cannot reinit 'z[2]': it is no state"));
  EXPECT_THAT(RefusalOf("p"),
              testing::HasSubstr("cannot reinit 'p': it is no state"));
}

TEST(ResetTest, TwoClausesMayAgree) {
  const RunResult run =
      TwoClauses("    reinit(z, 7);\n", "    reinit(z, 7);\n");
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["z"].final(), 7);
}

TEST(ResetTest, TwoClausesThatDoNotAgreeEndTheRun) {
  const RunResult run =
      Simulate(CompileBody("  Real x(start = 1, fixed = true);\n"
                           "equation\n"
                           "  der(x) = -1;\n"
                           "  when x < 0.5 then\n"
                           "    reinit(x, 1);\n"
                           "  end when;\n"
                           "  when x < 0.5 then\n"
                           "    reinit(x, 2);\n"
                           "  end when;\n"),
               {});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kConflict);
  EXPECT_EQ(run.summary.message,
            "cannot reinit 'x' at t = 0.5 s to both 1 and 2: two when-clauses "
            "do so at once");
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_EQ(run.summary.diagnostics[0].line, 2);
  EXPECT_NEAR(run["x"].final(), 0.5, 1e-12);
}

// pre(x) is x at the start, and no unknown of its own. A variable that a
// when-clause leaves unchanged has a start value, which nobody has to give.
TEST(ResetTest, AResetAtAStartThatIsFixedSaysWhatToRemove) {
  EXPECT_EQ(MessageOf([] {
              return CompileBody(
                  "  Real x(start = 1, fixed = true);\n"
                  "  Real y(start = 5, fixed = true);\n"
                  "equation\n"
                  "  der(x) = -x;\n"
                  "  der(y) = x;\n"
                  "  when {initial(), time > 1} then\n"
                  "    reinit(x, pre(x) + y);\n"
                  "  end when;\n");
            }),
            "test.mo:3:8: error: the start of the model is over-determined: 3 "
            "equations for 2 unknowns (x and y), among them y has fixed = "
            "true, start = 5\n"
            "    3 |   Real y(start = 5, fixed = true);\n"
            "      |        ^ remove one of them: an initial equation or a "
            "fixed = true\n"
            "test.mo:8:5: note: another of them: x = pre(x) + y\n"
            "    8 |     reinit(x, pre(x) + y);\n"
            "      |     ^~~~~~~~~~~~~~~~~~~~~\n"
            "test.mo:2:8: note: another of them: x has fixed = true, start = "
            "1\n"
            "    2 |   Real x(start = 1, fixed = true);\n"
            "      |        ^\n");
}

// Before the start, continuous variables have their values at the start.
TEST(ResetTest, PreAtTheStartIsTheValueThere) {
  const RunResult run = Simulate(CompileBody(R"(
  Real x[2](start = {3, 5});
  Real z[2] = {x[1]^2, -x[2]};
  discrete Real held, squared, negated, total;
  Real sampled = 5 + time;
  discrete Real y;
initial equation
  x = {4, 7};
equation
  der(x) = -x;
  when {initial(), time > 0.5} then
    held = 2*pre(x[1]);
    squared = pre(z[1]) + 1;
    negated = pre(z[2]);
    total = sum(pre(x));
  end when;
algorithm
  when {initial(), time > 0.5} then
    y := pre(sampled);
  end when;
)"),
                                 {.stop = 1});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["held"].values()[0], 8);
  EXPECT_EQ(run["squared"].values()[0], 17);
  EXPECT_EQ(run["negated"].values()[0], -7);
  EXPECT_EQ(run["total"].values()[0], 11);
  EXPECT_EQ(run["y"].values()[0], 5);
  EXPECT_NEAR(run["held"].final(), 8 * std::exp(-0.5), 1e-5);
  EXPECT_NEAR(run["negated"].final(), -7 * std::exp(-0.5), 1e-5);
  EXPECT_NEAR(run["y"].final(), 5.5, 1e-9);
}

}  // namespace
}  // namespace orrery
