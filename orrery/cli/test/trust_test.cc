// External functions of models: the conditions under which they run, and their
// ends.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class TrustTest : public CliTest {
 protected:
  TrustTest() {
    setenv("XDG_CONFIG_HOME", (folder_ + "/config").c_str(), 1);
    unsetenv("MODELICAPATH");
    Write("touch.mo", Touching("Touch", "p = touch(2)"));
  }

  // A model with a function that leaves a file when it runs.
  [[nodiscard]] static std::string Touching(const std::string& name,
                                            const std::string& parameter) {
    return "model " + name +
           "\n  function touch\n    input Real x;\n    output Real y;\n"
           "    external \"C\" y = touch(x) annotation(Include = \"\n"
           "      #include <stdlib.h>\n"
           "      static double touch(double x)\n"
           "      { return system(\\\"touch ran\\\") + x; }\");\n"
           "  end touch;\n  parameter Real " +
           parameter +
           ";\n  Real x(start = p, fixed = true);\n"
           "equation\n  der(x) = -touch(x);\nend " +
           name + ";\n";
  }

  // True if the function has run since the last call.
  [[nodiscard]] bool HasRun() const {
    return std::filesystem::remove(folder_ + "/ran");
  }
};

TEST_F(TrustTest, CommandsThatLookAtAModelRunNoneOfItsCode) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "touch.mo"},
        {"check", "touch.mo", "--json"},
        {"equations", "touch.mo"},
        {"equations", "touch.mo", "--latex"}}) {
    EXPECT_EQ(Orrery(words).exit_code, 0) << words.back();
    EXPECT_FALSE(HasRun());
  }
}

TEST_F(TrustTest, WhatNeedsCodeToBeLookedAtIsTold) {
  Write("sized.mo", Touching("Sized", "p = 1, v[integer(touch(2))] = {1, 2}"));
  EXPECT_THAT(Orrery({"check", "sized.mo"}).err,
              HasSubstr("code of models is not run by this command; give "
                        "--external"));
  EXPECT_FALSE(HasRun());
  EXPECT_EQ(Orrery({"check", "sized.mo", "--external"}).exit_code, 0);
  EXPECT_TRUE(HasRun());
}

TEST_F(TrustTest, ARunAsksForTrust) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "touch.mo"},
        {"sweep", "touch.mo", "--vary", "p=1:2", "--keep", "final(x)"},
        {"steady", "touch.mo"},
        {"linearize", "touch.mo"}}) {
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("it is code of the model, which may do all "
                                "that you may"),
                      HasSubstr("orrery trust '" + folder_ + "'")));
    EXPECT_FALSE(HasRun()) << words.front();
  }
  EXPECT_EQ(Orrery({"run", "touch.mo", "--external"}).exit_code, 0);
  EXPECT_TRUE(HasRun());
}

TEST_F(TrustTest, AFolderIsTrustedUntilThatIsTakenBack) {
  EXPECT_EQ(Orrery({"trust", "."}).exit_code, 0);
  EXPECT_EQ(Orrery({"trust"}).out,
            std::filesystem::canonical(folder_).string() + "\n");
  EXPECT_EQ(Orrery({"run", "touch.mo"}).exit_code, 0);
  EXPECT_EQ(Orrery({"check", "touch.mo"}).exit_code, 0);
  EXPECT_TRUE(HasRun());
  EXPECT_EQ(Orrery({"trust", ".", "--remove"}).exit_code, 0);
  EXPECT_EQ(Orrery({"trust"}).out, "");
  EXPECT_EQ(Orrery({"run", "touch.mo"}).exit_code, 1);
  EXPECT_FALSE(HasRun());
  EXPECT_THAT(Orrery({"trust", "nowhere"}).err,
              HasSubstr("cannot trust 'nowhere': there is no such folder"));
}

TEST_F(TrustTest, AFolderOfAnotherNameIsNotTrusted) {
  std::filesystem::create_directory(folder_ + "/lib");
  std::filesystem::create_directory(folder_ + "/library");
  EXPECT_EQ(Orrery({"trust", "lib"}).exit_code, 0);
  Write("library/touch.mo", Touching("Touch", "p = 2"));
  EXPECT_EQ(Orrery({"run", "library/touch.mo"}).exit_code, 1);
  EXPECT_FALSE(HasRun());
}

// A user who sets the path has chosen the libraries there.
TEST_F(TrustTest, LibrariesOnThePathAreTrusted) {
  std::filesystem::create_directory(folder_ + "/path");
  Write("path/Touch.mo", Touching("Touch", "p = 2"));
  std::filesystem::remove(folder_ + "/touch.mo");
  Write("user.mo", "model User\n  Touch t;\nend User;\n");
  setenv("MODELICAPATH", (folder_ + "/path").c_str(), 1);
  EXPECT_EQ(Orrery({"check", "user.mo"}).exit_code, 0);
  EXPECT_FALSE(HasRun());
  EXPECT_EQ(Orrery({"run", "user.mo"}).exit_code, 0);
  EXPECT_TRUE(HasRun());
}

TEST_F(TrustTest, TheEnvironmentCanForbidAll) {
  setenv("ORRERY_EXTERNAL", "off", 1);
  const Outcome outcome = Orrery({"run", "touch.mo", "--external"});
  unsetenv("ORRERY_EXTERNAL");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_FALSE(HasRun());
}

TEST_F(TrustTest, AShownExperimentRunsNone) {
  EXPECT_EQ(
      Orrery({"run", "touch.mo", "--external", "--store", "s.db"}).exit_code,
      0);
  EXPECT_TRUE(HasRun());
  EXPECT_EQ(Orrery({"export", "1", "r.html", "--store", "s.db"}).exit_code, 0);
  EXPECT_FALSE(HasRun());
  EXPECT_EQ(Orrery({"rerun", "1", "--store", "s.db"}).exit_code, 1);
  EXPECT_FALSE(HasRun());
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "s.db", "--external"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(TrustTest, ASignalEndsALoopAndWhatWasReachedIsKept) {
  Write("loop.mo",
        "model Loop\n  function f\n    input Real x;\n    output Real y;\n"
        "    external \"C\" y = f(x) annotation(Include = \"\n"
        "      #include <stdio.h>\n"
        "      static double f(double x)\n"
        "      { if (x > 0.5) { fclose(fopen(\\\"ran\\\", \\\"w\\\"));\n"
        "          for (;;) {} } return x; }\");\n"
        "  end f;\n  Real x(start = 0, fixed = true);\n  Real y = f(x);\n"
        "equation\n  der(x) = 1;\nend Loop;\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(folder_ + "/ran");
    const pid_t run =
        Start({"run", "loop.mo", "--external", "--store", "s.db"}, "out");
    while (!HasRun()) {
      usleep(1000);
    }
    kill(run, signal);
    const Outcome outcome = Finish(run);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err,
                AnyOf(HasSubstr("f failed: it did not return when the run was "
                                "to stop"),
                      HasSubstr("orrery: interrupted at t = ")));
    EXPECT_THAT(outcome.out, HasSubstr("  x  0.5    y  0.5\n"));
  }
}

TEST_F(TrustTest, RunsOfASweepThatEndTheirProcessFailAloneAtEachResume) {
  Write("leave.mo",
        "model Leave\n  function f\n    input Real x;\n    output Real y;\n"
        "    external \"C\" y = f(x) annotation(Include = \"\n"
        "      #include <stdlib.h>\n"
        "      static double f(double x)\n"
        "      { if (x > 2) exit(0); return x; }\");\n"
        "  end f;\n  parameter Real k = 1;\n  Real y = f(k);\nend Leave;\n");
  const Outcome sweep = Orrery({"sweep",
                                "leave.mo",
                                "--external",
                                "--vary",
                                "k={1,3,2}",
                                "--keep",
                                "final(y)",
                                "--jobs",
                                "2",
                                "--store",
                                "s.db"});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_THAT(sweep.out,
              AllOf(HasSubstr("2 of 3 runs completed, 1 failed"),
                    HasSubstr("f failed: it ended the process it ran in, by "
                              "exit code 0")));
  EXPECT_THAT(Orrery({"resume", "1", "--external", "--store", "s.db"}).out,
              HasSubstr("2 of 3 runs completed, 1 failed"));
}

}  // namespace
}  // namespace orrery::cli
