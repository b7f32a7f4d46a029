#include "orrery/modelica/library.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

using testing::HasSubstr;

const LibraryField* Find(const std::vector<LibraryField>& fields,
                         const std::string& name) {
  const auto found = std::ranges::find(fields, name, &LibraryField::name);
  return found == fields.end() ? nullptr : &*found;
}

TEST(LibraryTest, EveryTextIsCorrectModelica) {
  for (const internal::LibraryText& text : internal::StandardLibrary()) {
    Diagnostics diagnostics;
    const auto tree = Parse(std::make_shared<SourceFile>(
                                std::string(text.file), std::string(text.text)),
                            diagnostics);
    EXPECT_EQ(Render(diagnostics.list()), "");
    ASSERT_EQ(tree->classes.size(), 1U);
    const std::string name(tree->classes.front().definition->name.text);
    EXPECT_EQ(tree->within ? ast::ToString(*tree->within) + "." + name : name,
              text.name);
  }
}

// A block alone is no model: its inputs are its own, and some have no size
// before they are given a table.
TEST(LibraryTest, EveryBlockFlattens) {
  const std::set<std::string> incomplete = {
      "Modelica.Blocks.Sources.TimeTable",
      "Modelica.Blocks.Sources.CombiTimeTable",
      "Modelica.Blocks.Sources.IntegerTable",
      "Modelica.Blocks.Tables.CombiTable1Ds",
      "Modelica.Blocks.Tables.CombiTable1Dv",
      "Modelica.Blocks.Tables.CombiTable1D",
      "Modelica.Blocks.Tables.CombiTable2Ds",
      "Modelica.Blocks.Tables.CombiTable2Dv",
      "Modelica.Blocks.Tables.CombiTable2D",
      // These need the inner seed of a model.
      "Modelica.Blocks.Noise.UniformNoise",
      "Modelica.Blocks.Noise.NormalNoise",
      "Modelica.Blocks.Noise.TruncatedNormalNoise",
      "Modelica.Blocks.Noise.BandLimitedWhiteNoise",
      "Orrery.Blocks.Sources.PinkNoise"};
  for (const LibraryBlock& block : ListLibrary()) {
    EXPECT_NE(block.meaning, "") << block.name;
    if (incomplete.contains(block.name)) {
      continue;
    }
    Diagnostics diagnostics;
    const auto flat = Flatten(
        std::make_shared<SourceFile>("a.mo", ""), block.name, diagnostics);
    EXPECT_TRUE(flat) << block.name << "\n" << Render(diagnostics.list());
  }
}

TEST(LibraryTest, DescribesParametersWithTheirUnitsAndDefaults) {
  const auto block =
      DescribeLibraryBlock("Modelica.Blocks.Continuous.FirstOrder");
  ASSERT_TRUE(block);
  EXPECT_EQ(block->meaning, "First order lag: T*der(y) + y = k*u");
  const LibraryField* const gain = Find(block->parameters, "k");
  ASSERT_NE(gain, nullptr);
  EXPECT_EQ(gain->value, "1");
  EXPECT_EQ(gain->unit, "1");
  const LibraryField* const time = Find(block->parameters, "T");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->unit, "s");
  EXPECT_EQ(time->value, "");
  EXPECT_EQ(time->guess, "1");
  const LibraryField* const init = Find(block->parameters, "initType");
  ASSERT_NE(init, nullptr);
  EXPECT_EQ(init->value, "Init.NoInit");
  EXPECT_EQ(init->type, "Init");
  EXPECT_NE(Find(block->inputs, "u"), nullptr);
  EXPECT_NE(Find(block->outputs, "y"), nullptr);
  EXPECT_EQ(block->equations.back(), "der(y) = (k * u - y) / T");
}

TEST(LibraryTest, LeavesOutParametersThatABlockHasFixed) {
  const auto block = DescribeLibraryBlock("Modelica.Blocks.Math.MatrixGain");
  ASSERT_TRUE(block);
  EXPECT_EQ(Find(block->parameters, "nin"), nullptr);
  EXPECT_NE(Find(block->parameters, "K[:, :]"), nullptr);
  EXPECT_NE(Find(block->inputs, "u[nin]"), nullptr);
}

TEST(LibraryTest, TellsUnderWhichConditionSignalsAndPartsExist) {
  const auto block = DescribeLibraryBlock("Modelica.Blocks.Continuous.LimPID");
  ASSERT_TRUE(block);
  EXPECT_EQ(Find(block->inputs, "u_ff")->condition, "withFeedForward");
  EXPECT_EQ(Find(block->parts, "I")->condition, "with_I");
}

TEST(LibraryTest, NamesThePackagesOfClassesInCpp) {
  EXPECT_EQ(CppPackageOf("Modelica.Blocks.Math.Gain"), "math");
  EXPECT_EQ(CppPackageOf("Modelica.Blocks.MathBoolean.And"), "math_boolean");
  EXPECT_EQ(CppPackageOf("Modelica.Blocks.Math.UnitConversions.To_deg"),
            "unit_conversions");
  EXPECT_EQ(CppPackageOf("Orrery.Blocks.Math.Power"), "more_math");
  EXPECT_EQ(CppPackageOf("Orrery.Plants.DCMotor"), "plants");
}

TEST(LibraryTest, DescribesTheTypesOfFields) {
  const auto block = DescribeLibraryBlock("Modelica.Blocks.Continuous.LimPID");
  ASSERT_TRUE(block);
  EXPECT_EQ(Find(block->parameters, "Ti")->value_type, "Real");
  EXPECT_EQ(Find(block->parameters, "withFeedForward")->value_type, "Boolean");
  EXPECT_EQ(Find(block->parameters, "initType")->value_type,
            "Modelica.Blocks.Types.Init");
  const auto table =
      DescribeLibraryBlock("Modelica.Blocks.Tables.CombiTable2Ds");
  ASSERT_TRUE(table);
  EXPECT_EQ(Find(table->parameters, "table[:, :]")->num_dimensions, 2U);
  EXPECT_EQ(Find(table->parameters, "fileName")->value_type, "String");
}

TEST(LibraryTest, DescribesAnEnumerationWithItsLiterals) {
  const auto type = DescribeLibraryEnumeration("Modelica.Blocks.Types.Init");
  ASSERT_TRUE(type);
  ASSERT_EQ(type->literals.size(), 4U);
  EXPECT_EQ(type->literals[1].name, "SteadyState");
  EXPECT_EQ(type->literals[1].meaning,
            "The derivatives of the states are zero");
  EXPECT_FALSE(DescribeLibraryEnumeration("Modelica.Blocks.Types"));
  EXPECT_FALSE(DescribeLibraryEnumeration("Modelica.Blocks.Math.Gain"));
}

TEST(LibraryTest, DescribesNothingThatIsNoBlock) {
  for (const char* const name : {"Modelica.Blocks.Math",
                                 "Modelica.Blocks.Interfaces.SISO",
                                 "Modelica.Math.sin",
                                 "Modelica.Blocks.Math.Gian",
                                 "Gain",
                                 ""}) {
    EXPECT_FALSE(DescribeLibraryBlock(name)) << name;
  }
}

TEST(LibraryTest, AUsersOwnPackageWins) {
  EXPECT_EQ(ErrorsOf("package Modelica\n"
                     "  constant Real k = 2;\n"
                     "end Modelica;\n"
                     "model A\n"
                     "  Real x = Modelica.k;\n"
                     "  Modelica.Blocks.Math.Gain g;\n"
                     "end A;\n",
                     "A"),
            "a.mo:6:12: error: no class 'Blocks' in Modelica\n"
            "    6 |   Modelica.Blocks.Math.Gain g;\n"
            "      |            ^~~~~~ known: k\n");
}

TEST(LibraryTest, SuggestsTheNearestBlock) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  Modelica.Blocks.Math.Gian g;\n"
                       "end A;\n"),
              HasSubstr("no class 'Gian' in Modelica.Blocks.Math\n"));
}

TEST(LibraryTest, RatiosHaveTypes) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Modelica.Units.SI.PerUnit load = 0.8;\n"
                     "  Modelica.Units.SI.DimensionlessRatio ratio = 2*load;\n"
                     "end A;\n"),
            "");
}

TEST(LibraryTest, NamedImportsComeBeforeThoseOfAWholePackage) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  import Modelica.Blocks.Interfaces.*;\n"
                     "  import SI = Modelica.Units.SI;\n"
                     "  SI.Length x = 1;\n"
                     "  RealOutput y = 2;\n"
                     "end A;\n"),
            "");
}

TEST(LibraryTest, AnArraysSizesMayNeedItsOwnFirstOne) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  parameter Real m[:, size(m, 1)] = [1, 2; 3, 4];\n"
                     "  parameter Real n[3, size(n, 1)] = zeros(3, 3);\n"
                     "end A;\n"),
            "");
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter Real m[:, size(m, 1)] = [1, 2, 5];\n"
                       "end A;\n"),
              HasSubstr("'m'"));
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter Real m[size(m, 2), 2] = [1, 2];\n"
                       "end A;\n"),
              HasSubstr("the declaration of 'm' depends on itself"));
}

}  // namespace
}  // namespace orrery::modelica
