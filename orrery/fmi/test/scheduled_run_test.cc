// Clocks of an FMU of our own, `fmus/clocks3.cc`, by Scheduled Execution.
#include "orrery/fmi/stepping/scheduled_run.h"

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::fmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Fmu ClocksFmu() {
  std::ifstream file(ORRERY_CLOCKS3, std::ios::binary);
  return FmuOf(
      {{.name = "modelDescription.xml",
        .content = R"xml(<fmiModelDescription fmiVersion="3.0"
    modelName="Clocks" instantiationToken="c">
<ScheduledExecution modelIdentifier="clocks3"/>
<DefaultExperiment stopTime="2"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<Clock name="base" valueReference="1" causality="input"
  intervalVariability="constant" intervalDecimal="0.5" priority="1"/>
<Clock name="sudden" valueReference="2" causality="input"
  intervalVariability="triggered" priority="0"/>
<Clock name="later" valueReference="3" causality="input"
  intervalVariability="countdown" priority="2"/>
<Clock name="told" valueReference="4" causality="output"
  intervalVariability="triggered"/>
<Int32 name="n_base" valueReference="10" causality="output" clocks="1"/>
<Int32 name="n_sudden" valueReference="11" causality="output" clocks="2"/>
<Int32 name="n_later" valueReference="12" causality="output" clocks="3"/>
<Int32 name="order" valueReference="13" causality="output"/>
<Int32 name="step" valueReference="14" causality="input" start="1"/>
</ModelVariables>
<ModelStructure><Output valueReference="4"/><Output valueReference="10"/>
<Output valueReference="11"/><Output valueReference="12"/>
<Output valueReference="13"/></ModelStructure></fmiModelDescription>)xml"},
       {.name = "binaries/" + PlatformHere(FmiVersion::k3) + "/clocks3.so",
        .content = std::string(std::istreambuf_iterator<char>(file), {})}});
}

std::shared_ptr<const Table> Ticks(const std::string& clock) {
  return std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {0, 0.5, 0.7, 1.6}},
          {.name = clock, .unit = "", .values = {0, 1, 0, 1}},
          {.name = "step", .unit = "", .values = {1, 1, 5, 5}}});
}

TEST(ScheduledRunTest, ClocksTickAtTheirTimes) {
  const RunResult result = ScheduledRun(ClocksFmu(), {}).Run();
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;

  const auto time = result.trajectory.time();
  EXPECT_THAT(std::vector<double>(time.begin(), time.end()),
              ElementsAre(0, 0, 0.5, 1, 1.25, 1.5, 2));
  EXPECT_THAT(result["n_base"].values(), ElementsAre(0, 1, 2, 3, 3, 4, 5));
  EXPECT_THAT(result["n_later"].values(), ElementsAre(0, 0, 0, 0, 1, 1, 1));
  EXPECT_THAT(result["told"].values(), ElementsAre(0, 0, 0, 0, 1, 1, 1));
  EXPECT_EQ(result.summary.events, 6);
}

TEST(ScheduledRunTest, RowsOfATableTriggerClocksInTheOrderOfPriorities) {
  const RunResult result =
      ScheduledRun(ClocksFmu(), {.inputs = Ticks("sudden")}).Run();
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;

  // At 0.5 s by 1 and before base; at 1.6 s by 5.
  EXPECT_EQ(result["n_sudden"].final(), 6);
  EXPECT_EQ(result["order"][2], 121);
  EXPECT_EQ(result["order"].final(), 3121);
}

TEST(ScheduledRunTest, AClockThatTicksByItselfTakesNoInput) {
  std::string message;
  try {
    (void)ScheduledRun(ClocksFmu(), {.inputs = Ticks("base")});
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_THAT(message,
              HasSubstr("cannot take 'base' of u.csv as an input: the clock "
                        "ticks by itself"));
}

}  // namespace
}  // namespace orrery::fmi
