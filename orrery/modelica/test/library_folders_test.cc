// Libraries on disk, beside a model and in the folders of MODELICAPATH.

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/library_texts/package_folder.h"
#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FileSet Files(const std::vector<std::pair<std::string, std::string>>& texts) {
  FileSet files(FileSet::Others::kNowhere);
  for (const auto& [name, text] : texts) {
    files.Add(std::make_shared<const SourceFile>(name, text));
  }
  return files;
}

std::string DumpIn(const std::string& path, const FileSet& files) {
  Diagnostics diagnostics;
  const auto flat =
      Flatten({files.Read(path)}, std::string(), diagnostics, {}, files);
  return flat ? Dump(*flat) : Render(diagnostics.list());
}

// A package in its own file; it gives x a value.
std::string Library(const std::string& name, const std::string& value) {
  return "within;\npackage " + name + "\n  constant Real k = " + value +
         ";\nend " + name + ";\n";
}

constexpr const char* kUser = "model M\n  Real x = Lib.k;\nend M;\n";

class LibraryFoldersTest : public ::testing::Test {
 protected:
  ~LibraryFoldersTest() override { unsetenv("MODELICAPATH"); }

  static void SetPath(const std::string& path) {
    setenv("MODELICAPATH", path.c_str(), 1);
  }
};

TEST_F(LibraryFoldersTest, ALibraryBesideTheModelIsFound) {
  EXPECT_THAT(DumpIn("m/M.mo",
                     Files({{"m/M.mo", kUser},
                            {"m/Lib/package.mo", Library("Lib", "7")}})),
              HasSubstr("x = 7"));
  EXPECT_THAT(
      DumpIn("m/M.mo",
             Files({{"m/M.mo", kUser}, {"m/Lib.mo", Library("Lib", "8")}})),
      HasSubstr("x = 8"));
}

TEST_F(LibraryFoldersTest, ALibraryBesideThePackageOfTheModelIsFound) {
  const FileSet files =
      Files({{"m/Plant/package.mo", "package Plant\nend Plant;\n"},
             {"m/Plant/M.mo", "within Plant;\n" + std::string(kUser)},
             {"m/Lib.mo", Library("Lib", "9")}});
  Diagnostics diagnostics;
  const auto flat = Flatten(
      ReadTexts("m/Plant/M.mo", files), "Plant.M", diagnostics, {}, files);
  ASSERT_TRUE(flat) << Render(diagnostics.list());
  EXPECT_THAT(Dump(*flat), HasSubstr("x = 9"));
}

TEST_F(LibraryFoldersTest, FoldersOfMODELICAPATHAreSearchedInTheirOrder) {
  const FileSet files = Files({{"m/M.mo", kUser},
                               {"/b/Lib.mo", Library("Lib", "2")},
                               {"/a/Lib/package.mo", Library("Lib", "1")}});
  SetPath("/none::/a:/b");
  EXPECT_THAT(DumpIn("m/M.mo", files), HasSubstr("x = 1"));
  SetPath("/b:/a");
  EXPECT_THAT(DumpIn("m/M.mo", files), HasSubstr("x = 2"));
}

TEST_F(LibraryFoldersTest, TheNewestOfSeveralVersionsIsTaken) {
  SetPath("/a");
  EXPECT_THAT(DumpIn("m/M.mo",
                     Files({{"m/M.mo", kUser},
                            {"/a/Lib 3.2.3/package.mo", Library("Lib", "3")},
                            {"/a/Lib 10.0+maint.om.mo", Library("Lib", "10")},
                            {"/a/Lib 4.1/package.mo", Library("Lib", "4")}})),
              HasSubstr("x = 10"));
}

TEST_F(LibraryFoldersTest, WhatWasStoredWithARunIsFoundWhereverItWas) {
  EXPECT_THAT(DumpIn("m/M.mo",
                     Files({{"m/M.mo", kUser},
                            {"/gone/Other/Lib.mo", "within Other;\n"},
                            {"/gone/Lib/package.mo", Library("Lib", "5")}})),
              HasSubstr("x = 5"));
}

TEST_F(LibraryFoldersTest, OnlyTheFilesThatAreNeededAreParsed) {
  EXPECT_THAT(
      DumpIn(
          "m/M.mo",
          Files({{"m/M.mo", "model M\n  Lib.In.A a;\nend M;\n"},
                 {"m/Lib/package.mo", Library("Lib", "1")},
                 {"m/Lib/In/package.mo", "within Lib;\npackage In\nend In;\n"},
                 {"m/Lib/In/A.mo",
                  "within Lib.In;\nmodel A\n  Real y = k;\nend A;\n"},
                 {"m/Lib/In/B.mo", "no Modelica"},
                 {"m/Lib/C.mo", "nor this"}})),
      HasSubstr("a.y = 1"));
}

TEST_F(LibraryFoldersTest, AFileWithinAPackageFindsTheOthersOfItsFolder) {
  const FileSet files = Files(
      {{"m/Lib/package.mo", Library("Lib", "6")},
       {"m/Lib/In/package.mo", "within Lib;\npackage In\nend In;\n"},
       {"m/Lib/In/A.mo", "within Lib.In;\nmodel A\n  B b;\nend A;\n"},
       {"m/Lib/In/B.mo", "within Lib.In;\nmodel B\n  Real y = k;\nend B;\n"},
       {"m/Lib/C.mo", "no Modelica"}});
  EXPECT_THAT(DumpIn("m/Lib/In/A.mo", files), HasSubstr("b.y = 6"));
}

TEST_F(LibraryFoldersTest, APackageFindsTheFilesOfItsFolder) {
  const FileSet files =
      Files({{"m/Lib/package.mo", Library("Lib", "6")},
             {"m/Lib/A.mo", "within Lib;\nmodel A\n  Real y = k;\nend A;\n"},
             {"m/Lib/C.mo", "no Modelica"}});
  Diagnostics diagnostics;
  const auto flat = Flatten(
      {files.Read("m/Lib/package.mo")}, "Lib.A", diagnostics, {}, files);
  ASSERT_TRUE(flat) << Render(diagnostics.list());
  EXPECT_THAT(Dump(*flat), HasSubstr("y = 6"));
  EXPECT_FALSE(Flatten(
      {files.Read("m/Lib/package.mo")}, "Lib.B", diagnostics, {}, files));
  EXPECT_THAT(Render(diagnostics.list()), HasSubstr("did you mean 'Lib.A'?"));
}

TEST_F(LibraryFoldersTest, AFileThatHoldsAnotherClassIsAnError) {
  EXPECT_THAT(
      DumpIn("m/M.mo",
             Files({{"m/M.mo", kUser}, {"m/Lib.mo", Library("Lab", "1")}})),
      HasSubstr("m/Lib.mo:1:1: error: this file is to hold the class "
                "'Lib' and nothing else"));
}

TEST_F(LibraryFoldersTest, AWholeStandardLibraryTakesThePlaceOfTheBuiltInPart) {
  const std::string text =
      "model M\n  Real x = Modelica.Constants.pi;\nend M;\n";
  const FileSet files =
      Files({{"m/M.mo", text},
             {"/a/Modelica/package.mo", "package Modelica\nend Modelica;\n"},
             {"/a/Modelica/Constants.mo",
              "within Modelica;\npackage Constants\n"
              "  constant Real pi = 3;\nend Constants;\n"}});
  SetPath("/a");
  EXPECT_THAT(DumpIn("m/M.mo", files), HasSubstr("x = 3\n"));
}

// The library itself implements them by C functions.
TEST_F(LibraryFoldersTest, ItsTablesAreThoseThatAreBuiltIn) {
  const std::string user =
      "model M\n"
      "  parameter Modelica.Blocks.Types.ExternalCombiTable1D t =\n"
      "    Modelica.Blocks.Types.ExternalCombiTable1D(\n"
      "      \"NoName\", \"NoName\", [1, 0; 4, 3], {2},\n"
      "      Modelica.Blocks.Types.Smoothness.LinearSegments);\n"
      "  Real x = Modelica.Blocks.Tables.Internal.getTable1DValue(t, 1, "
      "time);\n"
      "end M;\n";
  SetPath("/a");
  EXPECT_THAT(
      DumpIn(
          "m/M.mo",
          Files(
              {{"m/M.mo", user},
               {"/a/Modelica/package.mo", "package Modelica\nend Modelica;\n"},
               {"/a/Modelica/Blocks/package.mo",
                "within Modelica;\npackage Blocks\nend Blocks;\n"},
               {"/a/Modelica/Blocks/Tables.mo",
                "within Modelica.Blocks;\npackage Tables\nend Tables;\n"},
               {"/a/Modelica/Blocks/Types.mo",
                "within Modelica.Blocks;\npackage Types\n"
                "  type Smoothness = enumeration(LinearSegments, "
                "ContinuousDerivative, ConstantSegments,\n"
                "    MonotoneContinuousDerivative1, "
                "MonotoneContinuousDerivative2, "
                "ModifiedContinuousDerivative);\n"
                "  type Extrapolation = enumeration(HoldLastPoint, "
                "LastTwoPoints, Periodic, NoExtrapolation);\n"
                "  class ExternalCombiTable1D\n    extends ExternalObject;\n"
                "  end ExternalCombiTable1D;\nend Types;\n"}})),
      HasSubstr("parameter Real t.points[2,2] = {{1, 0}, {4, 3}}"));
}

// A library with its own block, before there was a sixth smoothness.
FileSet WithOwnTable(const std::string& user) {
  return Files(
      {{"m/M.mo", user},
       {"m/t.csv", "t;x\n0;5\n8;9\n"},
       {"/a/Modelica/package.mo", "package Modelica\nend Modelica;\n"},
       {"/a/Modelica/Blocks.mo",
        "within Modelica;\npackage Blocks\n"
        "  package Types\n"
        "    type Smoothness = enumeration(LinearSegments, "
        "ContinuousDerivative, ConstantSegments,\n"
        "      MonotoneContinuousDerivative1, "
        "MonotoneContinuousDerivative2);\n"
        "    type Extrapolation = enumeration(HoldLastPoint, "
        "LastTwoPoints, Periodic, NoExtrapolation);\n"
        "    class ExternalCombiTable1D\n      extends ExternalObject;\n"
        "    end ExternalCombiTable1D;\n  end Types;\n"
        "  package Tables\n"
        "    block Own\n"
        "      parameter Real colour = 3;\n"
        "      parameter Types.ExternalCombiTable1D id =\n"
        "        Types.ExternalCombiTable1D(\"x\", \"m/t.csv\", "
        "fill(0.0, 0, 2), {2},\n"
        "        Types.Smoothness.LinearSegments, delimiter = \";\", "
        "nHeaderLines = 1);\n"
        "      Real y = Internal.getTable1DValue(id, 1, time);\n"
        "    end Own;\n"
        "    package Internal\n"
        "      function getTable1DValue\n"
        "        input Types.ExternalCombiTable1D tableID;\n"
        "        input Integer icol;\n        input Real u;\n"
        "        output Real y;\n"
        "        external \"C\" y = of_a_library_that_is_not_there("
        "tableID, icol, u);\n"
        "      end getTable1DValue;\n"
        "    end Internal;\n  end Tables;\nend Blocks;\n"}});
}

TEST_F(LibraryFoldersTest, TheBlocksOfAStandardLibraryAreItsOwn) {
  SetPath("/a");
  const std::string dump =
      DumpIn("m/M.mo",
             WithOwnTable("model M\n  Modelica.Blocks.Tables.Own o(colour = 7);"
                          "\nend M;\n"));
  EXPECT_THAT(dump, HasSubstr("o.colour = 7"));
  EXPECT_THAT(dump, HasSubstr("o.id.points[2,2] = {{0, 5}, {8, 9}}"));
}

TEST_F(LibraryFoldersTest, WhatTheBuiltInPartAloneHasIsNotInAnother) {
  SetPath("/a");
  EXPECT_THAT(
      DumpIn("m/M.mo",
             WithOwnTable("model M\n  Modelica.Blocks.Tables.CombiTable1Ds o;"
                          "\nend M;\n")),
      HasSubstr("no class 'CombiTable1Ds' in Modelica.Blocks.Tables"));
}

TEST_F(LibraryFoldersTest, WhatIsNotBuiltInIsToldToBeInTheWholeLibrary) {
  EXPECT_THAT(
      DumpIn("m/M.mo",
             Files({{"m/M.mo",
                     "model M\n  Modelica.Electrical.Analog.Basic.Ground g;\n"
                     "end M;\n"}})),
      HasSubstr("MODELICAPATH"));
}

TEST_F(LibraryFoldersTest, AFileNamedAsAnOperatorDoesNotHideIt) {
  EXPECT_THAT(
      DumpIn("m/M.mo",
             Files({{"m/M.mo", "model M\n  Real x = sin(time);\nend M;\n"},
                    {"m/sin.mo", "no Modelica"}})),
      HasSubstr("x = sin(time)"));
}

// Version `version` of the library; k is `value` there.
std::string Version(const std::string& version, const std::string& value) {
  return "package Lib\n  constant Real k = " + value +
         ";\n  annotation(version=\"" + version + "\");\nend Lib;\n";
}

// A model that uses a version of the library.
std::string Uses(const std::string& version) {
  return "model M\n  Real x = Lib.k;\n  annotation(uses(Other(version=\"1\"), "
         "Lib(version=\"" +
         version + "\")));\nend M;\n";
}

TEST_F(LibraryFoldersTest, TheVersionThatATextUsesComesFirst) {
  SetPath("/new:/old:/named");
  const auto x = [](const std::string& version) {
    return DumpIn("m/M.mo",
                  Files({{"m/M.mo", Uses(version)},
                         {"/new/Lib/package.mo", Version("4.1.0", "41")},
                         {"/old/Lib.mo", Version("3.2.3", "323")},
                         {"/named/Lib 4.0.0+maint/package.mo",
                          Version("4.0.0+maint", "40")},
                         {"/named/Lib 1.0.0.mo", Version("1.0.0", "10")}}));
  };

  EXPECT_THAT(x("3.2.3"), HasSubstr("x = 323"));
  EXPECT_THAT(x("4.0.0"), HasSubstr("x = 40\n"));
  EXPECT_THAT(x("1.0.0"), HasSubstr("x = 10\n"));
  EXPECT_THAT(x("4.1.0"), HasSubstr("x = 41\n"));
}

TEST_F(LibraryFoldersTest, AVersionThatIsNotThereLeavesTheFirst) {
  SetPath("/new:/old");
  EXPECT_THAT(DumpIn("m/M.mo",
                     Files({{"m/M.mo", Uses("2.0.0")},
                            {"/new/Lib/package.mo", Version("4.1.0", "41")},
                            {"/old/Lib.mo", Version("3.2.3", "323")}})),
              HasSubstr("x = 41\n"));
}

TEST_F(LibraryFoldersTest, TheVersionThatTheLibraryOfATextUsesComesFirst) {
  SetPath("/new:/old");
  const FileSet files =
      Files({{"/new/Lib/package.mo", Version("4.1.0", "41")},
             {"/old/Lib.mo", Version("3.2.3", "323")},
             {"m/Plant/package.mo",
              "package Plant\n  annotation(uses(Lib(version=\"3.2.3\")));\nend "
              "Plant;\n"},
             {"m/Plant/M.mo", "within Plant;\n" + std::string(kUser)}});
  Diagnostics diagnostics;
  const auto flat = Flatten(
      ReadTexts("m/Plant/M.mo", files), "Plant.M", diagnostics, {}, files);

  ASSERT_TRUE(flat) << Render(diagnostics.list());
  EXPECT_THAT(Dump(*flat), HasSubstr("x = 323"));
}

}  // namespace
}  // namespace orrery::modelica
