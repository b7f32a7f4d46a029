#include "orrery/sdk/model/model.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/model/setting_text.h"
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

TEST(ModelTest, SettingsOfARunMayChangeTheEquations) {
  const Model model = LoadFile(Write("sized.mo",
                                     "model Sized\n"
                                     "  parameter Integer n = 2;\n"
                                     "  Real x[n] = {2*i for i in 1:n};\n"
                                     "end Sized;\n"));
  EXPECT_EQ(Simulate(model)["x[2]"].final(), 4);
  const RunResult run = Simulate(model, {.settings = {{"n", 4}}});
  EXPECT_EQ(run["n"].final(), 4);
  EXPECT_EQ(run["x[4]"].final(), 8);
}

// The size of each array depends on the one before.
TEST(ModelTest, ArraysThatAreSetMaySizeOthers) {
  const std::string path =
      Write("chain.mo",
            "model Chain\n"
            "  parameter Integer n[2] = {1, 1};\n"
            "  parameter Integer m[n[2]] = fill(2, n[2]);\n"
            "  parameter Real z[sum(m)] = fill(0, sum(m));"
            "\nend Chain;\n");
  const auto set = [&](const std::string& z) {
    return SettingsOf(
        std::vector<ParameterText>{{.name = "z", .value = z},
                                   {.name = "m", .value = "{1,2}"},
                                   {.name = "n", .value = "{1,2}"}},
        path,
        "",
        {});
  };
  const RunResult run =
      Simulate(LoadFile(path), {.stop = 1, .settings = set("{4,5,6}")});
  EXPECT_EQ(run["z[3]"].final(), 6);
  // The size before m was set.
  EXPECT_THAT(MessageOf([&] { static_cast<void>(set("{4,5}")); }),
              HasSubstr("cannot set 'z' to '{4,5}': it is an array [3]"));
}

std::string Sprung() {
  return Write(
      "sprung.mo",
      "model Sprung\n"
      "  type Mode = enumeration(Slow, Info);\n"
      "  parameter Real k(unit = \"N/m\") = 1;\n"
      "  parameter Real T(unit = \"K\", displayUnit = \"degC\") = 300;\n"
      "  parameter Real m[2](each unit = \"kg\") = {1, 2};\n"
      "  parameter Real gain = 1;\n"
      "  parameter Real odd(unit = \"furlong\") = 1;\n"
      "  parameter Integer n = 1;\n"
      "  parameter Boolean on = true;\n"
      "  parameter Mode mode = Mode.Slow;\n"
      "  Real x(start = 1, fixed = true, unit = \"m\");\n"
      "equation\n"
      "  der(x) = 0;\n"
      "end Sprung;\n");
}

double SetTo(const std::string& name, const std::string& value) {
  return SettingsOf(std::vector<ParameterText>{{.name = name, .value = value}},
                    Sprung(),
                    "",
                    {})
      .back()
      .value;
}

TEST(ModelTest, WhatIsSetIsConvertedToTheUnitOfTheQuantity) {
  EXPECT_EQ(SetTo("k", "1 kN/m"), 1000);
  EXPECT_EQ(SetTo("k", "+2kN/m"), 2000);
  EXPECT_EQ(SetTo("k", " 3 N.m-1 "), 3);
  EXPECT_EQ(SetTo("x", "-25 cm"), -0.25);
  EXPECT_DOUBLE_EQ(SetTo("T", "20 degC"), 293.15);
  EXPECT_DOUBLE_EQ(SetTo("m", "{1, 500 g}"), 0.5);
  EXPECT_DOUBLE_EQ(SetTo("m[2]", "500 g"), 0.5);
  EXPECT_EQ(SetTo("odd", "3 furlong"), 3);
  EXPECT_EQ(SetTo("mode", "Info"), 2);
}

TEST(ModelTest, UnitsThatDoNotFitAreRefused) {
  const auto why = [](const std::string& name, const std::string& value) {
    return MessageOf([&] { static_cast<void>(SetTo(name, value)); });
  };
  EXPECT_EQ(why("k", "1 kg"),
            "cannot set 'k' to '1 kg': it is in 'N/m', which 'kg' cannot be "
            "converted to; give a number in 'N/m', or with another unit of "
            "its kind");
  EXPECT_EQ(why("k", "1 kNm"),
            "cannot set 'k' to '1 kNm': there is no unit 'kNm'; give a number "
            "in 'N/m', or with another unit of its kind");
  EXPECT_EQ(why("m", "{1, 2 s}"),
            "cannot set 'm' to '{1, 2 s}': it is in 'kg', which 's' cannot be "
            "converted to; give a number in 'kg', or with another unit of its "
            "kind");
  EXPECT_EQ(why("odd", "1 m"),
            "cannot set 'odd' to '1 m': it is in 'furlong', which 'm' cannot "
            "be converted to; give a number in 'furlong', or with another unit "
            "of its kind");
  EXPECT_EQ(why("gain", "1 m"),
            "cannot set 'gain' to '1 m': it has no unit; give a number alone");
  EXPECT_EQ(why("n", "2 kg"),
            "cannot set 'n' to '2 kg': it has no unit; give a number alone");
  EXPECT_EQ(why("gain", "2*pi"), "cannot set 'gain' to '2*pi': give a number");
  EXPECT_EQ(why("k", "stiff"), "cannot set 'k' to 'stiff': give a number");
  EXPECT_EQ(why("mod", "Slow"),
            "cannot set 'mod' to 'Slow': there is no such quantity in Sprung; "
            "did you mean 'mode'?");
  EXPECT_EQ(why("gian", "2 kN/m"),
            "cannot set 'gian' to '2 kN/m': there is no such quantity in "
            "Sprung; did you mean 'gain'?");
  EXPECT_EQ(why("on", "1 m"),
            "cannot set 'on' to '1 m': it is a Boolean; give true or false");
}

TEST(ModelTest, AProgramOfAnotherShapeRefusesTheSetting) {
  const Model model = LoadFile(Write("sized.mo",
                                     "model Sized\n"
                                     "  parameter Integer n = 2;\n"
                                     "  Real x[n] = {2*i for i in 1:n};\n"
                                     "end Sized;\n"));
  const auto program = Compile(model);
  EXPECT_TRUE(Simulate(program, {.settings = {{"n", 2}}}).summary.completed());
  try {
    static_cast<void>(Simulate(program, {.settings = {{"n", 3}}}));
    FAIL() << "a size was changed in a compiled program";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot set 'n': it shapes the equations, which are compiled "
                 "for 2; load the model with this setting");
  }
}

TEST(ModelTest, ASettingGivesTheSizeThatATextLeavesOpen) {
  const std::string path = Write("open.mo",
                                 "model Open\n"
                                 "  parameter Integer n;\n"
                                 "  Real x[n] = {2*i for i in 1:n};\n"
                                 "end Open;\n");
  EXPECT_THAT(WhyNot(path), HasSubstr("cannot be evaluated"));
  const std::vector<Setting> settings = {{"n", 3}};
  const Model model = LoadFile(path, "", settings);
  EXPECT_EQ(Simulate(model)["x[3]"].final(), 6);
}

TEST(ModelTest, UnknownEndingIsAnErrorThatNamesTheKnownOnes) {
  EXPECT_EQ(
      WhyNot("pump.txt"),
      "cannot load pump.txt: the ending of its name says no kind of "
      "model; name it .mo (Modelica), .cbd (netlist of causal blocks) or .fmu");
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

// A table in a file beside the model determines x'.
SweepDocument FollowerOf(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/follower.mo")
      << "model Follower\n"
         "  Modelica.Blocks.Sources.CombiTimeTable table(tableOnFile = true,\n"
         "    tableName = \"tab\", fileName = \"tab.txt\");\n"
         "  parameter Real k = 1;\n"
         "  parameter Integer n = 1;\n"
         "  Real x[n](each start = 0, each fixed = true);\n"
         "equation\n"
         "  der(x) = fill(k*table.y[1], n);\n"
         "end Follower;\n";
  std::ofstream(folder + "/tab.txt") << "#1\ndouble tab(2, 2)\n0 1\n1 3\n";
  return {.run = {.file = folder + "/follower.mo"},
          .vary = {"k={1,2}"},
          .keep = {"x[1]"}};
}

TEST(ModelTest, ATableOnFileIsOneOfTheFilesOfAModel) {
  const SweepDocument document = FollowerOf(testing::TempDir() + "follower");
  static_cast<void>(LoadSubject(document.run));
  const auto files = document.run.files.all();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0]->name(), document.run.file);
  EXPECT_THAT(files[1]->name(), testing::EndsWith("follower/tab.txt"));
}

TEST(ModelTest, AJobOfAClusterHoldsTheTablesThatItsModelReads) {
  const std::string folder = testing::TempDir() + "follower_job";
  SweepDocument document = FollowerOf(folder);
  const ClusterJob job = MakeJob(document, MakeSeries(document));
  std::filesystem::remove_all(folder);
  document.run.files = FileSet(FileSet::Others::kNowhere);
  for (const JobFile& file : job.files) {
    document.run.files.Add(
        std::make_shared<const SourceFile>(file.name, file.bytes));
  }
  const auto runner = MakeSeries(document).subject().MakeRunner({"k"}, {});
  const std::vector<double> two = {2};
  // k times the integral of 1 + 2 t.
  EXPECT_NEAR(runner->Run(two, 1, {}).trajectory["x[1]"].final(), 4, 1e-6);
}

TEST(ModelTest, AModelOfAnotherShapeReadsTheSameTables) {
  const std::string folder = testing::TempDir() + "follower_shape";
  SweepDocument document = FollowerOf(folder);
  document.vary = {"n={1,2}"};
  const RunSeries series = MakeSeries(document);
  std::filesystem::remove_all(folder);
  const auto runner = series.subject().MakeRunner({"n"}, {});
  const std::vector<double> two = {2};
  EXPECT_NEAR(runner->Run(two, 1, {}).trajectory["x[2]"].final(), 2, 1e-6);
}

TEST(ModelTest, UnitsOfConstantsAreCheckedAsOthers) {
  const auto warnings = [](const std::string& unit) {
    const auto program =
        Compile(LoadFile(Write("constant_unit.mo",
                               "model Units\n"
                               "  constant Real one(unit = \"N\") = 1;\n"
                               "  constant Real g(unit = \"m/s2\") = 9.81;\n"
                               "  parameter Real m(unit = \"kg\") = 2;\n"
                               "  Real f(unit = \"" +
                                   unit +
                                   "\") = m*g;\n"
                                   "  Real n(unit = \"1\") = f/one;\n"
                                   "end Units;\n")));
    return Render(program->warnings);
  };
  EXPECT_EQ(warnings("N"), "");
  EXPECT_THAT(warnings("W"),
              testing::AllOf(HasSubstr("'f' is in W (kg.m2/s3), 'm*g' is in N "
                                       "(kg.m/s2)"),
                             HasSubstr("'n' is a pure number, 'f/one' is in "
                                       "m/s")));
}

TEST(ModelTest, AssertionsOnWhatVariesAreLeftToRuns) {
  const std::string path = Write("limited_size.mo",
                                 "model LimitedSize\n"
                                 "  parameter Real a = 2;\n"
                                 "  parameter Real b = 0.5*a;\n"
                                 "  parameter Integer n = 3;\n"
                                 "  final parameter Integer twice = 2*n;\n"
                                 "  parameter Real fixed_one = 1;\n"
                                 "  Real y[twice] = fill(b, twice);\n"
                                 "equation\n"
                                 "  assert(b < 0.8, \"b is large\");\n"
                                 "  assert(twice < 5, \"n is large\");\n"
                                 "  assert(fixed_one < 2, \"one is large\");\n"
                                 "end LimitedSize;\n");
  const std::string found = WhyNot(path);
  EXPECT_THAT(found, HasSubstr("assertion fails: b is large"));
  EXPECT_THAT(found, HasSubstr("assertion fails: n is large"));
  const std::vector<std::string> varied = {"a", "n"};
  const Model model = LoadFile(path, "", {}, {}, varied);
  EXPECT_EQ(model.warnings().size(), 0U);
  EXPECT_THAT(FlatModelOf(model)->assertions, testing::SizeIs(3));
  const std::vector<std::string> one = {"a"};
  try {
    static_cast<void>(LoadFile(path, "", {}, {}, one));
    ADD_FAILURE() << "n is not varied";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("n is large"));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("b is large")));
  }
}

}  // namespace
}  // namespace orrery
