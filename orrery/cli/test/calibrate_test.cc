#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string Example(const std::string& name) {
  return std::string(ORRERY_SOURCE_DIR) + "/examples/" + name;
}

// The mass on a spring of acceptance/experiments, E1.
class CliCalibrateTest : public CliTest {
 protected:
  CliCalibrateTest() {
    std::filesystem::copy(Example("mass_spring/mass_spring.mo"),
                          folder_ + "/mass_spring.mo");
    std::filesystem::copy(Example("mass_spring/measured.csv"),
                          folder_ + "/measured.csv");
  }

  [[nodiscard]] Outcome Calibrate(std::vector<std::string> words) const {
    words.insert(words.begin(), {"calibrate", "mass_spring.mo"});
    return Orrery(words);
  }

  // From the data, with runs as exact as the reference.
  [[nodiscard]] json Report(std::vector<std::string> words) const {
    words.insert(words.end(),
                 {"--data",
                  "measured.csv",
                  "--tolerance",
                  "1e-12",
                  "--absolute-tolerance",
                  "1e-14",
                  "--json"});
    const Outcome outcome = Calibrate(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  [[nodiscard]] std::string Refused(std::vector<std::string> words) const {
    const Outcome outcome = Calibrate(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  const std::vector<std::string> all_ = {
      "--vary", "k=1[0.1,10]", "--vary", "c=0.1[0,1]", "--vary", "x=2[0,5]"};
};

TEST_F(CliCalibrateTest, BoundsThatAreOpenChangeNoEstimateWithinThem) {
  const json report = Report(
      {"--vary", "k=1[0.1,]", "--vary", "c=0.1 log[,]", "--vary", "x=2[,]"});
  const std::vector<double> values = {3.98546668, 0.39826210, 1.02524523};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(report["parameters"][k]["value"], values[k], 2e-8);
  }
}

TEST_F(CliCalibrateTest, TheReportHasTheNumbersOfTheReference) {
  std::vector<std::string> words = all_;
  words.emplace_back("--profile");
  const json report = Report(words);
  EXPECT_EQ(report["status"], "converged");
  const std::vector<double> values = {3.98546668, 0.39826210, 1.02524523};
  const std::vector<double> errors = {0.01806617, 0.01195719, 0.01856541};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(report["parameters"][k]["value"], values[k], 2e-8);
    EXPECT_NEAR(report["parameters"][k]["standard_error"], errors[k], 1e-8);
  }
  EXPECT_NEAR(report["parameters"][0]["profile"][0], 3.950655, 1e-6);
  EXPECT_NEAR(report["parameters"][0]["profile"][1], 4.020761, 1e-6);
  EXPECT_NEAR(report["correlation"][0][1], 0.28735679, 1e-7);
  EXPECT_NEAR(report["residuals"]["sum_of_squares"], 0.2398205520, 1e-9);
  EXPECT_NEAR(report["residuals"]["deviation"], 0.04946866, 1e-8);
  EXPECT_EQ(report["data"][0]["file"], "measured.csv");
  EXPECT_EQ(report["data"][0]["signals"][0]["time"].size(), 101U);
  EXPECT_EQ(report["findings"], json::array());
}

TEST_F(CliCalibrateTest, TheTextTellsEstimatesCorrelationsAndResiduals) {
  std::vector<std::string> words = all_;
  words.insert(words.end(), {"--data", "measured.csv", "--tolerance", "1e-10"});
  const Outcome outcome = Calibrate(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("MassSpring  converged after "));
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("estimate  error      95 % interval"),
            HasSubstr("k N/m    3.98547   0.0180662  3.94961 to 4.02132"),
            HasSubstr("x            0.202  0.684"),
            HasSubstr("sum of squares 0.23982055, standard deviation "
                      "0.0494687")));
}

// A formula without integration is exact to rounding, whatever --tolerance is.
TEST_F(CliCalibrateTest, AFormulaIsFittedToTheDigitsThatNistCertifies) {
  Write("mgh09.mo", R"(
model Mgh09
  parameter Real b1 = 1;
  parameter Real b2 = 1;
  parameter Real b3 = 1;
  parameter Real b4 = 1;
  output Real y = b1*(time^2 + time*b2)/(time^2 + time*b3 + b4);
end Mgh09;
)");
  Write("mgh09.csv",
        "time,y\n4,0.1957\n2,0.1947\n1,0.1735\n0.5,0.16\n0.25,0.0844\n"
        "0.167,0.0627\n0.125,0.0456\n0.1,0.0342\n0.0833,0.0323\n"
        "0.0714,0.0235\n0.0625,0.0246\n");
  const Outcome outcome = Orrery({"calibrate",
                                  "mgh09.mo",
                                  "--data",
                                  "mgh09.csv",
                                  "--vary",
                                  "b1=25[-100,100]",
                                  "--vary",
                                  "b2=39[-100,100]",
                                  "--vary",
                                  "b3=41.5[-100,100]",
                                  "--vary",
                                  "b4=39[-100,100]",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json final = json::parse(outcome.out)["final"];
  EXPECT_NEAR(final["b1"], 0.19280693458, 1e-7);
  EXPECT_NEAR(final["b2"], 0.19128232873, 1e-7);
  EXPECT_NEAR(final["b3"], 0.12305650693, 1e-7);
  EXPECT_NEAR(final["b4"], 0.13606233068, 1e-7);
}

TEST_F(CliCalibrateTest, ColumnsOfOtherNamesAreMatched) {
  std::string text = ReadAll(folder_ + "/measured.csv");
  text.replace(0, text.find('\n'), "time,position");
  Write("run7.csv", text);
  const Outcome outcome = Calibrate({"--data",
                                     "run7.csv",
                                     "--vary",
                                     "k=1[0.1,10]",
                                     "--match",
                                     "x=position",
                                     "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["k"], 3.98590127, 1e-5);
}

TEST_F(CliCalibrateTest, AFileWithCommasInItsNameStandsInQuotes) {
  std::filesystem::rename(folder_ + "/measured.csv",
                          folder_ + "/spring, k=4.csv");
  const Outcome outcome = Calibrate({"--data",
                                     "\"spring, k=4.csv\", m=1",
                                     "--vary",
                                     "k=1[0.1,10]",
                                     "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["k"], 3.98590127, 1e-5);
  EXPECT_THAT(Refused({"--data", "run 7,8.csv", "--vary", "k=[1,9]"}),
              HasSubstr("'8.csv' sets nothing; write FILE, NAME=VALUE, as in "
                        "--data 'run7.csv, m=2'; a name with commas stands in "
                        "quotes, as in '\"a,b.csv\", m=2'"));
}

TEST_F(CliCalibrateTest, CommasInBracketsPartNoSettings) {
  Write("line.mo", R"(
model Line
  parameter Real a = 1;
  parameter Real w[2] = {1, 1};
  parameter Real m[1, 2] = {{0, 0}};
  Real y = a*w[1] + time*w[2] + m[1, 2];
end Line;
)");
  Write("line.csv", "time,y\n0,3.9\n1,7\n2,10.1\n");
  const Outcome outcome = Orrery({"calibrate",
                                  "line.mo",
                                  "--data",
                                  "line.csv, w={2, 3}, m[1,2]=1",
                                  "--vary",
                                  "a=1[0,9]",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["parameters"][0]["value"], 1.5, 1e-9);
}

TEST_F(CliCalibrateTest, EachRunOfSeveralHasItsOwnSettings) {
  // The run that starts from 2 m is twice as large at all times.
  std::string doubled = "time,x\n";
  std::istringstream lines(ReadAll(folder_ + "/measured.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t comma = line.find(',');
    doubled += line.substr(0, comma + 1) +
               std::to_string(2 * std::stod(line.substr(comma + 1))) + "\n";
  }
  Write("twice.csv", doubled);
  const json report = Report(
      {"--vary", "k=1[0.1,10]", "--data", "twice.csv, x=2", "--sigma", "x=1"});
  EXPECT_NEAR(report["final"]["k"], 3.98590127, 1e-7);
  EXPECT_NEAR(report["residuals"]["sum_of_squares"], 5 * 0.24962693, 1e-6);
}

// Two instruments for one length: their mean, weighted by 1/sigma^2.
class CliDeviationsTest : public CliTest {
 protected:
  CliDeviationsTest() {
    Write("length.mo",
          "model Length\n  parameter Real a = 1;\n"
          "  output Real y(unit = \"m\") = a;\n"
          "  output Real z(unit = \"m\") = a;\nend Length;\n");
  }

  // 1 m with the deviation in `column`, and 2 +- 0.02 m.
  [[nodiscard]] Outcome Fitted(const std::string& column,
                               const std::string& deviation) const {
    const std::string row = ",100,2," + deviation + ",0.02\n";
    Write("both.csv", "time,y [cm],z," + column + ",sz\n0" + row + "1" + row);
    return Calibrated("length.mo", "both.csv", "a=1[0,9]");
  }

  // Estimates from y and z, with the deviations in sy and sz.
  [[nodiscard]] Outcome Calibrated(const std::string& model,
                                   const std::string& data,
                                   const std::string& varied) const {
    return Orrery({"calibrate",
                   model,
                   "--data",
                   data,
                   "--match",
                   "y=y",
                   "--match",
                   "z=z",
                   "--sigma",
                   "y=sy",
                   "--sigma",
                   "z=sz",
                   "--vary",
                   varied,
                   "--json"});
  }
};

TEST_F(CliDeviationsTest, AreInTheUnitOfTheirColumnElseOfTheValuesBesideThem) {
  constexpr double kMean = (1e4 * 1 + 2.5e3 * 2) / (1e4 + 2.5e3);
  for (const auto& [column, deviation] :
       {std::pair("sy [mm]", "10"), {"sy [cm]", "1"}, {"sy", "1"}}) {
    const Outcome outcome = Fitted(column, deviation);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NEAR(json::parse(outcome.out)["final"]["a"], kMean, 1e-7) << column;
  }
}

TEST_F(CliDeviationsTest, AreDifferencesOfTemperatures) {
  Write("warm.mo",
        "model Warm\n  parameter Real a = 300;\n"
        "  output Real y(unit = \"K\") = a;\n"
        "  output Real z(unit = \"K\") = a;\nend Warm;\n");
  Write("warm.csv",
        "time,y [degC],z [degC],sy [degC],sz [K]\n"
        "0,10,20,1,2\n1,10,20,1,2\n");
  const Outcome outcome = Calibrated("warm.mo", "warm.csv", "a=300[200,400]");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["a"], 273.15 + 12, 1e-5);
}

TEST_F(CliDeviationsTest, OfAnotherKindAreRefused) {
  const Outcome outcome = Fitted("sy [s]", "1");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take 'sy [s]' of both.csv as the deviations of "
            "'y', which is compared in m: its unit is none of that kind; write "
            "the right one in its header, or none\n");
}

// The column `m` of a parameter does not depend on the estimates. As data it
// would make the errors too small.
TEST_F(CliCalibrateTest, WhatIsNoMeasurementIsLeftOutAndTold) {
  std::istringstream lines(ReadAll(folder_ + "/measured.csv"));
  std::string line;
  std::getline(lines, line);
  std::string text = "time,x,m,zz\n";
  while (std::getline(lines, line)) {
    text += line + ",1,5\n";
  }
  Write("record.csv", text);
  std::vector<std::string> words = all_;
  words.insert(words.end(), {"--data", "record.csv", "--json"});
  const Outcome outcome = Calibrate(words);
  EXPECT_EQ(outcome.err,
            "orrery: warning: of record.csv, whose times are in 'time', some "
            "columns are left out: 'm' (a parameter), 'zz' (no quantity of "
            "MassSpring)\n");
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["parameters"][0]["standard_error"], 0.01806617, 1e-6);
}

// The regression lines with weights of 1/s^2 have closed forms.
TEST_F(CliCalibrateTest, AColumnOfDeviationsIsNotToldAsLeftOut) {
  Write("line.mo",
        "model Line\n  parameter Real a = 1, b = 1;\n  Real y = a + b*time;\n"
        "  Real s = 5*time;\nend Line;\n");
  Write("line.csv", "time,y,s\n0,1,1\n1,2,0.5\n2,4,0.5\n3,4,1\n");
  for (const std::string sigma : {"s", "y=s"}) {
    const Outcome outcome = Orrery({"calibrate",
                                    "line.mo",
                                    "--data",
                                    "line.csv",
                                    "--sigma",
                                    sigma,
                                    "--vary",
                                    "a=0[-9,9]",
                                    "--vary",
                                    "b=0[-9,9]",
                                    "--json"});
    EXPECT_EQ(outcome.err, "");
    const json report = json::parse(outcome.out);
    EXPECT_NEAR(report["final"]["b"], 17.0 / 13, 1e-6);
    EXPECT_NEAR(report["final"]["a"], 61.0 / 65, 1e-6);
  }
}

// y' = u - y from 0 with u = 1: y = 1 - exp(-t).
TEST_F(CliCalibrateTest, OneFileMayHaveInputsAndWhatWasMeasured) {
  Write("lag.mo",
        "model Lag\n  parameter Real k = 3;\n  input Real u;\n  Real y(start = "
        "0, fixed = true);\nequation\n  der(y) = u - k*y;\nend Lag;\n");
  Write("io.csv",
        "t [ms],u,y\n0,1,0\n500,1,0.3934693402873666\n"
        "1000,1,0.6321205588285577\n2000,1,0.8646647167633873\n");
  for (const std::vector<std::string>& data :
       {std::vector<std::string>{"--data", "io.csv", "--input", "io.csv"},
        std::vector<std::string>{"--data", "io.csv, input=io.csv"}}) {
    std::vector<std::string> words = {
        "calibrate", "lag.mo", "--vary", "k=2[0.1,5]", "--json"};
    words.insert(words.end(), data.begin(), data.end());
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NEAR(json::parse(outcome.out)["final"]["k"], 1, 1e-6);
  }
}

TEST_F(CliCalibrateTest, AFileOfBothHasAnInput) {
  EXPECT_THAT(
      Refused({"--data",
               "measured.csv",
               "--input",
               "measured.csv",
               "--vary",
               "k=[1,9]"}),
      HasSubstr("cannot take inputs from measured.csv: model MassSpring has "
                "no input 'x': it has no inputs"));
}

TEST_F(CliCalibrateTest, NumbersAreInTheUnitsOfTheirHeaders) {
  std::istringstream lines(ReadAll(folder_ + "/measured.csv"));
  std::string line;
  std::getline(lines, line);
  std::string text = "time [ms],x [mm]\n";
  while (std::getline(lines, line)) {
    const std::size_t comma = line.find(',');
    text += std::to_string(1000 * std::stod(line)) + "," +
            std::to_string(1000 * std::stod(line.substr(comma + 1))) + "\n";
  }
  Write("fine.csv", text);
  std::vector<std::string> words = all_;
  words.insert(words.end(), {"--data", "fine.csv", "--json"});
  const json report = json::parse(Calibrate(words).out);
  EXPECT_NEAR(report["parameters"][0]["value"], 3.98546668, 1e-6);
  EXPECT_NEAR(report["parameters"][2]["value"], 1.02524523, 1e-6);
}

TEST_F(CliCalibrateTest, MissingValuesAreLeftOut) {
  Write("gaps.csv", "time,x\n0,1\n1,-0.258\n2,NA\n3,0.505\n4,\n5,-0.337\n");
  const Outcome outcome =
      Calibrate({"--data", "gaps.csv", "--vary", "k=3[0.1,10]", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["residuals"]["count"], 4);
  EXPECT_NEAR(report["final"]["k"], 4, 0.05);
}

TEST_F(CliCalibrateTest, WhatLiesOutsideOfTheRunIsLeftOutAndTold) {
  const Outcome outcome = Calibrate(
      {"--data", "measured.csv", "--vary", "k=3[0.1,10]", "--stop", "5"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("50 of the values in measured.csv were not measured "
                        "during the run, from 0 to 5, and are left out"));
}

TEST_F(CliCalibrateTest, ValuesWithoutATimeAreLeftOutAndTold) {
  Write("gaps.csv", "time,x\n0,1\n1,-0.258\n,7\n3,0.505\nnan,8\n");
  const Outcome outcome =
      Calibrate({"--data", "gaps.csv", "--vary", "k=3[0.1,10]"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("2 of the values in gaps.csv have no time, and are "
                        "left out"));
}

TEST_F(CliCalibrateTest, OneValueThatIsLeftOutIsToldInTheSingular) {
  Write("gaps.csv", "time,x\n0,1\n1,-0.258\n,7\n3,0.505\n9,8\n");
  const Outcome outcome =
      Calibrate({"--data", "gaps.csv", "--vary", "k=3[0.1,10]", "--stop", "5"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("1 of the values in gaps.csv has no time, and is left "
                        "out"));
  EXPECT_THAT(outcome.err,
              HasSubstr("1 of the values in gaps.csv was not measured during "
                        "the run, from 0 to 5, and is left out"));
}

// acceptance/experiments, E2, as the demo has it.
TEST_F(CliCalibrateTest, HaresAndLynxesComeToTheReference) {
  const Outcome outcome = Orrery({"calibrate",
                                  Example("lotka_volterra/lotka_volterra.mo"),
                                  "--data",
                                  Example("lotka_volterra/hudson_bay.csv"),
                                  "--log",
                                  "--noise",
                                  "by-signal",
                                  "--vary",
                                  "alpha=0.5 log[0.1,2]",
                                  "--vary",
                                  "beta=0.03 log[0.001,0.2]",
                                  "--vary",
                                  "gamma=0.8 log[0.1,2]",
                                  "--vary",
                                  "delta=0.02 log[0.001,0.2]",
                                  "--vary",
                                  "hare=30 log[5,80]",
                                  "--vary",
                                  "lynx=4 log[1,30]",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["final"]["alpha"], 0.540013953, 1e-4);
  EXPECT_NEAR(report["final"]["lynx"], 5.84373667, 1e-3);
  EXPECT_NEAR(report["residuals"]["by_signal"][0], 0.21837965, 1e-5);
  EXPECT_NEAR(report["residuals"]["by_signal"][1], 0.22008428, 1e-5);
}

TEST_F(CliCalibrateTest, FitDataAndResidualsAreDrawn) {
  const Outcome outcome = Calibrate({"--data",
                                     "measured.csv",
                                     "--vary",
                                     "k=3[0.1,10]",
                                     "--plot",
                                     "x,residual(x)",
                                     "--figure",
                                     "fit.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(ReadAll(folder_ + "/fit.svg"),
              AllOf(HasSubstr("x (data)"), HasSubstr("residual(x)")));
}

TEST_F(CliCalibrateTest, APhasePlotShowsWhatWasMeasuredOfBoth) {
  const Outcome outcome = Orrery({"calibrate",
                                  Example("lotka_volterra/lotka_volterra.mo"),
                                  "--data",
                                  Example("lotka_volterra/hudson_bay.csv"),
                                  "--vary",
                                  "lynx=4[1,30]",
                                  "--plot",
                                  "hare:lynx"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("lynx (data)"));
}

TEST_F(CliCalibrateTest, ThreadsChangeNoBit) {
  const auto final = [&](const std::string& jobs) {
    std::vector<std::string> words = all_;
    words.insert(words.end(), {"--starts", "3", "--jobs", jobs});
    return Report(words)["parameters"].dump();
  };
  EXPECT_EQ(final("1"), final("3"));
}

TEST_F(CliCalibrateTest, ItIsSavedShownAndRunAgainToTheLastBit) {
  EXPECT_EQ(Calibrate({"--data",
                       "measured.csv",
                       "--vary",
                       "k=3[0.1,10]",
                       "--tolerance",
                       "1e-10",
                       "--store",
                       "orrery.db"})
                .exit_code,
            0);
  const Outcome list = Orrery({"list", "--store", "orrery.db"});
  EXPECT_THAT(list.out, HasSubstr("calibration  MassSpring  completed"));
  const Outcome show =
      Orrery({"show", "1", "--store", "orrery.db", "--plot", "x"});
  EXPECT_EQ(show.exit_code, 0) << show.err;
  EXPECT_THAT(show.out,
              AllOf(StartsWith("experiment 1: calibration of MassSpring"),
                    HasSubstr("calibration vary  k=3[0.1,10]"),
                    HasSubstr("k N/m  3.9859 "),
                    HasSubstr("x (data)")));
  std::filesystem::remove(folder_ + "/measured.csv");
  const Outcome again = Orrery({"rerun", "1", "--store", "orrery.db"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out,
              HasSubstr("the same as experiment 1, to the last bit"));
  // Twice as stiff, if mass and friction are twice as large.
  const Outcome other = Orrery(
      {"rerun", "1", "--store", "orrery.db", "--set", "m=2", "--set", "c=0.8"});
  EXPECT_THAT(other.out, HasSubstr("k N/m  7.9718"));
}

TEST_F(CliCalibrateTest, ARunTakesWhatACalibrationCameTo) {
  EXPECT_EQ(Calibrate({"--data",
                       "measured.csv",
                       "--vary",
                       "k=3[0.1,10]",
                       "--vary",
                       "x=1[0,5]",
                       "--store",
                       "orrery.db"})
                .exit_code,
            0);
  const Outcome run = Orrery({"run",
                              "mass_spring.mo",
                              "--from",
                              "1",
                              "--set",
                              "x=2",
                              "--json",
                              "--store",
                              "orrery.db"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Outcome shown = Orrery({"show", "2", "--json", "--store", "orrery.db"});
  const json settings = json::parse(shown.out)["document"]["set"];
  const Outcome source =
      Orrery({"show", "1", "--json", "--store", "orrery.db"});
  EXPECT_EQ(std::stod(settings["k"].get<std::string>()),
            json::parse(source.out)["results"]["final"]["k"].get<double>());
  EXPECT_EQ(settings["x"], "2");
}

// x = a exp(-rate t) from another a in each file: the logarithms lie on
// parallel lines, so that all estimates are known.
constexpr const char* kDecays = R"(model Decay
  parameter Real rate(unit = "1/s") = 1;
  Real x(unit = "m", start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
)";

TEST_F(CliCalibrateTest, BoundsMayHaveAUnitThoseOfLabelsToo) {
  Write("decay.mo", kDecays);
  Write("a.csv", "time,x\n0,2\n1,1\n2,0.5\n");
  const Outcome outcome = Orrery({"calibrate",
                                  "decay.mo",
                                  "--data",
                                  "a.csv, x=xa",
                                  "--vary",
                                  "rate=18[0.6,300] 1/min",
                                  "--vary",
                                  "xa=100[0,1000] cm",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["parameters"][0]["value"], std::log(2), 1e-5);
  EXPECT_NEAR(report["parameters"][1]["value"], 2, 1e-5);
  EXPECT_EQ(report["parameters"][1]["unit"], "m");
}

TEST_F(CliCalibrateTest, AStartMayBeEstimatedForEachFile) {
  Write("decay.mo", kDecays);
  Write("a.csv", "time,x\n0,2\n1,1\n2,0.5\n");
  Write("b.csv", "time,x\n0,3\n1,1.5\n2,0.75\n");
  Write("c.csv", "time,x\n1,1.5\n");
  const std::vector<std::string> words = {"calibrate",
                                          "decay.mo",
                                          "--data",
                                          "a.csv, x=xa",
                                          "--data",
                                          "b.csv, x=xb",
                                          "--data",
                                          "c.csv, x=xb",
                                          "--vary",
                                          "rate=0.3[0.01,5]",
                                          "--vary",
                                          "xa=1[0,10]",
                                          "--vary",
                                          "xb=1[0,10]",
                                          "--tolerance",
                                          "1e-10",
                                          "--store",
                                          "its.db"};
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const Outcome outcome = Orrery(as_json);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["parameters"][0]["value"], std::log(2), 1e-7);
  EXPECT_NEAR(report["parameters"][1]["value"], 2, 1e-7);
  EXPECT_NEAR(report["parameters"][2]["value"], 3, 1e-7);
  EXPECT_EQ(report["parameters"][2]["unit"], "m");
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "its.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
  // x(1) from the start of b.
  EXPECT_THAT(
      Orrery({"run", "decay.mo", "--from", "1.2", "--store", "its.db"}).out,
      HasSubstr("  x  1.5 m"));
  EXPECT_THAT(
      Orrery({"run", "decay.mo", "--from", "1", "--store", "its.db"}).err,
      HasSubstr("it estimates other values for other data; say for which, as "
                "in 1.1 for a.csv, x=xa"));
  EXPECT_THAT(
      Orrery({"run", "decay.mo", "--from", "1.4", "--store", "its.db"}).err,
      HasSubstr("it has no run 4, but 3 runs"));
}

TEST_F(CliCalibrateTest, WhatIsEstimatedForOneFileIsNotSetForIt) {
  EXPECT_THAT(Refused({"--data",
                       "measured.csv, x=first",
                       "--vary",
                       "x=1[0,2]",
                       "--vary",
                       "first=1[0,2]"}),
              HasSubstr("cannot set 'x' for measured.csv: it is to be "
                        "estimated; leave out one of them"));
  EXPECT_THAT(Refused({"--data",
                       "measured.csv, x=first",
                       "--vary",
                       "k=1[0.1,10]",
                       "--vary",
                       "frist=1[0,2]"}),
              HasSubstr("'first' is no value, and nothing that --vary "
                        "estimates; did you mean 'frist'?"));
}

// A tank with a controller and a crew on one timeline, without derivatives: its
// own readings with a pump of 4.2 kW.
TEST_F(CliCalibrateTest, ModelsThatAreClassesAreCalibrated) {
  const std::string model = Plugin("tank_station");
  EXPECT_EQ(Orrery({"run",
                    model,
                    "--set",
                    "power=4.2",
                    "--output-times",
                    "10000,30000,50000,70000",
                    "--output",
                    "station.csv"})
                .exit_code,
            0);
  const Outcome outcome = Orrery({"calibrate",
                                  model,
                                  "--data",
                                  "station.csv",
                                  "--match",
                                  "crew.energy=crew.energy",
                                  "--vary",
                                  "power=5[1,10]",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["power"], 4.2, 1e-9);
}

TEST_F(CliCalibrateTest, AGuessAtWhichTheModelFailsIsToldWithTheReason) {
  Write("strict.mo", R"(
model Strict
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  assert(k < 5, "k is too large");
end Strict;
)");
  const Outcome outcome = Orrery({"calibrate",
                                  "strict.mo",
                                  "--data",
                                  "measured.csv",
                                  "--vary",
                                  "k=7[0,9]"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("  at k = 7: "),
                    HasSubstr("k is too large; begin with another guess\n")));
}

TEST_F(CliCalibrateTest, AWholeNumberIsNotEstimated) {
  Write("gain.mo",
        "model Gain\n  parameter Integer n = 2;\n  Real x = n*time;\nend "
        "Gain;\n");
  const Outcome outcome = Orrery(
      {"calibrate", "gain.mo", "--data", "measured.csv", "--vary", "n=[1,5]"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot estimate 'n': it takes whole numbers alone, by "
                        "which a fit has no derivatives; fix it, as by --set "
                        "n=1, at each of its values, and take the best fit"));
}

TEST_F(CliCalibrateTest, AnInterruptedSearchPrintsNothingOfItsOwn) {
  const pid_t child = Start({"calibrate",
                             "mass_spring.mo",
                             "--data",
                             "measured.csv",
                             "--stop",
                             "3000",
                             "--vary",
                             "k=1[0.1,10]",
                             "--starts",
                             "1000",
                             "--no-save"},
                            "out");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGINT);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("MassSpring  interrupted after "));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CliCalibrateTest, AParameterWithoutEffectIsTold) {
  Write("idle.mo", R"(
model Idle
  parameter Real k = 1;
  parameter Real idle = 2;
  Real x(start = 1, fixed = true);
  Real y = idle*x;
equation
  der(x) = -k*x;
end Idle;
)");
  const Outcome outcome = Orrery({"calibrate",
                                  "idle.mo",
                                  "--data",
                                  "measured.csv",
                                  "--vary",
                                  "k=1[0,9]",
                                  "--vary",
                                  "idle=1[0,5]"});
  EXPECT_THAT(
      outcome.out,
      HasSubstr("note: idle has no effect on what was measured; fix it"));
}

TEST_F(CliCalibrateTest, WarningsOfTheRunsAtTheEstimatesAreTold) {
  Write("warm.mo", R"(
model Warm
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  assert(x > 0.5, "it is cold", AssertionLevel.warning);
end Warm;
)");
  Write("warm.csv", "time,x\n0,1\n1,0.1\n");
  const Outcome outcome = Orrery({"calibrate",
                                  "warm.mo",
                                  "--data",
                                  "warm.csv",
                                  "--vary",
                                  "k=1[0,9]",
                                  "--json"});
  // x(1) = 0.1 by k = ln 10.
  EXPECT_THAT(outcome.err,
              StartsWith("warm.mo:7:3: warning: at the estimates: at t = "
                         "0.30103 s: it is cold\n"));
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["diagnostics"][0]["message"],
            "at the estimates: at t = 0.30103 s: it is cold");
}

TEST_F(CliCalibrateTest, WrongUsesOfDataAreRefused) {
  const std::vector<std::string> k = {"--vary", "k=1[0.1,10]"};
  const auto with = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = k;
    all.insert(all.end(), words.begin(), words.end());
    return Refused(all);
  };
  EXPECT_EQ(Refused(k),
            "orrery: cannot calibrate: nothing was measured; give data by "
            "--data, as in --data run7.csv\n");
  EXPECT_EQ(Refused({"--data", "measured.csv"}),
            "orrery: cannot calibrate: nothing is to be estimated; say what by "
            "--vary, as in --vary 'k=1[0.1,10]'\n");
  EXPECT_THAT(with({"--data", "measured.csv", "--match", "x=position"}),
              HasSubstr("position"));
  for (const char* const match : {"x=x", "v=x"}) {
    EXPECT_EQ(
        with({"--data", "measured.csv", "--match", match, "--sigma", "y=0.1"}),
        "orrery: cannot take --sigma 'y=0.1': nothing is matched with 'y'; "
        "known: " +
            std::string(match, 1) + "\n");
  }
  EXPECT_THAT(with({"--data", "measured.csv", "--sigma", "y=0.1"}),
              HasSubstr("nothing is matched with 'y'; known: x\n"));
  EXPECT_THAT(with({"--data", "measured.csv", "--match", "x"}),
              HasSubstr("it is not SIGNAL=COLUMN, as in --match x=position"));
  EXPECT_THAT(with({"--data", "measured.csv", "--match", "y=x"}),
              HasSubstr("cannot find signal 'y'"));
  Write("other.csv", "time,a,b\n0,1,2\n1,1,2\n");
  EXPECT_THAT(with({"--data", "other.csv"}),
              HasSubstr("cannot calibrate MassSpring against other.csv: no "
                        "column is called as a signal; beside the times in "
                        "'time' there are 'a' (no quantity of MassSpring), 'b' "
                        "(no quantity of MassSpring); say which is which by "
                        "--match SIGNAL=COLUMN"));
  EXPECT_THAT(with({"--data", "measured.csv", "--sigma", "x=x"}),
              HasSubstr("beside the times in 'time' there is none but those of "
                        "inputs and of --sigma; say which"));
  EXPECT_THAT(
      with({"--data", "measured.csv", "--match", "x=x", "--match", "x=x"}),
      HasSubstr("cannot take --match 'x=x' twice: what was measured "
                "would count as often"));
  Write("wrong.csv", "time,x [kg]\n0,1\n1,1\n");
  EXPECT_THAT(with({"--data", "wrong.csv"}),
              HasSubstr("cannot take 'x [kg]' of wrong.csv as a quantity in m: "
                        "its unit is none of that kind"));
  Write("bad.csv", "time,x\n0,1\n1,inf\n");
  EXPECT_THAT(with({"--data", "bad.csv"}),
              HasSubstr("cannot calibrate against bad.csv: 'x' is infinite in "
                        "row 2, at the time 1; leave the cell empty"));
  Write("late.csv", "time,x\n100,1\n101,2\n");
  EXPECT_THAT(with({"--data", "late.csv", "--stop", "10"}),
              HasSubstr("nothing in it was measured during the run, from 0 to "
                        "10; its times are from 100 to 101"));
  EXPECT_THAT(with({"--data", "measured.csv, k=2"}),
              HasSubstr("cannot set 'k' for measured.csv: it is to be "
                        "estimated; leave out one of them"));
  EXPECT_THAT(with({"--data", "measured.csv, m"}),
              HasSubstr("'m' sets nothing; write FILE, NAME=VALUE"));
  EXPECT_THAT(with({"--data", "measured.csv", "--sigma", "0"}),
              HasSubstr("the standard deviation is 0; give one above 0"));
  EXPECT_THAT(with({"--data", "measured.csv", "--log"}),
              HasSubstr("has no logarithm; leave the value out"));
}

TEST_F(CliCalibrateTest, WrongUsesOfTheFitAreRefused) {
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--data", "measured.csv"});
    return Refused(words);
  };
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--set", "k=2"}),
              HasSubstr("cannot set 'k' to 2: it is what varies"));
  EXPECT_THAT(with({"--vary", "k=1:0.5:10"}),
              HasSubstr("cannot search over 'k=1:0.5:10'"));
  EXPECT_THAT(with({"--vary", "kk=[1,2]"}),
              HasSubstr("cannot vary 'kk': no quantity 'kk' in model "
                        "MassSpring; known: m, c, k"));
  Write("two.csv", "time,x\n0,1\n1,-0.2\n");
  EXPECT_THAT(Refused({"--data",
                       "two.csv",
                       "--vary",
                       "k=[1,9]",
                       "--vary",
                       "c=[0,1]",
                       "--vary",
                       "x=[0,2]"}),
              HasSubstr("cannot fit 3 parameters to 2 data"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--loss", "hubert"}),
              HasSubstr("did you mean 'huber'?"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--noise", "loud"}),
              HasSubstr("it is common, of one variance, or by-signal"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--confidence", "95"}),
              HasSubstr("give a number between 0 and 1, as 0.95"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--starts", "100000000"}),
              HasSubstr("give at least one of both, and at most 100000 "
                        "starts"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--profile", "--loss", "huber"}),
              HasSubstr("cannot take profile likelihoods with the loss huber"));
  EXPECT_THAT(with({"--vary", "k=[1,9]", "--plot", "residual(v)"}),
              HasSubstr("residuals are of what was measured, over the time"));
}

}  // namespace
}  // namespace orrery::cli
