#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/results/csv.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;

RunResult RunWith(std::vector<TableColumn> columns) {
  return Simulate(
      CompileBody("input Integer n(start = 0);\n input Boolean b(start = "
                  "false);\n input Real u(start = 0);\n Real x(start = 0, "
                  "fixed = true);\n Real y(start = 0, fixed = true);\n "
                  "equation der(x) = if b then n else -1;\n der(y) = u;\n"),
      {.stop = 4,
       .interval = 1,
       .inputs = std::make_shared<const Table>("in.csv", std::move(columns))});
}

TEST(HeldInputsTest, IntegersAreHeldFromRowToRow) {
  const RunResult run =
      RunWith({{"time", "", {0, 1, 3}}, {"n", "", {2, 5, 7}}});
  EXPECT_EQ(run["n"].at(0.5), 2);
  EXPECT_EQ(run["n"].at(2), 5);
  EXPECT_EQ(run["n"].final(), 7);
}

TEST(HeldInputsTest, BothLimitsOfAChangeAreRecorded) {
  const RunResult run =
      RunWith({{"time", "", {0, 1, 3}}, {"n", "", {2, 5, 7}}});
  EXPECT_THAT(run["n"].values(), ElementsAre(2, 2, 5, 5, 5, 7, 7));
}

TEST(HeldInputsTest, BooleansSwitchAtTheirRow) {
  const RunResult run = RunWith(
      {{"time", "", {0, 1, 3}}, {"b", "", {0, 1, 0}}, {"n", "", {4, 4, 4}}});
  EXPECT_NEAR(run["x"].final(), -1 + 8 - 1, 1e-12);
}

TEST(HeldInputsTest, RealsBesideThemStayLinear) {
  const RunResult run = RunWith(
      {{"time", "", {0, 1, 3}}, {"n", "", {2, 5, 7}}, {"u", "", {0, 2, 6}}});
  EXPECT_NEAR(run["u"].at(0.5), 1, 1e-12);
  EXPECT_NEAR(run["y"].final(), 1 + 8 + 6, 1e-12);
}

TEST(HeldInputsTest, ColumnsInAnotherUnitAreConverted) {
  const auto run = [](const std::string& unit) {
    return Simulate(
        CompileBody(
            "input Real u(unit = \"m/s\");\n Real x(unit = \"m\", start "
            "= 0, fixed = true);\n equation der(x) = u;\n"),
        {.stop = 4,
         .inputs = std::make_shared<const Table>(
             "in.csv",
             std::vector<TableColumn>{{"time", "", {0, 4}},
                                      {"u", unit, {36, 72}}})});
  };
  EXPECT_NEAR(run("km/h")["x"].final(), 60, 1e-9);
  EXPECT_NEAR(run("")["x"].final(), 216, 1e-9);
  EXPECT_THAT([&] { return run("kg"); },
              testing::ThrowsMessage<Error>(
                  testing::HasSubstr("cannot take 'u [kg]' of in.csv")));
}

std::string WhereHeld(std::vector<double> times, std::vector<double> u) {
  return Render(WhereInputsAreHeld(
      *CompileBody("input Real u;\n Real y = u;\n"),
      {.stop = 4,
       .inputs = std::make_shared<const Table>(
           "in.csv",
           std::vector<TableColumn>{{"time", "", std::move(times)},
                                    {"u", "", std::move(u)}})}));
}

TEST(HeldInputsTest, ATableThatEndsAsItsInputsMoveIsTold) {
  EXPECT_EQ(WhereHeld({1, 2, 3}, {5, 6, 7}),
            "warning: the table of inputs in.csv begins at 1 s, and the run at "
            "0 s: till then its first row holds; begin it earlier, or the run "
            "at 1 s\n"
            "warning: the table of inputs in.csv ends at 3 s, and the run at 4 "
            "s: from there on its last row holds; go on with it, or end the "
            "run at 3 s\n");
  EXPECT_EQ(WhereHeld({0, 4}, {5, 7}), "");
}

TEST(HeldInputsTest, StepsAndConstantsAreMeantToBeHeld) {
  EXPECT_EQ(WhereHeld({1, 1}, {5, 7}), "");
  EXPECT_EQ(WhereHeld({0, 1, 2}, {5, 7, 7}), "");
  EXPECT_EQ(WhereHeld({1}, {5}), "");
}

// Counts in n the times at which `condition` becomes true; v is `value` at the
// last.
RunResult CountWith(const std::string& condition,
                    const std::string& value,
                    std::vector<TableColumn> columns) {
  return Simulate(
      CompileBody("input Boolean b;\n input Integer k[2];\n input Real u;\n"
                  "Integer n(start = 0, fixed = true);\n"
                  "discrete Real v(start = -1, fixed = true);\n"
                  "equation\n when " +
                  condition + " then\n n = pre(n) + 1;\n v = " + value +
                  ";\n end when;\n"),
      {.stop = 4,
       .inputs = std::make_shared<const Table>("in.csv", std::move(columns))});
}

TEST(HeldInputsTest, TheEdgeOfABooleanIsSeen) {
  const RunResult run =
      CountWith("edge(b)",
                "time",
                {{"time", "", {0, 1, 2, 3, 3.5}}, {"b", "", {0, 1, 0, 1, 1}}});
  EXPECT_EQ(run["n"].final(), 2);
  EXPECT_EQ(run["v"].final(), 3);
}

TEST(HeldInputsTest, WhatIsTrueFromTheStartHasNoEdge) {
  const RunResult run =
      CountWith("edge(b)", "time", {{"time", "", {0, 1}}, {"b", "", {1, 1}}});
  EXPECT_EQ(run["n"].final(), 0);
}

TEST(HeldInputsTest, AChangeOfAnElementIsSeenWithWhatWasBefore) {
  const RunResult run =
      CountWith("change(k[2])",
                "pre(k[2])",
                {{"time", "", {0, 1, 2, 3}}, {"k[2]", "", {4, 4, 7, 9}}});
  EXPECT_EQ(run["n"].final(), 2);
  EXPECT_EQ(run["v"].final(), 7);
}

TEST(HeldInputsTest, ARealThatJumpsHasItsLeftLimitBefore) {
  const RunResult run = CountWith("b",
                                  "pre(u)",
                                  {{"time", "", {0, 2, 2, 4}},
                                   {"b", "", {0, 0, 1, 1}},
                                   {"u", "", {0, 1, 5, 5}}});
  EXPECT_EQ(run["v"].final(), 1);
}

TEST(HeldInputsTest, AFractionForAnIntegerIsRefused) {
  try {
    static_cast<void>(RunWith({{"time", "", {0, 1}}, {"n", "", {1, 1.5}}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot take inputs from in.csv: row 2 of 'n': it is an "
                 "Integer, and 1.5 is none");
  }
}

}  // namespace
}  // namespace orrery
