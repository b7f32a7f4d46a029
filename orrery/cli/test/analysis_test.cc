// `orrery steady` and `orrery linearize` as their users meet them.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kTank = R"(model Tank
  input Real v(unit = "m/s");
  output Real h(unit = "m", start = 1, fixed = true);
  Real outflow = 0.02 * sqrt(2 * 9.81 * h);
equation
  0.2 * der(h) = 0.01 * v - outflow;
end Tank;
)";

TEST_F(CliTest, ASteadyStateIsPrintedInColumns) {
  Write("tank.mo", kTank);
  const Outcome outcome =
      Orrery({"steady", "tank.mo", "--fix", "h=5", "--bound", "v=[0,]"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("Tank  steady at t = 0 s after "),
                    HasSubstr("\nstates\n  h  5 m\n"),
                    HasSubstr("\ninputs\n  v  19.80908882 m/s\n")));
}

TEST_F(CliTest, QuietAnalysesPrintErrorsAlone) {
  Write("tank.mo", kTank);
  for (const char* analysis : {"steady", "linearize", "frequency"}) {
    const Outcome outcome =
        Orrery({analysis, "tank.mo", "--set", "v=1", "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out + outcome.err, "") << analysis;
  }
  const Outcome failed =
      Orrery({"steady", "tank.mo", "--fix", "h=5", "--set", "v=1", "--quiet"});
  EXPECT_EQ(failed.out, "");
  EXPECT_THAT(failed.err, StartsWith("error: cannot find a steady state"));
}

TEST_F(CliTest, AnInputThatIsSetIsHeldUnlessItIsFree) {
  Write("tank.mo", kTank);
  const Outcome held =
      Orrery({"steady", "tank.mo", "--fix", "h=5", "--set", "v=1"});
  EXPECT_EQ(held.exit_code, 1);
  EXPECT_EQ(held.err,
            "error: cannot find a steady state at t = 0 s: at best der(h) = "
            "-0.940454 instead of 0; there is 1 condition for 0 unknowns: fix "
            "less\n");
  const Outcome free = Orrery(
      {"steady", "tank.mo", "--fix", "h=5", "--set", "v=1", "--free", "v"});
  EXPECT_EQ(free.exit_code, 0) << free.err;
  const Outcome guess =
      Orrery({"steady", "tank.mo", "--set", "v=10", "--free", "h=2"});
  EXPECT_THAT(guess.out, HasSubstr("  h  1.27420999 m"));
}

TEST_F(CliTest, OneOfManySteadyStatesIsToldOrChosen) {
  Write("tank.mo", kTank);
  EXPECT_THAT(Orrery({"steady", "tank.mo"}).out,
              HasSubstr("\none of many: h, v may change; fix 1 of them for "
                        "another\n"));
  EXPECT_THAT(
      Orrery({"steady", "tank.mo", "--bound", "v=[1,4]", "--maximize", "h"})
          .out,
      HasSubstr("  v  4 m/s"));
}

TEST_F(CliTest, WishesThatCannotBeReadAreTold) {
  Write("tank.mo", kTank);
  const auto error = [this](const std::string& option,
                            const std::string& value) {
    const Outcome outcome = Orrery({"steady", "tank.mo", option, value});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(error("--fix", "h"),
            "orrery: cannot take --fix h: give NAME=VALUE, as in --fix "
            "tank.h=5\n");
  EXPECT_EQ(error("--bound", "h=5"),
            "orrery: cannot take --bound h=5: give NAME=[LOW,HIGH], as in "
            "--bound valve.u=[0,1] or --bound h=[0,]\n");
  EXPECT_EQ(error("--fix", "hh=5"),
            "orrery: cannot find a steady state: no quantity 'hh' in model "
            "Tank; known: v, h, outflow, der(h)\n");
  EXPECT_EQ(error("--moving", "v"),
            "orrery: cannot find a steady state: 'v' is not a state; known: "
            "h\n");
}

TEST_F(CliTest, ALinearSystemIsPrintedWithItsNames) {
  Write("tank.mo", kTank);
  const Outcome outcome = Orrery({"linearize",
                                  "tank.mo",
                                  "--at",
                                  "steady",
                                  "--fix",
                                  "h=5",
                                  "--bode",
                                  "v:outflow",
                                  "--frequencies",
                                  "0.1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("Tank  linearised at a steady state, t = 0 s\n"),
                    HasSubstr("\nA\n                    h\n"
                              "  der(h)  -0.09904544\n"),
                    HasSubstr("\nB\n             v\n  der(h)  0.05\n"),
                    HasSubstr("\nmodes (stable)\n"),
                    HasSubstr("\nresponse of outflow to v\n")));
}

TEST_F(CliTest, ALinearSystemIsGivenAsJson) {
  Write("tank.mo", kTank);
  const Outcome outcome =
      Orrery({"linearize", "tank.mo", "--set", "h=5", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("\"status\": \"completed\""),
            ContainsRegex("\"A\": \\[\n *\\[\n *-0\\.0990454441153150")));
  const Outcome error = Orrery({"linearize", "none.mo", "--json"});
  EXPECT_EQ(error.exit_code, 1);
  EXPECT_THAT(error.out, HasSubstr("\"status\": \"error\""));
  const Outcome stuck =
      Orrery({"steady", "tank.mo", "--fix", "h=5", "--fix", "v=1", "--json"});
  EXPECT_EQ(stuck.exit_code, 1);
  EXPECT_THAT(stuck.out, HasSubstr("\"status\": \"unreachable\""));
}

TEST_F(CliTest, ARunMayLeadToWhereAModelIsLinearised) {
  Write("decay.mo",
        "model Decay Real x(start = 1, fixed = true); "
        "discrete Real n(start = 0, fixed = true); equation "
        "when sample(0.5, 1) then n = pre(n) + 1; end when; "
        "der(x) = -x ^ 2 * n; end Decay;");
  // x' = -x^2 from 0.5 to 1.5, then -2 x^2: x(2) = 1/3, A = -2*2*x.
  const Outcome outcome = Orrery({"linearize", "decay.mo", "--at", "2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("der\\(x\\)  -1\\.33333"));
  EXPECT_THAT(outcome.err, HasSubstr("what is sampled is held"));
}

TEST_F(CliTest, FrequencyResponsesAreWrittenAndPlotted) {
  Write("tank.mo", kTank);
  const Outcome outcome = Orrery({"linearize",
                                  "tank.mo",
                                  "--set",
                                  "h=5",
                                  "--frequencies",
                                  "logspace(-2,0,3)",
                                  "--output",
                                  "bode.csv",
                                  "--plot"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      ReadAll(folder_ + "/bode.csv"),
      ContainsRegex("^frequency \\[rad/s\\],magnitude\\(v:h\\) "
                    "\\[dB\\],phase\\(v:h\\) \\[deg\\]\n0\\.01,-5\\.9"));
  EXPECT_THAT(outcome.out, HasSubstr("magnitude [dB]"));
  EXPECT_EQ(outcome.err, "wrote bode.csv\n");
  EXPECT_EQ(Orrery({"linearize", "tank.mo", "--output", "bode.mat"}).err,
            "orrery: cannot write 'bode.mat': a frequency response is written "
            "as .csv\n");
  EXPECT_EQ(Orrery({"linearize", "tank.mo", "--bode", "v"}).err,
            "orrery: cannot take --bode v: give INPUT:OUTPUT, as in --bode "
            "force:x\n");
}

TEST_F(CliTest, WishesForASteadyStateAreRefusedElsewhere) {
  Write("tank.mo", kTank);
  const Outcome outcome = Orrery({"linearize", "tank.mo", "--fix", "h=5"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take --fix or --bound: only a steady state is "
            "looked for; give --at steady, or --set for a start value\n");
}

TEST_F(CliTest, JsonOfAnAnalysisHoldsTheWarningsOfTheModel) {
  Write("slip.mo",
        "model Slip\n"
        "  Real x(unit = \"m\", start = 1, fixed = true);\n"
        "  Real t(unit = \"s\") = x;\n"
        "equation\n"
        "  der(x) = -x;\n"
        "end Slip;\n");
  for (const char* command : {"steady", "linearize"}) {
    const Outcome outcome = Orrery({command, "slip.mo", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("slip.mo:3:"));
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("\"severity\": \"warning\""),
                      HasSubstr("\"line\": 3")));
  }
}

constexpr const char* kHalfModel = R"(model Half
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 then
    terminate("half is gone");
  end when;
end Half;
)";

TEST_F(CliTest, ARunThatEndsBeforeThePlaceToLinearizeIsTold) {
  Write("half.mo", kHalfModel);
  const Outcome outcome = Orrery({"linearize", "half.mo", "--at", "5s"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "orrery: cannot linearize at t = 5 s: the run terminated at t = "
            "0.693147 s: half is gone\n");
}

TEST_F(CliTest, ASteadyStateAtWhichTheModelEndsIsNone) {
  Write("half.mo", kHalfModel);
  const Outcome outcome = Orrery({"steady", "half.mo"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "error: cannot find a steady state: terminated at t = 0 s: half is "
            "gone\n");
}

// Analyses as experiments ---------------------------------------------------

class SavedAnalysisTest : public CliTest {
 protected:
  SavedAnalysisTest() { Write("tank.mo", kTank); }

  // Returns the output of the command, with a store of the test's own.
  [[nodiscard]] std::string Printed(std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", "its.db"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  [[nodiscard]] std::string Refused(std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", "its.db"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  }

  void SaveTwoSystems() const {
    static_cast<void>(Printed({"linearize", "tank.mo", "--set", "h=5"}));
    static_cast<void>(Printed({"linearize", "tank.mo"}));
  }
};

TEST_F(SavedAnalysisTest, ASteadyStateIsShownAndExportedAgain) {
  const std::string found =
      Printed({"steady", "tank.mo", "--fix", "h=5", "--bound", "v=[0,]"});
  const std::string shown = Printed({"show", "1"});
  EXPECT_THAT(shown,
              AllOf(StartsWith("experiment 1: steady-state of Tank, "),
                    HasSubstr("completed, 1 of 1 run\n"),
                    HasSubstr("  steady fix"),
                    HasSubstr(found)));
  EXPECT_THAT(Printed({"rerun", "1"}),
              HasSubstr("the same as experiment 1, to the last bit"));
  static_cast<void>(Printed({"export", "1", "state.csv"}));
  EXPECT_THAT(ReadAll(folder_ + "/state.csv"),
              AllOf(StartsWith("name,role,value,unit\nh,state,5,m\n"),
                    HasSubstr("v,input,19.8090888")));
}

TEST_F(SavedAnalysisTest, ASteadyStateThatIsNotThereIsSavedAsFailed) {
  EXPECT_EQ(Orrery({"steady",
                    "tank.mo",
                    "--fix",
                    "h=5",
                    "--set",
                    "v=1",
                    "--store",
                    "its.db"})
                .exit_code,
            1);
  EXPECT_THAT(Printed({"list"}), HasSubstr("failed  0 of 1 run, 1 failed"));
  EXPECT_THAT(Printed({"show", "1"}),
              HasSubstr("at best der(h) = -0.940454 instead of 0"));
}

TEST_F(SavedAnalysisTest, LinearSystemsAreComparedNumberByNumber) {
  SaveTwoSystems();
  // der(h) = 0.05 v - 0.1 sqrt(2 g h): A = -0.05 sqrt(2 g / h).
  EXPECT_THAT(Printed({"compare", "1", "2"}),
              AllOf(HasSubstr("  set h  5  -\n"),
                    ContainsRegex("A\\[h,h\\] +-0\\.09904544 +-0\\.2214723 +"
                                  "-0\\.1224269"),
                    ContainsRegex("pole 1 +-0\\.09904544 +-0\\.2214723"),
                    ContainsRegex("DC gain\\[h,v\\] +0\\.504818"),
                    Not(HasSubstr("B[h,v]"))));
  EXPECT_THAT(Printed({"compare", "1", "1"}),
              HasSubstr("the results are the same, to the last bit"));
  static_cast<void>(Printed({"compare",
                             "1",
                             "2",
                             "--plot",
                             "magnitude(v:h)",
                             "--figure",
                             "bode.svg"}));
  EXPECT_THAT(
      ReadAll(folder_ + "/bode.svg"),
      AllOf(HasSubstr("magnitude(v:h) (2)"), HasSubstr(">frequency [rad/s]")));
}

TEST_F(SavedAnalysisTest, ALinearSystemIsExportedAsOneMatrixOrAReport) {
  SaveTwoSystems();
  EXPECT_THAT(Printed({"rerun", "1"}),
              HasSubstr("the same as experiment 1, to the last bit"));
  EXPECT_THAT(Printed({"rerun", "1", "--set", "h=1"}), HasSubstr("-0.2214723"));
  static_cast<void>(Printed({"export", "1", "abcd.csv"}));
  EXPECT_THAT(
      ReadAll(folder_ + "/abcd.csv"),
      StartsWith("d,h,v\nder(h),-0.09904544411531506,0.04999999999999999"));
  static_cast<void>(Printed({"export", "1", "report.html"}));
  EXPECT_THAT(ReadAll(folder_ + "/report.html"),
              AllOf(HasSubstr("<h1>Experiment 1: linearization of Tank</h1>"),
                    HasSubstr("<svg"),
                    HasSubstr("phase(v:h)"),
                    HasSubstr("modes (stable)"),
                    HasSubstr("model Tank")));
}

TEST_F(SavedAnalysisTest, AFrequencyResponseIsAnExperimentOfItsOwn) {
  // At its corner frequency a first-order lag has lost 3 dB and 45 degrees.
  const std::string found = Printed({"frequency",
                                     "tank.mo",
                                     "--set",
                                     "h=5",
                                     "--frequencies",
                                     "0.09904544411531507"});
  EXPECT_THAT(found,
              AllOf(StartsWith("Tank  frequency response at the start, t = 0 "
                               "s\n\nresponse of h to v\n"),
                    ContainsRegex("0\\.09904544 +-8\\.947[0-9]* +-45\n"),
                    Not(HasSubstr("modes"))));
  EXPECT_THAT(Printed({"show", "1"}),
              AllOf(StartsWith("experiment 1: frequency-response of Tank, "),
                    HasSubstr(found)));
  EXPECT_THAT(Printed({"rerun", "1"}),
              HasSubstr("the same as experiment 1, to the last bit"));
  static_cast<void>(Printed({"export", "1", "bode.csv"}));
  EXPECT_THAT(ReadAll(folder_ + "/bode.csv"),
              StartsWith("frequency [rad/s],magnitude(v:h) [dB],phase(v:h) "
                         "[deg]\n0.09904544411531507,-8.947"));
}

TEST_F(SavedAnalysisTest, WrongUsesAreRefusedInWords) {
  SaveTwoSystems();
  static_cast<void>(Printed({"steady", "tank.mo", "--fix", "h=5"}));
  EXPECT_EQ(Refused({"compare", "1", "3"}),
            "orrery: cannot compare experiments 1 and 3: one is of type "
            "linearization, the other of type steady-state; take two of a "
            "kind\n");
  EXPECT_THAT(Refused({"show", "1", "--plot", "magnitude(v:x)"}),
              HasSubstr("did you mean 'magnitude(v:h)'?"));
  EXPECT_THAT(Refused({"show", "3", "--plot", "h"}), HasSubstr("'h'"));
  EXPECT_THAT(Refused({"export", "1", "system.mat"}),
              HasSubstr("cannot write 'system.mat': the matrices of a linear "
                        "system are written as .csv"));
  EXPECT_THAT(Refused({"rerun", "1", "--queue", "nats://localhost"}),
              HasSubstr("leave out --queue"));
  EXPECT_THAT(Refused({"resume", "1"}), HasSubstr("orrery rerun 1"));
  EXPECT_THAT(Refused({"frequency", "tank.mo", "--frequencies", "1,x"}),
              HasSubstr("--frequencies"));
  EXPECT_EQ(Refused({"frequency", "tank.mo", "--frequencies", "normal(1,2)"}),
            "orrery: cannot take --frequencies normal(1,2): give rad/s as in "
            "0.1,1,10, or logspace(-1,2,200) for 200 from 0.1 to 100\n");
  EXPECT_THAT(Refused({"frequency", "tank.mo", "--frequencies", "0,1"}),
              HasSubstr("frequenc"));
  EXPECT_THAT(Refused({"frequency", "tank.mo", "--outputs", "hh"}),
              HasSubstr("'hh'"));
  Write("decay.mo",
        "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; "
        "end Decay;");
  EXPECT_EQ(Refused({"frequency", "decay.mo"}),
            "orrery: cannot compute a frequency response: the model has no "
            "inputs; name some by --inputs\n");
}

}  // namespace
}  // namespace orrery::cli
