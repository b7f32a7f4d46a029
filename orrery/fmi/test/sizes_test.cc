// Structural parameters, and event mode in Co-Simulation.
#include "orrery/fmi/sizes.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/results/table.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunResult RunExchange(const std::vector<ParameterText>& sizes) {
  Diagnostics diagnostics;
  const auto program =
      Compile(EquationsOf(FmuOf(RowsEntries()), {}, sizes), diagnostics);
  diagnostics.ThrowIfErrors();
  return Simulate(program, {.stop = 2});
}

RunResult RunSteps(const CoSimulationOptions& options) {
  return CoSimulation(FmuOf(RowsEntries()), options).Run();
}

TEST(SizesTest, ArraysHaveTheSizeAndTheStartsOfTheCode) {
  const Fmu fmu = WithSizes(FmuOf(RowsEntries()),
                            InterfaceKind::kModelExchange,
                            std::vector<ParameterText>{{"n", "4"}});
  const Variable& k = fmu.description->variables[2];
  EXPECT_EQ(SizeOf(k), 4U);
  EXPECT_THAT(std::get<std::vector<double>>(StartOf(k)),
              ElementsAre(1, 2, 3, 4));
}

// y = 2*(1 + ... + n).
TEST(SizesTest, ModelExchangeRunsWithAnyNumberOfStates) {
  EXPECT_NEAR(RunExchange({})["y"].final(), 6, 1e-12);
  EXPECT_NEAR(RunExchange({{"n", "1"}})["y"].final(), 2, 1e-12);
  EXPECT_NEAR(RunExchange({{"n", "5"}})["y"].final(), 30, 1e-12);
  EXPECT_NEAR(RunExchange({{"n", "5"}})["x[5]"].final(), 10, 1e-12);
}

TEST(SizesTest, ModelExchangeRunsWithoutAnyState) {
  EXPECT_EQ(RunExchange({{"n", "0"}})["y"].final(), 0);
}

TEST(SizesTest, CoSimulationTakesSizesAndValuesOfTheirArrays) {
  const RunResult result = RunSteps(
      {.stop = 2.0, .step = 0.25, .settings = {{"k[3]", "10"}, {"n", "3"}}});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(result["x[3]"].final(), 20, 1e-12);
  EXPECT_NEAR(result["y"].final(), 26, 1e-12);
}

TEST(SizesTest, ASizeOutOfRangeIsToldWithTheArray) {
  EXPECT_EQ(MessageOf([] {
              (void)RunExchange({{"n", "7"}});
            }),
            "cannot set 'n' to 7: it must be within 0 to 5; it is dimension 1 "
            "of 'k'");
  EXPECT_EQ(MessageOf([] {
              (void)RunExchange({{"n", "1.5"}});
            }),
            "cannot set 'n' to 1.5: a size is a whole number; it is dimension "
            "1 of 'k'");
  EXPECT_THAT(MessageOf([] {
                (void)RunExchange({{"m", "1"}});
              }),
              HasSubstr("Rows has no structural parameter of this name"));
}

TEST(StepEventsTest, AStepThatEndsEarlyMakesAnEventAtItsTime) {
  const RunResult result = RunSteps({.stop = 1.0, .step = 0.25});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(result["ticks"].final(), 3);
  EXPECT_NEAR(result["y"].final(), 3, 1e-12);
  EXPECT_EQ(result.summary.events, 3);
  const Signal ticks = result.trajectory["ticks"];
  const auto time = result.trajectory.time();
  std::vector<double> jumps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (ticks[i] != ticks[i - 1]) {
      EXPECT_EQ(time[i], time[i - 1]);
      jumps.push_back(time[i]);
    }
  }
  EXPECT_THAT(jumps, ElementsAre(0.3, 0.6, 0.3 + 0.3 + 0.3));
}

// The FMU of rows with another token.
Fmu RowsWithToken(const std::string& its) {
  auto entries = RowsEntries();
  std::string& text = entries[0].content;
  const std::string token = "instantiationToken=\"r\"";
  text.replace(
      text.find(token), token.size(), "instantiationToken=\"" + its + "\"");
  return FmuOf(entries);
}

TEST(StepEventsTest, AnFmuThatMakesNoInstanceSaysWhyOnce) {
  const std::string message = MessageOf([] {
    static_cast<void>(CoSimulation(RowsWithToken("bad"), {.stop = 1.0}).Run());
  });

  const std::string why = "Error (logStatusError): a bad token";
  EXPECT_THAT(message, HasSubstr(why));
  EXPECT_EQ(message.find(why), message.rfind(why)) << message;
}

TEST(StepEventsTest, AnFmuThatRefusesItsEventModeRunsWithoutIt) {
  const RunResult result =
      CoSimulation(RowsWithToken("no events"), {.stop = 1.0}).Run();

  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(result.summary.events, 0);
}

TEST(StepEventsTest, InputsThatJumpAreSetInEventMode) {
  const auto table = std::make_shared<const Table>(
      "in",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {0, 0.5}},
          {.name = "gain", .unit = "", .values = {1, 3}}});
  const RunResult result =
      RunSteps({.stop = 1.0, .step = 0.25, .inputs = table});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(result["y"].final(), 3 * 0.5 + 9 * 0.5, 1e-12);
}

}  // namespace
}  // namespace orrery::fmi
