#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;

// A library with a model whose x is `value` at the end of a run.
std::string LibraryWith(const std::string& name,
                        const std::string& value,
                        const std::string& version = "1.2.3") {
  return "package " + name +
         "\n  package Examples\n    model Decay\n"
         "      parameter Real k = " +
         value +
         ";\n      Real x = k;\n      Real t(start=0, fixed=true);\n    "
         "equation\n      der(t) = 1;\n      annotation(experiment("
         "StopTime=1));\n    end Decay;\n  end Examples;\n"
         "  annotation(version=\"" +
         version + "\");\nend " + name + ";\n";
}

class LibraryPathTest : public CliTest {
 protected:
  LibraryPathTest() {
    for (const char* folder : {"/first/Tanks", "/second"}) {
      std::filesystem::create_directories(folder_ + folder);
    }
    Write("first/Tanks/package.mo", LibraryWith("Tanks", "7"));
    Write("second/Tanks.mo", LibraryWith("Tanks", "8", "2.0.0"));
    Write("Pumps.mo", LibraryWith("Pumps", "9"));
  }

  ~LibraryPathTest() override { unsetenv("MODELICAPATH"); }

  // The value of x in a run with these words.
  [[nodiscard]] double XOf(std::vector<std::string> words) const {
    words.insert(words.begin(), "run");
    words.emplace_back("--json");
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto told =
        nlohmann::json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
    return told.is_discarded() ? 0 : told["final"]["x"].get<double>();
  }
};

TEST_F(LibraryPathTest, AClassRunsByItsNameFromAFolderThatIsNamed) {
  EXPECT_EQ(XOf({"Tanks.Examples.Decay", "--library", "first"}), 7);
  EXPECT_EQ(XOf({"--library", "second", "Tanks.Examples.Decay"}), 8);
}

TEST_F(LibraryPathTest, AClassRunsByItsNameFromThePathOfTheEnvironment) {
  setenv("MODELICAPATH", (folder_ + "/second").c_str(), 1);
  EXPECT_EQ(XOf({"Tanks.Examples.Decay"}), 8);
}

TEST_F(LibraryPathTest, AClassOfThisFolderRunsByItsName) {
  EXPECT_EQ(XOf({"Pumps.Examples.Decay"}), 9);
}

TEST_F(LibraryPathTest, TheFirstFolderThatIsNamedWins) {
  setenv("MODELICAPATH", (folder_ + "/second").c_str(), 1);
  EXPECT_EQ(XOf({"Tanks.Examples.Decay", "--library", "first"}), 7);
  EXPECT_EQ(XOf({"Tanks.Examples.Decay",
                 "--library",
                 "second",
                 "--library",
                 "first"}),
            8);
}

TEST_F(LibraryPathTest, AModelUsesALibraryInAFolderThatIsNamed) {
  Write("m.mo",
        "model M\n  Tanks.Examples.Decay d;\n  Real x = 2*d.x;\nend M;\n");
  EXPECT_EQ(XOf({"m.mo", "--stop", "1", "--library", "first"}), 14);
}

TEST_F(LibraryPathTest, ASavedRunOfAClassIsRepeatedWithoutItsLibrary) {
  ASSERT_EQ(Orrery({"run",
                    "Tanks.Examples.Decay",
                    "--library",
                    "first",
                    "--set",
                    "k=5",
                    "--store",
                    "a.db"})
                .exit_code,
            0);
  std::filesystem::remove_all(folder_ + "/first");
  const Outcome again = Orrery({"rerun", "1", "--store", "a.db", "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["final"]["x"].get<double>(), 5);
}

TEST_F(LibraryPathTest, AClassWithoutItsLibraryIsToldWhereItWasLookedFor) {
  const Outcome outcome = Orrery({"run", "Valves.Examples.Decay"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot find Valves.Examples.Decay: it is no file, and "
                        "as a class its library Valves is neither in this "
                        "folder nor in one of --library or MODELICAPATH"));
}

TEST_F(LibraryPathTest, AModelFileThatIsNotThereIsNoClass) {
  for (const char* name : {"valve.fmu", "valve.mo", "valve.cbd", "valve.so"}) {
    const Outcome outcome = Orrery({"run", name, "--library", "first"});
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_THAT(outcome.err, HasSubstr(name));
    EXPECT_THAT(outcome.err, HasSubstr("there is no such file"));
  }
}

TEST_F(LibraryPathTest, AClassThatItsLibraryLacksIsTold) {
  const Outcome outcome =
      Orrery({"check", "Tanks.Examples.Dekay", "--library", "first"});
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("Tanks.Examples.Dekay"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean"));
}

// The function of the library gives y a value for some x only.
TEST_F(LibraryPathTest, ErrorsOfAModelAreToldWithoutWarningsAboutLibraries) {
  Write("second/Tanks.mo",
        "package Tanks\n"
        "  function f\n"
        "    input Real x;\n"
        "    output Real y;\n"
        "  algorithm\n"
        "    if x > 0 then\n"
        "      y := 1;\n"
        "    end if;\n"
        "  end f;\n"
        "  model Tank\n"
        "    Real h = f(time);\n"
        "  end Tank;\n"
        "end Tanks;\n");
  Write("m.mo",
        "model M\n"
        "  Tanks.Tank a;\n"
        "  Tanks.Tank b(hight=2);\n"
        "end M;\n");
  const Outcome outcome = Orrery({"check", "m.mo", "--library", "second"});
  EXPECT_THAT(outcome.err,
              HasSubstr("m.mo:3:16: error: no element 'hight' in class"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("warning")));
}

TEST_F(LibraryPathTest, AFolderThatIsNotThereIsRefused) {
  const Outcome outcome =
      Orrery({"run", "Tanks.Examples.Decay", "--library", "third"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot use --library third: there is no such folder"));
}

TEST_F(LibraryPathTest, LibrariesAreListedWithTheirVersionsAndFiles) {
  const Outcome outcome = Orrery(
      {"libraries", "--library", "first", "--library", "second", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto list = nlohmann::json::parse(outcome.out)["libraries"];
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(
      list[0],
      (nlohmann::json{
          {"name", "Pumps"}, {"version", "1.2.3"}, {"file", "./Pumps.mo"}}));
  EXPECT_EQ(list[1],
            (nlohmann::json{{"name", "Tanks"},
                            {"version", "1.2.3"},
                            {"file", "first/Tanks/package.mo"}}));
  EXPECT_EQ(list[2]["version"], "2.0.0");
}

TEST_F(LibraryPathTest, TheListTellsOfThePartThatIsBuiltIn) {
  EXPECT_THAT(Orrery({"libraries"}).out,
              HasSubstr("A part of the Modelica Standard Library is built in"));
}

}  // namespace
}  // namespace orrery::cli
