#include "orrery/modelica/modelica_block.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/model/diagram.h"
#include "orrery/modelica/load.h"
#include "orrery/sdk/simulate.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string ErrorOf(const ModelicaClass& type,
                    const ModelicaBlock::Arguments& modifications) {
  try {
    const ModelicaBlock block(type, modifications);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <typename Action>
std::string WhyNot(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModelicaBlockTest, ConnectsLikeAnyBlock) {
  Diagram d{"Loop"};
  auto& step = d.Add<ModelicaBlock>("step", "Modelica.Blocks.Sources.Step");
  auto& gain =
      d.Add<ModelicaBlock>("gain", "Modelica.Blocks.Math.Gain", {{"k", 3}});
  auto& integrator = d.Add<ModelicaBlock>(
      "integrator", "Modelica.Blocks.Continuous.Integrator");
  d.Connect(step["y"], gain["u"]);
  d.Connect(gain["y"], integrator["u"]);
  const auto run = Simulate(d, {.stop = 2.0});
  EXPECT_NEAR(run["integrator.y"].final(), 6, 1e-9);
}

TEST(ModelicaBlockTest, ShowsItsQuantitiesWithTheirValues) {
  ModelicaBlock block("Modelica.Blocks.Continuous.FirstOrder",
                      {{"k", 2}, {"T", 0.5}});
  EXPECT_EQ(block.name(), "FirstOrder");
  EXPECT_EQ(block["u"].kind(), QuantityKind::kInput);
  EXPECT_EQ(block["y"].kind(), QuantityKind::kOutput);
  EXPECT_EQ(block["k"].kind(), QuantityKind::kParameter);
  EXPECT_THAT(block["k"].declaration().values, ElementsAre(2));
  EXPECT_EQ(block["T"].declaration().attributes->unit, "s");
  EXPECT_EQ(block.num_states(), 1);
  EXPECT_EQ(block.num_inputs(), 1);
}

TEST(ModelicaBlockTest, SettingAValueReplacesTheModelsOwn) {
  ModelicaBlock block("Modelica.Blocks.Math.Gain", {{"k", 2}});
  block.SetValue(block["k"], 5);
  EXPECT_THAT(block.output_function(0, {}, std::vector{3.0}), ElementsAre(15));
}

TEST(ModelicaBlockTest, HasTheFunctionsOfABlock) {
  ModelicaBlock block("Modelica.Blocks.Continuous.FirstOrder",
                      {{"k", 2}, {"T", 0.5}});
  EXPECT_THAT(block.feedthrough_inputs(), ElementsAre());
  EXPECT_THAT(
      block.state_update_function(0, std::vector{1.0}, std::vector{3.0}),
      ElementsAre(10));  // (2*3 - 1)/0.5
}

TEST(ModelicaBlockTest, RefusesToSetWhatShapedTheEquations) {
  ModelicaBlock block("Modelica.Blocks.Math.Sum", {{"nin", 3}});
  EXPECT_EQ(block["u"].shape(), (Shape{3}));
  EXPECT_EQ(WhyNot([&] { block.SetValue(block["nin"], 4); }),
            "cannot set the value of Sum.nin: its value shaped the equations; "
            "give it where the block is made");
}

TEST(ModelicaBlockTest, RefusesAValueThatIsNotOfTheType) {
  ModelicaBlock block("Modelica.Blocks.Sources.BooleanConstant");
  EXPECT_EQ(WhyNot([&] { block.SetValue(block["k"], 0.5); }),
            "cannot set the value of BooleanConstant.k: its value is 0.500000; "
            "give 0 (false) or 1 (true)");
}

TEST(ModelicaBlockTest, SuggestsTheNearestClass) {
  EXPECT_EQ(ErrorOf("Modelica.Blocks.Math.Gian", {}),
            "C++:2:22: error: no class 'Gian' in Modelica.Blocks.Math\n"
            "    2 | Modelica.Blocks.Math.Gian;\n"
            "      |                      ^~~~ did you mean 'Gain'?\n");
}

TEST(ModelicaBlockTest, SuggestsTheNearestParameter) {
  EXPECT_EQ(ErrorOf("Modelica.Blocks.Sources.Sine", {{"amplitud", 3}}),
            "C++:2:30: error: no element 'amplitud' in class "
            "Modelica.Blocks.Sources.Sine\n"
            "    2 | Modelica.Blocks.Sources.Sine(amplitud = 3);\n"
            "      |                              ^~~~~~~~ did you mean "
            "'amplitude'?\n");
}

TEST(ModelicaBlockTest, RefusesWhatIsNoBlock) {
  EXPECT_THAT(ErrorOf("Modelica.Blocks.Interfaces.SISO", {}),
              HasSubstr("cannot simulate the partial class"));
  EXPECT_THAT(ErrorOf("Modelica.Math.sin", {}), HasSubstr("it is a function"));
  EXPECT_THAT(ErrorOf("Real", {}), HasSubstr("it is a type"));
  for (const char* const name : {"", ".", "BlockInCpp", "A; end B", "'"}) {
    EXPECT_NE(ErrorOf(name, {}), "") << name;
  }
}

TEST(ModelicaBlockTest, RefusesValuesThatDoNotFit) {
  EXPECT_THAT(ErrorOf("Modelica.Blocks.Math.Gain", {{"k", true}}),
              HasSubstr("'k' is Real, its value Boolean"));
  EXPECT_THAT(ErrorOf("Modelica.Blocks.Math.Gain", {{"k", {1, 2}}}),
              HasSubstr("'k' is Real, its value Integer[2]"));
  EXPECT_THAT(ErrorOf("Modelica.Blocks.Math.Gain", {{"k", 1}, {"k", 2}}),
              HasSubstr("'k' is modified twice"));
  EXPECT_THAT(ErrorOf("Modelica.Blocks.Math.Gain", {{"k", "(1"}}),
              HasSubstr("expected"));
}

}  // namespace
}  // namespace orrery
