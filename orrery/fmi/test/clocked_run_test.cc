// Clocks of an FMU of our own, `fmus/ticks3.cc`, in event mode.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunResult StepTicks(const CoSimulationOptions& options,
                    const std::vector<ZipEntry>& entries = TicksEntries()) {
  return CoSimulation(FmuOf(entries), options).Run();
}

// The times at which a count goes up.
std::vector<double> RisesOf(const RunResult& result, const std::string& name) {
  const auto time = result.trajectory.time();
  const auto values = result[name].values();
  std::vector<double> rises;
  double before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > before) {
      rises.push_back(time[i]);
    }
    before = values[i];
  }
  return rises;
}

std::shared_ptr<const Table> SuddenTicks() {
  return std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {0, 0.5, 0.7, 1.6}},
          {.name = "sudden", .unit = "", .values = {0, 1, 1, 1}},
          {.name = "step", .unit = "", .values = {7, 1, 2, 5}}});
}

TEST(ClockedRunTest, AConstantClockTicksFromItsShiftOn) {
  const RunResult result = StepTicks({});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_THAT(RisesOf(result, "n_base"), ElementsAre(0.25, 0.75, 1.25, 1.75));
}

TEST(ClockedRunTest, AClockWithAFractionTicksAtTimesThatAreRoundedOnce) {
  const RunResult result = StepTicks({});
  EXPECT_THAT(RisesOf(result, "n_third"),
              ElementsAre(0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 5.0 / 3, 2));
}

TEST(ClockedRunTest, AFixedClockTicksWithThePeriodThatTheFmuComputes) {
  const RunResult result = StepTicks({.settings = {{"period", "0.75"}}});
  EXPECT_THAT(RisesOf(result, "n_own"), ElementsAre(0.375, 1.125, 1.875));
}

TEST(ClockedRunTest, AChangingClockTicksAfterEachIntervalThatTheFmuTells) {
  const RunResult result = StepTicks({});
  EXPECT_THAT(
      RisesOf(result, "n_growing"),
      ElementsAre(0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.4, 0.1 + 0.2 + 0.4 + 0.8));
}

TEST(ClockedRunTest, ACountdownClockTicksOnceItsIntervalIsKnown) {
  const RunResult result = StepTicks({});
  EXPECT_THAT(RisesOf(result, "n_later"), ElementsAre(1.375));
}

TEST(ClockedRunTest, VariablesOfAClockHoldBetweenItsTicks) {
  const RunResult result = StepTicks({.step = Seconds(0.5)});
  EXPECT_EQ(result["last"].at(0.5), 0.25);
  EXPECT_EQ(result["last"].final(), 1.75);
}

TEST(ClockedRunTest, StepsOfAnFmuEndAtTheTicks) {
  // x' is the number of ticks of base: 0.5 + 2*0.5 + 3*0.5 + 4*0.25.
  EXPECT_NEAR(StepTicks({})["x"].final(), 4, 1e-15);
}

TEST(ClockedRunTest, ClocksOfOneTimeTickInOneEvent) {
  const RunResult result = StepTicks({.settings = {{"period", "0.5"}}});
  // Own ticks with base.
  const auto time = result.trajectory.time();
  EXPECT_EQ(std::ranges::count(time, 0.75), 2);  // Before and after.
  EXPECT_THAT(RisesOf(result, "n_own"), ElementsAre(0.25, 0.75, 1.25, 1.75));
}

TEST(ClockedRunTest, ATriggeredClockTicksAtTheRowsInWhichItsColumnIs1) {
  const RunResult result = StepTicks({.inputs = SuddenTicks()});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_THAT(RisesOf(result, "n_sudden"), ElementsAre(0.5, 0.7, 1.6));
}

TEST(ClockedRunTest, InputsOfAClockAreTakenWhereItTicks) {
  const RunResult result = StepTicks({.inputs = SuddenTicks()});
  EXPECT_THAT(RisesOf(result, "sum"), ElementsAre(0.5, 0.7, 1.6));
  EXPECT_EQ(result["sum"].at(0.6), 1);
  EXPECT_EQ(result["sum"].final(), 8);
}

TEST(ClockedRunTest, AClockOfTheFmuIsACountOfItsTicks) {
  // The sum is even at 1.6 s alone.
  const RunResult result = StepTicks({.inputs = SuddenTicks()});
  EXPECT_THAT(RisesOf(result, "told"), ElementsAre(1.6));
  EXPECT_EQ(result["told"].final(), 1);
}

TEST(ClockedRunTest, AFixedStepOfWhichTicksAreNoMultiplesIsTold) {
  const RunResult result = StepTicks({.step = Seconds(0.25)},
                                     TicksEntries(R"(hasEventMode="true")"));
  EXPECT_EQ(result.summary.outcome, RunOutcome::kModelFailed);
  EXPECT_EQ(result.summary.message,
            "a clock of Ticks ticks at 0.1 s, between its communication points "
            "at 0 s and 0.25 s: its steps have one length; choose one by "
            "--communication of which ticks are multiples");
}

TEST(ClockedRunTest, WithoutEventModeClocksAreRefused) {
  EXPECT_EQ(MessageOf([] { (void)StepTicks({}, TicksEntries("")); }),
            "cannot run Ticks by Co-Simulation: it has clocks, and no event "
            "mode, in which they tick");
}

TEST(ClockedRunTest, AClockThatTicksByItselfTakesNoColumn) {
  const auto table = std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{{.name = "time", .unit = "s", .values = {0, 1}},
                               {.name = "base", .unit = "", .values = {0, 1}}});
  EXPECT_THAT(MessageOf([&] { (void)StepTicks({.inputs = table}); }),
              HasSubstr("cannot take 'base' of u.csv as an input: the clock "
                        "ticks by itself"));
}

}  // namespace
}  // namespace orrery::fmi
