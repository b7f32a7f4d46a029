#include "orrery/sdk/model.h"

#include <cmath>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/simulate.h"

namespace orrery {
namespace {

using testing::HasSubstr;

std::string Write(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

std::string WhyNot(const std::string& path, const std::string& name = "") {
  try {
    static_cast<void>(LoadFile(path, name));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModelTest, NetlistIsLoadedByItsEndingAndRun) {
  const Model model = LoadFile(
      Write("circle_sdk.cbd", "I, 1, 0, 2\nI, 2, 1, 3\n-, 3, 1\nO, 4, 1\n"));
  EXPECT_EQ(model.name(), "circle_sdk");
  const RunResult run = Simulate(model, {.stop = 10, .tolerance = 1e-10});
  EXPECT_NEAR(run["b1"].final(), std::sin(10.0), 1e-8);
  EXPECT_EQ(run["b4"].final(), run["b1"].final());
}

TEST(ModelTest, UnknownEndingIsAnErrorThatNamesTheKnownOnes) {
  EXPECT_EQ(WhyNot("pump.txt"),
            "cannot load pump.txt: the ending of its name says no kind of "
            "model; name it .mo (Modelica) or .cbd (netlist of causal blocks)");
}

TEST(ModelTest, NetlistHasNoClasses) {
  EXPECT_EQ(WhyNot("a.cbd", "Pump"),
            "cannot load class 'Pump' from a.cbd: a netlist has no classes; "
            "leave out the class");
}

TEST(ModelTest, MissingFileIsNamed) {
  EXPECT_THAT(WhyNot("/nowhere/a.cbd"), HasSubstr("/nowhere/a.cbd"));
}

TEST(ModelTest, AllErrorsOfANetlistAreReported) {
  try {
    static_cast<void>(
        LoadFile(Write("bad_sdk.cbd", "Q, 1, 0, 2\nI, 2, one, 2\n")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidModel);
    EXPECT_EQ(error.diagnostics().size(), 2);
  }
}

TEST(ModelTest, EquationsOfALoopStandInBrackets) {
  const Model model = LoadFile(Write(
      "loop_sdk.cbd", "K, 1, 2\n+, 2, 1, 1, 1, 3\nW, 3, 0.5, 2\nO, 4, 2\n"));
  const auto program = Compile(model);
  EXPECT_THAT(EquationsAsText(*program), HasSubstr("b2"));
  EXPECT_THAT(EquationsAsLatex(*program), HasSubstr("align*"));
}

}  // namespace
}  // namespace orrery
