#include "orrery/sim/record/recorder.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {
namespace {

TEST(RecorderTest, AliasesShareAColumnWithTheirSign) {
  TestModel model("Alias");
  const Expr x = model.State("x", 1);
  const Expr minus = model.Unknown("minus");
  model.Equate(model.Der(x), -x);
  model.Equate(minus, -x);
  const RunResult run = Simulate(model.Compiled(), {.stop = 1});
  const SignalInfo& alias = run["minus"].info();
  EXPECT_EQ(alias.column, run["x"].info().column);
  EXPECT_TRUE(alias.negated);
  EXPECT_EQ(run["minus"].final(), -run["x"].final());
}

TEST(RecorderTest, BetweenRowsStatesFollowTheirDerivatives) {
  TestModel model("Decay");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), -x);
  const RunResult run = Simulate(
      model.Compiled(), {.stop = 1, .tolerance = 1e-10, .interval = 0.1});
  // The cubic's error is below h^4/384, the straight line's near h^2/8.
  EXPECT_NEAR(run["x"].at(0.05), 0.95122942450071400910, 1e-4 / 384);
}

TEST(RecorderTest, TheNameOfAnArrayStandsForItsElements) {
  const auto program = CompileBody(
      "  Real v[2, 2] = {{1, 2}, {3, 4}}*time;\n  Real w[3] = {1, 2, 3};\n"
      "  Real x = time;\n");
  const auto names = [&](const std::vector<std::string>& patterns) {
    std::vector<std::string> all;
    const RunResult run = Simulate(program, {.record = patterns});
    for (const SignalInfo& signal : run.trajectory.signals()) {
      all.push_back(signal.name);
    }
    return all;
  };
  using testing::ElementsAre;
  EXPECT_THAT(names({"w"}), ElementsAre("w[1]", "w[2]", "w[3]"));
  EXPECT_THAT(names({"v", "x"}),
              ElementsAre("v[1,1]", "v[1,2]", "v[2,1]", "v[2,2]", "x"));
  EXPECT_THAT(names({"w", "w[2]"}), ElementsAre("w[1]", "w[2]", "w[3]"));
}

TEST(RecorderTest, ParametersAreStoredOnce) {
  TestModel model("Constant");
  const Expr k = model.Parameter("k", 3);
  const Expr x = model.State("x", 0);
  model.Equate(model.Der(x), k);
  const RunResult run = Simulate(model.Compiled(), {.settings = {{"k", 5}}});
  EXPECT_EQ(run["k"].info().column, SignalInfo::kNone);
  EXPECT_EQ(run["k"].final(), 5);
}

}  // namespace
}  // namespace orrery
