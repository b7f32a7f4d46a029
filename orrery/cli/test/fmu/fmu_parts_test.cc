// `orrery fmu wrap`, and models in Modelica with FMUs as parts.
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/text/number_text.h"
#include "orrery/cli/test/cli_fixture.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class FmuPartsTest : public CliTest {
 protected:
  FmuPartsTest() {
    std::filesystem::create_directory(folder_ + "/parts");
    Write("parts/lag.fmu", fmi::MakeZip(fmi::SwitchEntries()));
    Write("loop.mo", R"(model Loop
  lag one(x_half = 1, gear = 1), two(gear = 1);
equation
  connect(one.y, two.u);
  connect(two.y, one.u);
  annotation(experiment(StopTime = 1.5));
end Loop;
)");
  }

  // Puts the block for the FMU into the model's text.
  void Wrap() const {
    const Outcome made =
        Orrery({"fmu", "wrap", "parts/lag.fmu", "--output", "lag.mo"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(made.out, "lag.mo\n");
    Write("loop.mo",
          ReadAll(folder_ + "/loop.mo") + ReadAll(folder_ + "/lag.mo"));
  }
};

TEST_F(FmuPartsTest, WrapWritesABlockBesideTheFmu) {
  const Outcome made = Orrery({"fmu", "wrap", "parts/lag.fmu"});

  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, "parts/lag.mo\n");
  const std::string text = ReadAll(folder_ + "/parts/lag.mo");
  EXPECT_THAT(text, HasSubstr("block lag \"written by orrery fmu wrap"));
  EXPECT_THAT(text, HasSubstr("__Orrery(fmu = \"lag.fmu\""));
  EXPECT_EQ(Orrery({"check", "parts/lag.mo"}).exit_code, 0);
}

// x(1) = k*(1 - (7/8)^8) by Euler's method.
TEST_F(FmuPartsTest, AnFmuForCoSimulationAloneIsWrappedAndSwept) {
  Write("parts/plant.fmu", fmi::MakeZip(fmi::LagEntries()));
  const Outcome made =
      Orrery({"fmu", "wrap", "parts/plant.fmu", "--output", "plant.mo"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(ReadAll(folder_ + "/plant.mo"),
              HasSubstr("kind = \"CoSimulation\""));
  Write("held.mo",
        "model Held\n  plant p(u = 1);\nend Held;\n" +
            ReadAll(folder_ + "/plant.mo"));

  const Outcome swept = Orrery({"sweep",
                                "held.mo",
                                "Held",
                                "--external",
                                "--stop",
                                "1",
                                "--vary",
                                "p.k={1,2}",
                                "--keep",
                                "final(p.x)",
                                "--jobs",
                                "2",
                                "--output",
                                "swept.csv"});

  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::string rows = ReadAll(folder_ + "/swept.csv");
  const double x = 1 - std::pow(0.875, 8);  // No rounding.
  EXPECT_THAT(rows, HasSubstr(ShortestText(x)));
  EXPECT_THAT(rows, HasSubstr(ShortestText(2 * x)));
}

TEST_F(FmuPartsTest, WrapTakesTwoKindsOfUse) {
  const Outcome unknown = Orrery({"fmu", "wrap", "parts/lag.fmu", "--as", "x"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("cannot wrap parts/lag.fmu as 'x': the kind is me "
                        "(Model Exchange) or cs (Co-Simulation)"));
  const Outcome other = Orrery({"fmu", "wrap", "parts/lag.fmu", "--as", "cs"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err,
              HasSubstr("cannot run parts/lag.fmu by Co-Simulation: it is for "
                        "Model Exchange"));
}

TEST_F(FmuPartsTest, WrapReplacesNoTextOfOthers) {
  Write("parts/lag.mo", "model lag end lag;\n");

  const Outcome refused = Orrery({"fmu", "wrap", "parts/lag.fmu"});

  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "orrery: cannot write 'parts/lag.mo': it is there, and is another "
            "text; name a file by --output\n");
  EXPECT_EQ(ReadAll(folder_ + "/parts/lag.mo"), "model lag end lag;\n");
}

// x1 + x2 falls as exp(-2*t), and x1 - x2 as exp(-4/3*t).
TEST_F(FmuPartsTest, TwoFmusInALoopRunAsPartsOfAModel) {
  Wrap();

  const Outcome run = Orrery({"run",
                              "loop.mo",
                              "Loop",
                              "--external",
                              "--tolerance",
                              "1e-11",
                              "--json"});

  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json final_values = json::parse(run.out)["final"];
  EXPECT_NEAR(final_values["one.x"].get<double>(),
              std::exp(-3.0) + std::exp(-2.0),
              1e-8);
  EXPECT_NEAR(final_values["two.x"].get<double>(),
              std::exp(-3.0) - std::exp(-2.0),
              1e-8);
}

TEST_F(FmuPartsTest, AModelOfAnUntrustedFolderDoesNotRunItsFmus) {
  Wrap();

  const Outcome run = Orrery({"run", "loop.mo", "Loop"});

  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err,
              HasSubstr("cannot run parts/lag.fmu: it is code of the "
                        "model, which may do all that you may"));
  EXPECT_THAT(run.err, HasSubstr("/parts'"));
}

TEST_F(FmuPartsTest, CheckLooksAtTheModelWithoutTheCode) {
  auto entries = fmi::SwitchEntries();
  entries.resize(1);  // The description alone.
  Write("parts/lag.fmu", fmi::MakeZip(entries));
  Wrap();

  const Outcome checked = Orrery({"check", "loop.mo", "Loop"});

  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST_F(FmuPartsTest, ParametersOfAPartAreSetAndSwept) {
  Wrap();

  const Outcome run = Orrery({"run",
                              "loop.mo",
                              "Loop",
                              "--external",
                              "--set",
                              "one.k=0",
                              "--set",
                              "two.k=0",
                              "--tolerance",
                              "1e-11",
                              "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NEAR(json::parse(run.out)["final"]["one.x"].get<double>(),
              2 * std::exp(-1.5),
              1e-8);

  const Outcome swept = Orrery({"sweep",
                                "loop.mo",
                                "Loop",
                                "--external",
                                "--vary",
                                "one.x_half={1,2}",
                                "--keep",
                                "max(one.x)",
                                "--output",
                                "swept.csv"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
}

TEST_F(FmuPartsTest, RerunGivesTheSameWithoutTheFmu) {
  Wrap();
  ASSERT_EQ(
      Orrery({"run", "loop.mo", "Loop", "--external", "--store", "runs.db"})
          .exit_code,
      0);
  std::filesystem::remove(folder_ + "/parts/lag.fmu");

  const Outcome outcome =
      Orrery({"rerun", "1", "--store", "runs.db", "--external"});

  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("the same as experiment 1, to the last bit"));
}

}  // namespace
}  // namespace orrery::cli
