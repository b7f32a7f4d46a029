// `orrery run` of systems of FMUs (SSP).
#include <cmath>
#include <filesystem>
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

// Two lags in a row, the second with this gain.
std::string Chain(const std::string& gain) {
  return R"(<ssd:SystemStructureDescription name="Chain" version="1.0">
<ssd:System name="Chain"><ssd:Elements>
<ssd:Component name="a" source="resources/lag.fmu"/>
<ssd:Component name="b" source="resources/lag.fmu">
<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
<ssv:ParameterSet><ssv:Parameters><ssv:Parameter name="k"><ssv:Real value=")" +
         gain +
         R"("/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>
</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
</ssd:Component></ssd:Elements><ssd:Connections>
<ssd:Connection startElement="a" startConnector="x" endElement="b"
  endConnector="u"/>
</ssd:Connections></ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>)";
}

class FmuSystemTest : public CliTest {
 protected:
  FmuSystemTest() {
    const std::string lag = fmi::MakeZip(fmi::LagEntries());
    std::filesystem::create_directory(folder_ + "/resources");
    Write("resources/lag.fmu", lag);
    Write("chain.ssd", Chain("1"));
    Write("chain.ssp",
          fmi::MakeZip({{.name = "SystemStructure.ssd", .content = Chain("1")},
                        {.name = "Strong.ssd", .content = Chain("3")},
                        {.name = "resources/lag.fmu", .content = lag}}));
  }

  // The last value of b, by Euler's method with held inputs in steps of 1/8 s.
  static double Last(double gain) {
    double a = 0;
    double b = 0;
    for (int i = 0; i < 8; ++i) {
      b += (gain * a - b) / 8;
      a += (1 - a) / 8;
    }
    return b;
  }

  json Final(std::vector<std::string> words) {
    words.insert(words.end(), {"--set", "a.u=1", "--json"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["final"];
  }
};

TEST_F(FmuSystemTest, AnArchiveAndADescriptionRunAlike) {
  EXPECT_NEAR(Final({"run", "chain.ssp"})["b.x"].get<double>(), Last(1), 1e-14);
  EXPECT_NEAR(Final({"run", "chain.ssd"})["b.x"].get<double>(), Last(1), 1e-14);
}

TEST_F(FmuSystemTest, AVariantIsTaken) {
  EXPECT_NEAR(Final({"run", "chain.ssp", "--variant", "Strong.ssd"})["b.x"]
                  .get<double>(),
              Last(3),
              1e-14);
}

TEST_F(FmuSystemTest, ADescriptionByItselfHasNoVariants) {
  const Outcome outcome =
      Orrery({"run", "chain.ssd", "--variant", "Strong.ssd"});

  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot take the variant 'Strong.ssd' of chain.ssd: it "
                        "is one description, and variants are those of an "
                        "archive (.ssp)"));
}

TEST_F(FmuSystemTest, CheckTellsWhatASystemIsMadeOf) {
  const Outcome outcome = Orrery({"check", "chain.ssp", "--external"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("Chain: correct\n"
                        "  2 FMUs, Co-Simulation by 0.125 s\n"));
  EXPECT_THAT(Orrery({"check", "chain.ssp", "--json"}).err,
              HasSubstr("cannot check chain.ssp with --json: it is a system of "
                        "FMUs, whose parts and connections are checked"));
}

TEST_F(FmuSystemTest, CheckFindsAConnectorThatThereIsNot) {
  std::string text = Chain("1");
  const std::string connector = "endConnector=\"u\"";
  text.replace(text.find(connector), connector.size(), "endConnector=\"w\"");
  Write("wrong.ssd", text);
  const Outcome outcome = Orrery({"check", "wrong.ssd", "--external"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("wrong.ssd:9:1: error: component 'b' has no variable 'w'"));
}

TEST_F(FmuSystemTest, TheHeadTellsTheNumberOfFmus) {
  EXPECT_THAT(Orrery({"run", "chain.ssd", "--no-save"}).out,
              HasSubstr("Chain  2 FMUs, Co-Simulation by 0.125 s  loaded in"));
}

TEST_F(FmuSystemTest, StatisticsTellWhatEachFmuHasDone) {
  const Outcome outcome = Orrery({"run", "chain.ssd", "--statistics"});

  EXPECT_THAT(outcome.out, HasSubstr("\n  a: 8 steps, 0 events, "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  b: 8 steps, 0 events, "));
}

TEST_F(FmuSystemTest, RerunGivesTheSameWithoutTheFiles) {
  ASSERT_EQ(Orrery({"run", "chain.ssd", "--set", "a.u=1", "--store", "runs.db"})
                .exit_code,
            0);
  std::filesystem::remove_all(folder_ + "/resources");

  const Outcome outcome = Orrery({"rerun", "1", "--store", "runs.db"});

  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(FmuSystemTest, AnUnknownComponentToSetIsToldWithThoseThatAreThere) {
  EXPECT_THAT(Orrery({"run", "chain.ssd", "--set", "aa.u=1"}).err,
              HasSubstr("cannot set 'aa.u': no component of Chain has this "
                        "name; known: a, b"));
}

}  // namespace
}  // namespace orrery::cli
