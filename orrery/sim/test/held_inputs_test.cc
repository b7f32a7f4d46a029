#include <memory>
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
