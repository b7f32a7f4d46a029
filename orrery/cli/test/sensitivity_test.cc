#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kIshigami = R"(
model Ishigami
  parameter Real x1 = 0;
  parameter Real x2 = 0;
  parameter Real x3 = 0;
  Real y = sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1);
  annotation(experiment(StopTime = 0));
end Ishigami;
)";

constexpr const char* kDecayModel = R"(
model Decay
  parameter Real k = 2;
  parameter Real unused = 1;
  Real x(start = 3, fixed = true);
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 1, Tolerance = 1e-10));
end Decay;
)";

class CliSensitivityTest : public CliTest {
 protected:
  CliSensitivityTest() {
    Write("ishigami.mo", kIshigami);
    Write("decay.mo", kDecayModel);
  }

  [[nodiscard]] Outcome Sensitivity(std::vector<std::string> words) const {
    words.insert(words.begin(), "sensitivity");
    return Orrery(words);
  }

  [[nodiscard]] json Sensitivities(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome outcome = Sensitivity(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out).at("sensitivities");
  }
};

// The figures of Saltelli's estimators with plain Sobol' points, of
// acceptance/experiments.
TEST_F(CliSensitivityTest,
       SobolsIndicesOfIshigamisFunctionAreThePublishedOnes) {
  const std::string range = "=[-3.141592653589793,3.141592653589793]";
  const json found = Sensitivities({"ishigami.mo",
                                    "--vary",
                                    "x1" + range,
                                    "--vary",
                                    "x2" + range,
                                    "--vary",
                                    "x3" + range,
                                    "--keep",
                                    "y",
                                    "--method",
                                    "sobol",
                                    "--samples",
                                    "8192"})
                         .at(0)
                         .at("sobol");
  const std::vector<double> first = {0.31482, 0.44242, 0.00076};
  const std::vector<double> total = {0.55865, 0.44242, 0.24345};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].at("first").at("value"), first[k], 6e-6);
    EXPECT_NEAR(found[k].at("total").at("value"), total[k], 6e-6);
  }
}

TEST_F(CliSensitivityTest, MorrisFindsWhatHasNoEffect) {
  const json found = Sensitivities({"decay.mo",
                                    "--vary",
                                    "k=[1,3]",
                                    "--vary",
                                    "unused=[0,10]",
                                    "--keep",
                                    "x"})
                         .at(0)
                         .at("morris");
  EXPECT_GT(found[0].at("mean_magnitude"), 0.5);
  EXPECT_EQ(found[1].at("mean_magnitude"), 0);
  EXPECT_EQ(found[1].at("count"), 10);
}

TEST_F(CliSensitivityTest, ALocalAnalysisGivesExactDerivatives) {
  const json found = Sensitivities({"decay.mo",
                                    "--vary",
                                    "k=2",
                                    "--vary",
                                    "x=3",
                                    "--keep",
                                    "final(x)",
                                    "--method",
                                    "local"})
                         .at(0)
                         .at("local");
  EXPECT_NEAR(found[0].at("derivative"), -3 * std::exp(-2), 1e-9);
  EXPECT_NEAR(found[0].at("elasticity"), -2, 1e-8);
  EXPECT_NEAR(found[1].at("derivative"), std::exp(-2), 1e-9);
  EXPECT_NEAR(found[1].at("elasticity"), 1, 1e-8);
}

TEST_F(CliSensitivityTest, AnAnalysisIsSavedAndShownAgain) {
  ASSERT_EQ(Sensitivity({"decay.mo",
                         "--vary",
                         "k=2",
                         "--keep",
                         "final(x)",
                         "--method",
                         "local",
                         "--store",
                         "s.db"})
                .exit_code,
            0);
  const Outcome shown = Orrery({"show", "1", "--store", "s.db"});
  EXPECT_THAT(shown.out, HasSubstr("experiment 1: sensitivity of Decay"));
  EXPECT_THAT(shown.out, HasSubstr("-0.406006"));
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "s.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(CliSensitivityTest, WhatRoundsToZeroHasNoSign) {
  Write("mild.mo",
        "model Mild\n"
        "  parameter Real k = 2, c = 1;\n"
        "  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
        "equation\n"
        "  der(x) = -k*x;\n"
        "  der(y) = -1e-3*c;\n"
        "end Mild;\n");
  const std::string text = Sensitivity({"mild.mo",
                                        "--vary",
                                        "k=[1,3]",
                                        "--vary",
                                        "c=[1,3]",
                                        "--keep",
                                        "final(x) + 0.01*final(y)",
                                        "--method",
                                        "sobol"})
                               .out;
  EXPECT_THAT(text, HasSubstr("0.0000 (0.0000 to 0.0000)"));
  EXPECT_THAT(text, Not(HasSubstr("-0.0000")));
}

TEST_F(CliSensitivityTest, WhatDoesNotVaryIsToldInWords) {
  for (const char* const method : {"local", "morris", "sobol"}) {
    const std::vector<std::string> words = {"decay.mo",
                                            "--vary",
                                            "k=2[1,3]",
                                            "--keep",
                                            "initial(x)",
                                            "--keep",
                                            "x",
                                            "--method",
                                            method};
    const std::string text = Sensitivity(words).out;
    EXPECT_THAT(text,
                HasSubstr("  initial(x) does not vary with k: keep another "
                          "number, or vary more\n"));
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    const json found = Sensitivities(words);
    EXPECT_EQ(found[0].at("varies"), false);
    EXPECT_EQ(found[1].at("varies"), true);
  }
}

TEST_F(CliSensitivityTest, WhereNothingVariesNothingIsDependedOn) {
  EXPECT_EQ(Sensitivity({"decay.mo", "--keep", "x"}).err,
            "orrery: cannot tell what results depend on: nothing varies; say "
            "what by --vary, as in --vary 'k=[1,10]'\n");
}

TEST_F(CliSensitivityTest, DevsModelsHaveNoExactDerivatives) {
  EXPECT_THAT(
      Sensitivity({Plugin("bank"),
                   "--stop",
                   "1h",
                   "--vary",
                   "tellers=2",
                   "--method",
                   "local"})
          .err,
      HasSubstr("cannot differentiate Bank: exact derivatives are of models of "
                "equations alone (no DEVS, tasks or timelines)"));
}

TEST_F(CliSensitivityTest, WhatJumpsHasNoDerivative) {
  EXPECT_THAT(Sensitivity({"decay.mo",
                           "--vary",
                           "k=2",
                           "--keep",
                           "first(x < 1)",
                           "--method",
                           "local"})
                  .err,
              HasSubstr("cannot differentiate 'first(x < 1)': there are no "
                        "exact derivatives of truths, nor of first, duration "
                        "and count, which are taken of a condition, nor of "
                        "time_of_max and time_of_min; keep another number, or "
                        "take --method morris, with ranges, as k=[3,5]"));
}

// At 0.2, 0.4, ... both samplers tick; with another period, one at a time.
TEST_F(CliSensitivityTest, EventsThatMoveApartAreWarnedOf) {
  Write("apart.mo", R"(
model Apart
  parameter Real T = 0.2;
  Real x(start = 1, fixed = true);
  discrete Real a(start = 0, fixed = true);
  discrete Real b(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(0, 0.1) then
    a = x;
  end when;
  when sample(0, T) then
    b = x;
  end when;
  annotation(experiment(StopTime = 0.95));
end Apart;
)");
  const Outcome outcome = Sensitivity(
      {"apart.mo", "--vary", "T=0.2", "--keep", "x", "--method", "local"});
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: events that take place at once at t = 0.2 s "
                        "move apart with T: "));
}

TEST_F(CliSensitivityTest, MorrisRefusesAFactorOfOneValue) {
  EXPECT_THAT(
      Sensitivity({"decay.mo", "--vary", "k=2", "--keep", "x"}).err,
      HasSubstr("cannot screen by the method of Morris: k is 2 alone, and "
                "moves through no range; give bounds, as k=[0.1,10], set it by "
                "--set, or take --method local for the derivative there"));
}

TEST_F(CliSensitivityTest, AnUnknownMethodIsRefusedWithTheNearest) {
  EXPECT_THAT(
      Sensitivity({"decay.mo", "--vary", "k=2", "--method", "morri"}).err,
      HasSubstr("no method 'morri' of sensitivity analysis; did you "
                "mean 'morris'?"));
}

TEST_F(CliSensitivityTest, WhatHasNoBoundsIsRefusedByMorris) {
  EXPECT_THAT(
      Sensitivity({"decay.mo", "--vary", "k=normal(2,1)", "--keep", "x"}).err,
      HasSubstr("cannot screen by the method of Morris: k may become infinite, "
                "by normal(2, 1); give bounds as [0.1,10], or truncate it"));
}

}  // namespace
}  // namespace orrery::cli
