// Clocks of an FMU of our own, `fmus/ticks3.cc`, by Model Exchange.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/results/table.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;

RunResult IntegrateTicks(SimulationOptions options) {
  Diagnostics diagnostics;
  const auto program = Compile(EquationsOf(FmuOf(TicksEntries())), diagnostics);
  diagnostics.ThrowIfErrors();
  options.stop = 2;
  return Simulate(program, options);
}

// The times at which a count goes up.
std::vector<double> TicksIn(const RunResult& result, const std::string& name) {
  const auto time = result.trajectory.time();
  const auto values = result.trajectory[name].values();
  std::vector<double> ticks;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) {
      ticks.push_back(time[i]);
    }
  }
  return ticks;
}

std::shared_ptr<const Table> Counts() {
  return std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {0, 0.5, 0.7, 1.6}},
          {.name = "sudden", .unit = "", .values = {0, 1, 0, 2}},
          {.name = "step", .unit = "", .values = {7, 1, 2, 5}}});
}

TEST(ExchangeClocksTest, TicksOfAConstantClockAreEventsAtTheirTimes) {
  const RunResult result = IntegrateTicks({});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_THAT(TicksIn(result, "n_base"), ElementsAre(0.25, 0.75, 1.25, 1.75));
}

TEST(ExchangeClocksTest, AClockWithAFractionTicksAtTimesThatAreRoundedOnce) {
  EXPECT_THAT(TicksIn(IntegrateTicks({}), "n_third"),
              ElementsAre(0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 5.0 / 3, 2));
}

TEST(ExchangeClocksTest, AChangingClockTicksAfterEachIntervalThatTheFmuTells) {
  EXPECT_THAT(
      TicksIn(IntegrateTicks({}), "n_growing"),
      ElementsAre(0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.4, 0.1 + 0.2 + 0.4 + 0.8));
}

TEST(ExchangeClocksTest, AFixedClockTicksWithThePeriodThatTheFmuComputes) {
  EXPECT_THAT(
      TicksIn(IntegrateTicks({.settings = {{"period", 0.75}}}), "n_own"),
      ElementsAre(0.375, 1.125, 1.875));
}

TEST(ExchangeClocksTest, ACountdownClockTicksOnceItsIntervalIsKnown) {
  EXPECT_THAT(TicksIn(IntegrateTicks({}), "n_later"), ElementsAre(1.375));
}

TEST(ExchangeClocksTest, StatesFollowWhatTheTicksChange) {
  // x' is the number of ticks of base: 0.5 + 2*0.5 + 3*0.5 + 4*0.25.
  const RunResult result = IntegrateTicks({});
  EXPECT_NEAR(result.trajectory["x"].final(), 4, 1e-12);
  EXPECT_EQ(result.trajectory["last"].final(), 1.75);
}

TEST(ExchangeClocksTest, ATriggeredClockTicksWhereItsColumnRises) {
  const RunResult result = IntegrateTicks({.inputs = Counts()});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_THAT(TicksIn(result, "n_sudden"), ElementsAre(0.5, 1.6));
  EXPECT_EQ(result.trajectory["sum"].final(), 6);  // 1 at 0.5 s, 5 at 1.6 s.
}

TEST(ExchangeClocksTest, AClockOfTheFmuIsACountOfItsTicks) {
  const RunResult result = IntegrateTicks({.inputs = Counts()});
  EXPECT_THAT(TicksIn(result, "told"), ElementsAre(1.6));
}

}  // namespace
}  // namespace orrery::fmi
