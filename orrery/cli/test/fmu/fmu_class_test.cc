// DEVS models and models of tasks as FMUs, run by `orrery run`.
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

class FmuClassTest : public CliTest {
 protected:
  static std::string FmuOf(const std::string& model) {
    return std::string(ORRERY_PLUGINS) + "/" + model + ".fmu";
  }

  json Final(const std::string& model, std::vector<std::string> words) {
    words.insert(words.begin(), {"run", model});
    words.insert(words.end(), {"--json", "--no-save"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["final"];
  }
};

TEST_F(FmuClassTest, ABankWaitsAsItsProgramDoesToTheLastBit) {
  for (const char* one_line : {"one_line=true", "one_line=false"}) {
    const std::vector<std::string> words = {
        "--set", one_line, "--set", "spacing=31", "--stop", "720h"};
    const json program = Final(Plugin("bank"), words);
    auto of_fmu = words;
    of_fmu.insert(of_fmu.end(), {"--communication", "1h"});
    const json fmu = Final(FmuOf("bank"), of_fmu);

    EXPECT_EQ(fmu["mean_wait_s"].get<double>(),
              program["mean_wait_s"].get<double>());
    EXPECT_EQ(fmu["exact_wait_s"].get<double>(),
              program["exact_wait_s"].get<double>());
  }
}

TEST_F(FmuClassTest, AnotherSeedGivesTheWaitsOfThatSeed) {
  const json program = Final(Plugin("bank"), {"--seed", "7", "--stop", "720h"});
  const json fmu =
      Final(FmuOf("bank"),
            {"--set", "seed=7", "--stop", "720h", "--communication", "720h"});

  EXPECT_EQ(fmu["mean_wait_s"].get<double>(),
            program["mean_wait_s"].get<double>());
}

TEST_F(FmuClassTest, ARoverStandsStillWithoutAPlan) {
  const json program = Final(Plugin("rover"), {"--stop", "20h"});
  const json fmu =
      Final(FmuOf("rover"), {"--stop", "20h", "--communication", "25min"});

  EXPECT_EQ(fmu["charge"].get<double>(), program["charge"].get<double>());
  EXPECT_EQ(fmu["images_left"].get<double>(), 0);
}

TEST_F(FmuClassTest, ANewCountIsAMessage) {
  Write("u.csv",
        "time,x,x.count,n,n.count,flag,flag.count\n"
        "0,0,0,0,0,0,0\n"
        "1,2,1,0,0,0,0\n"
        "2,2,2,7,0,1,0\n"
        "3,2,2,7,1,1,1\n");
  const json last = Final(FmuOf("probe"),
                          {"--set",
                           "gain=3",
                           "--set",
                           "mode=idle",
                           "--input",
                           "u.csv",
                           "--communication",
                           "0.5",
                           "--stop",
                           "4"});

  // Twice 3*2, then 7 and true together.
  EXPECT_EQ(last["sum"].get<double>(), 6 + 6 + 7 + 1000);
  EXPECT_EQ(last["sum.count"].get<int>(), 3);
  EXPECT_EQ(last["tick.count"].get<int>(), 0);
}

TEST_F(FmuClassTest, MessagesBetweenCommunicationPointsAreCounted) {
  const json last =
      Final(FmuOf("probe"), {"--communication", "10", "--stop", "10"});

  // At 1, 2, 3 and 4 s, then none.
  EXPECT_EQ(last["tick.count"].get<int>(), 4);
  EXPECT_EQ(last["tick"].get<int>(), 3);
}

TEST_F(FmuClassTest, AModelThatFailsEndsTheRunWithItsMessage) {
  const Outcome outcome = Orrery({"run",
                                  FmuOf("probe"),
                                  "--set",
                                  "mode=throws",
                                  "--communication",
                                  "1",
                                  "--stop",
                                  "5",
                                  "--no-save"});

  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the belt is torn"));
}

TEST_F(FmuClassTest, TheCheckOfAnFmuOfAClassFindsNothing) {
  const Outcome outcome = Orrery({"check", FmuOf("probe")});

  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Probe: correct"));
  EXPECT_THAT(outcome.out, HasSubstr("gain"));
  EXPECT_THAT(outcome.out, HasSubstr("Seed of all random numbers"));
}

TEST_F(FmuClassTest, WhatStandsInTheWayOfAnExportIsTold) {
  EXPECT_THAT(
      Orrery({"fmu", "export", Plugin("tank_station"), "--output", "t.fmu"})
          .err,
      HasSubstr("libtank_station_fmu.so, is not there; orrery_add_fmu "
                "in CMake makes it"));
  EXPECT_THAT(
      Orrery(
          {"fmu", "export", Plugin("bank"), "--as", "me", "--output", "t.fmu"})
          .err,
      HasSubstr("models of discrete events have no equations"));
}

}  // namespace
}  // namespace orrery::cli
