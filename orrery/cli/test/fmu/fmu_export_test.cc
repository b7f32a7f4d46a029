// `orrery fmu export` as its users meet it.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

constexpr const char* kCooling = R"(model Cooling "A cup of tea"
  parameter Integer n = 2;
  parameter Real k(unit = "1/s") = 0.5;
  output Real T[n](each start = 80, each fixed = true);
equation
  for i in 1:n loop
    der(T[i]) = -i*k*T[i];
  end for;
  annotation(experiment(StopTime = 4));
end Cooling;
)";

TEST_F(CliTest, AnExportedModelIsCheckedAndRun) {
  Write("cooling.mo", kCooling);
  const Outcome made =
      Orrery({"fmu", "export", "cooling.mo", "--output", "C.fmu"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, "");
  // T, der(T) and k can be set; n shapes the model.
  EXPECT_THAT(
      made.err,
      MatchesRegex(
          ".*note: in the FMU, these cannot be set any more, "
          "as they shape the equations or are Strings: n; "
          "--set gives them others when the FMU is written\nwrote C\\.fmu: "
          "FMI 3\\.0, Model Exchange and "
          "Co-Simulation, [0-9]+ variables, [0-9.]+ MB\n"));

  const Outcome checked = Orrery({"check", "C.fmu"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out,
              HasSubstr("Cooling: correct\n  FMI 3.0, made by "
                        "Orrery"));
  EXPECT_THAT(checked.out, HasSubstr("T[2]"));

  const Outcome run = Orrery(
      {"run", "C.fmu", "--as", "cs", "--set", "k=0", "--stop", "2", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("80"));
}

TEST_F(CliTest, AnExportTakesSizesOfArrays) {
  Write("cooling.mo", kCooling);
  const Outcome made = Orrery({"fmu",
                               "export",
                               "cooling.mo",
                               "--output",
                               "C.fmu",
                               "--fmi",
                               "2",
                               "--set",
                               "n=5",
                               "--solver",
                               "rodas"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const Outcome checked = Orrery({"check", "C.fmu"});
  EXPECT_THAT(checked.out, HasSubstr("FMI 2.0"));
  EXPECT_THAT(checked.out, HasSubstr("T[5]"));
}

TEST_F(CliTest, AnExportSaysWhatItCannotWrite) {
  Write("cooling.mo", kCooling);
  const auto refusal = [&](const std::string& output, const std::string& fmi) {
    return Orrery({"fmu",
                   "export",
                   "cooling.mo",
                   "--output",
                   output,
                   "--fmi",
                   fmi})
        .err;
  };
  EXPECT_THAT(refusal("C.zip", "3"),
              HasSubstr("cannot write 'C.zip': an FMU has a name that ends "
                        "with .fmu"));
  EXPECT_THAT(refusal("no/C.fmu", "3"), HasSubstr("cannot write 'no/C.fmu'"));
  EXPECT_THAT(refusal("C.fmu", "1"), HasSubstr("the versions are 2 and 3"));
  EXPECT_THAT(Orrery({"fmu",
                      "export",
                      "cooling.mo",
                      "--output",
                      "C.fmu",
                      "--elementary",
                      "fast"})
                  .err,
              HasSubstr("there are same (those of orrery run) and libm (those "
                        "of the C library)"));
  EXPECT_THAT(
      Orrery({"fmu", "export", "cooling.mo", "--output", "C.fmu", "--as", "se"})
          .err,
      HasSubstr("the kinds of use are cs (Co-Simulation) and me (Model "
                "Exchange)"));
}

}  // namespace
}  // namespace orrery::cli
