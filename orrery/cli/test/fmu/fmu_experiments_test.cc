// Experiments with FMUs that compute by their own method.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The FMU is a lag, x' = (k*u - x)/T, by Euler's method; T is halved if it is
// fast.
class FmuExperimentsTest : public CliTest {
 protected:
  FmuExperimentsTest() { Write("lag.fmu", fmi::MakeZip(fmi::LagEntries())); }

  // Its state after 8 steps of 1/8 s, for k*u = 1 and T = 1 s.
  const double reached_ = 1 - std::pow(7.0 / 8, 8);

  std::vector<double> SweptX(const std::string& range,
                             const std::vector<std::string>& others = {}) {
    std::vector<std::string> words = {"sweep",
                                      "lag.fmu",
                                      "--set",
                                      "u=1",
                                      "--vary",
                                      range,
                                      "--keep",
                                      "x",
                                      "--json"};
    words.insert(words.end(), others.begin(), others.end());
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["columns"][1]["values"]
        .get<std::vector<double>>();
  }
};

TEST_F(FmuExperimentsTest, ASweepRunsTheCodeAtEachPoint) {
  const std::vector<double> x = SweptX("k=1:1:4", {"--jobs", "2"});
  ASSERT_EQ(x.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(x[i], static_cast<double>(i + 1) * reached_, 1e-14);
  }
}

TEST_F(FmuExperimentsTest, TruthsVaryByTheirNames) {
  const std::vector<double> x = SweptX("is_fast={false,true}");
  ASSERT_EQ(x.size(), 2U);
  EXPECT_NEAR(x[0], reached_, 1e-14);
  EXPECT_NEAR(x[1], 1 - std::pow(6.0 / 8, 8), 1e-14);
}

TEST_F(FmuExperimentsTest, TheCommunicationStepIsThatOfTheRuns) {
  const std::vector<double> x =
      SweptX("k={1}", {"--as", "cs", "--communication", "0.25"});
  ASSERT_EQ(x.size(), 1U);
  EXPECT_NEAR(x[0], 1 - std::pow(0.75, 4), 1e-14);
}

TEST_F(FmuExperimentsTest, ACalibrationFindsAParameter) {
  std::string data = "time,x\n";
  for (int i = 0; i <= 8; ++i) {
    data += std::to_string(i * 0.125) + "," +
            std::to_string(3 * (1 - std::pow(7.0 / 8, i))) + "\n";
  }
  Write("measured.csv", data);
  const Outcome outcome = Orrery({"calibrate",
                                  "lag.fmu",
                                  "--set",
                                  "u=1",
                                  "--vary",
                                  "k=[0.5,8]",
                                  "--data",
                                  "measured.csv",
                                  "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["parameters"][0]["value"].get<double>(), 3, 1e-5)
      << outcome.out;
}

TEST_F(FmuExperimentsTest, WhatCannotVaryIsTold) {
  const auto refusal = [&](const std::string& range) {
    return Orrery({"sweep", "lag.fmu", "--vary", range}).err;
  };
  EXPECT_THAT(refusal("is_fest=1:3"),
              HasSubstr("cannot vary 'is_fest': Lag has no such variable; did "
                        "you mean 'is_fast'?"));
  EXPECT_THAT(refusal("label_size=1:3"), HasSubstr("cannot set 'label_size'"));
  EXPECT_THAT(refusal("label=1:3"),
              HasSubstr("cannot vary 'label': it is no number"));
  EXPECT_THAT(
      Orrery({"sweep", "lag.fmu", "--vary", "k=1:3", "--solver", "rodas"}).err,
      HasSubstr("it has its own method"));
}

TEST_F(FmuExperimentsTest, RunsThatFailAreCountedAsSuch) {
  const Outcome outcome = Orrery({"sweep",
                                  "lag.fmu",
                                  "--set",
                                  "how=error",
                                  "--vary",
                                  "fails_at={3,100}",
                                  "--keep",
                                  "x"});
  EXPECT_THAT(outcome.err + outcome.out,
              HasSubstr("fmi2DoStep of 'Lag' returned Error at t = 0.25 s"));
}

}  // namespace
}  // namespace orrery::cli
