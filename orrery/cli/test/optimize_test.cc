#include <unistd.h>

#include <csignal>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// x(1) = exp(-rate): all optima are known.
constexpr const char* kDecay = R"(
model Decay
  parameter Real rate(unit = "1/s") = 1;
  parameter Real gain = 1;
  parameter Integer n = 1;
  Real x(start = 1, fixed = true);
  Real y = gain*x;
equation
  der(x) = -rate*x;
  assert(rate < 8, "it is too fast");
  annotation(experiment(StopTime = 1, Tolerance = 1e-10));
end Decay;
)";

class CliOptimizeTest : public CliTest {
 protected:
  CliOptimizeTest() { Write("decay.mo", kDecay); }

  [[nodiscard]] Outcome Optimize(std::vector<std::string> words) const {
    words.insert(words.begin(), {"optimize", "decay.mo"});
    return Orrery(words);
  }

  [[nodiscard]] json OptimizeJson(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome outcome = Optimize(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  [[nodiscard]] std::string Refused(std::vector<std::string> words) const {
    const Outcome outcome = Optimize(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
};

const std::vector<std::string> kHalf = {
    "--vary", "rate=[0.1,5]", "--minimize", "(final(x) - 0.5)^2"};

std::vector<std::string> With(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(CliOptimizeTest, TheOptimumIsReported) {
  const Outcome outcome = Optimize(kHalf);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("Decay  minimum of (final(x) - 0.5)^2  "));
  EXPECT_THAT(outcome.out, HasSubstr("evaluations by slsqp"));
  EXPECT_THAT(outcome.out, HasSubstr("  rate 1/s            0.69314"));
  EXPECT_THAT(outcome.out, HasSubstr("  it has converged\n"));
}

TEST_F(CliOptimizeTest, AllIsToldInJsonToo) {
  const json report = OptimizeJson({"--vary",
                                    "rate=[0.1,5]",
                                    "--vary",
                                    "gain=1[0.5,2]",
                                    "--maximize",
                                    "final(y)",
                                    "--subject-to",
                                    "final(x) <= 25%",
                                    "--subject-to",
                                    "max(y) <= 3"});
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["goal"], "maximize");
  EXPECT_NEAR(report["objective"]["value"], 0.5, 1e-6);
  EXPECT_NEAR(report["values"][0]["value"], 2 * std::numbers::ln2, 1e-5);
  EXPECT_EQ(report["values"][0]["unit"], "1/s");
  EXPECT_TRUE(report["values"][0]["at_bound"].is_null());
  EXPECT_EQ(report["values"][1]["at_bound"], "high");
  EXPECT_EQ(report["constraints"][0]["text"], "final(x) <= 25%");
  EXPECT_EQ(report["constraints"][0]["active"], true);
  EXPECT_EQ(report["constraints"][1]["active"], false);
  EXPECT_NEAR(report["constraints"][1]["missed_by"], -1, 1e-6);
  EXPECT_EQ(report["ends"][0]["why"], "it has converged");
}

TEST_F(CliOptimizeTest, BoundsAndConstraintsThatBindAreTold) {
  const Outcome outcome = Optimize({"--vary",
                                    "rate=[0.1,5]",
                                    "--vary",
                                    "gain=[0.5,2]",
                                    "--maximise",
                                    "final(y)",
                                    "--subject-to",
                                    "final(x) <= 0.25"});
  EXPECT_THAT(outcome.out, HasSubstr("at its upper bound"));
  EXPECT_THAT(outcome.out, HasSubstr("holds, with nothing to spare"));
}

TEST_F(CliOptimizeTest, TheBritishSpellingIsTakenToo) {
  const Outcome outcome = Orrery({"optimise",
                                  "decay.mo",
                                  "--no-save",
                                  "--vary",
                                  "rate=[0.1,5]",
                                  "--minimise",
                                  "rate"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("at its lower bound"));
}

TEST_F(CliOptimizeTest, DerivativesAreTakenWhereTheyAreExact) {
  EXPECT_EQ(OptimizeJson(kHalf)["method"], "slsqp");
  // The time of an extreme does not depend smoothly on parameters.
  EXPECT_EQ(OptimizeJson({"--vary",
                          "rate=[0.1,5]",
                          "--minimize",
                          "(final(x) - 0.5)^2 + time_of_max(x)"})["method"],
            "cobyla");
  EXPECT_EQ(
      OptimizeJson(With(kHalf, {"--subject-to", "max(x) <= 2"}))["method"],
      "cobyla");
}

TEST_F(CliOptimizeTest, EveryKindOfMethodFindsIt) {
  for (const char* method : {"cobyla", "slsqp", "direct-l", "crs2"}) {
    const json report = OptimizeJson(
        With(kHalf, {"--method", method, "--max-evaluations", "400"}));
    EXPECT_EQ(report["method"], method);
    EXPECT_NEAR(report["values"][0]["value"], std::numbers::ln2, 1e-4)
        << method;
  }
}

// y - n/2 is least in magnitude where gain*exp(-rate) = n/2.
TEST_F(CliOptimizeTest, WholeNumbersAndSeveralStartsAreSearched) {
  const json report = OptimizeJson({"--vary",
                                    "n=integer[3,6]",
                                    "--vary",
                                    "rate=[0.1,5]",
                                    "--minimize",
                                    "(rate - 2)^2 + (n - 4.4)^2",
                                    "--starts",
                                    "2"});
  EXPECT_EQ(report["searches"], 8);
  EXPECT_EQ(report["values"][0]["value"], 4);
  EXPECT_NEAR(report["values"][1]["value"], 2, 1e-5);
  EXPECT_NEAR(report["objective"]["value"], 0.16, 1e-9);
}

TEST_F(CliOptimizeTest, RunsThatFailAreCountedAndAvoided) {
  const json report =
      OptimizeJson({"--vary", "rate=7[1,9]", "--minimize", "final(x)"});
  EXPECT_GT(report["failed"], 0);
  EXPECT_NEAR(report["values"][0]["value"], 8, 1e-3);
}

TEST_F(CliOptimizeTest, WhereNothingRunsTheReasonIsTold) {
  const Outcome outcome =
      Optimize({"--vary", "rate=[8.5,9]", "--minimize", "final(x)"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("no point comes to anything: at rate = 8.75: "));
  EXPECT_THAT(outcome.out,
              HasSubstr("it is too fast; begin where the model runs, by a "
                        "guess before the bounds, as rate=GUESS[8.5,9], or by "
                        "several --starts\n"));
}

constexpr const char* kNarrow = R"(
model Narrow
  parameter Real k = 1.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
  assert(abs(k + 1e-30*x - 1.5) < 1e-9, "k is not 1.5");
  assert(x < 1, "x is large", AssertionLevel.warning);
  annotation(experiment(StopTime = 1));
end Narrow;
)";

TEST_F(CliOptimizeTest, WhereAllNeighboursFailItIsWarnedOf) {
  Write("narrow.mo", kNarrow);
  const Outcome outcome = Orrery(
      {"optimize", "narrow.mo", "--vary", "k=1.5[1,2]", "--minimize", "x"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("warning: of the 10 points next to the optimum 9 failed (the "
                "first one of all, at k = "));
  EXPECT_THAT(
      outcome.err,
      HasSubstr("k is not 1.5): it may be but the edge of where the model "
                "runs; narrow the ranges of --vary to where it does, or say by "
                "--subject-to where that is\n"));
  const Outcome well = Optimize(kHalf);
  EXPECT_EQ(well.err, "");
}

TEST_F(CliOptimizeTest, WarningsOfTheRunAtTheOptimumAreTold) {
  Write("narrow.mo", kNarrow);
  const json report = json::parse(Orrery({"optimize",
                                          "narrow.mo",
                                          "--vary",
                                          "k=1.5[1,2]",
                                          "--minimize",
                                          "x",
                                          "--json"})
                                      .out);
  ASSERT_EQ(report["diagnostics"].size(), 2);
  const std::string message = report["diagnostics"][0]["message"];
  EXPECT_THAT(message, StartsWith("at the optimum: at t = 0.66666"));
  EXPECT_THAT(message, HasSubstr(" s: x is large"));
}

TEST_F(CliOptimizeTest, WhereNothingIsFeasibleTheNearestIsTold) {
  const Outcome outcome = Optimize({"--vary",
                                    "rate=[0.1,1]",
                                    "--minimize",
                                    "rate",
                                    "--subject-to",
                                    "final(x) <= 0.1"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no point satisfies the constraints"));
  EXPECT_THAT(outcome.out, HasSubstr("is missed by 0.267879"));
}

TEST_F(CliOptimizeTest, TheHistoryIsWrittenAsATable) {
  EXPECT_EQ(Optimize(With(kHalf, {"--output", "history.csv"})).exit_code, 0);
  EXPECT_THAT(ReadAll(folder_ + "/history.csv"),
              StartsWith("run,status,rate,(final(x) - 0.5)^2\n"
                         "1,completed,2.55,"));
}

TEST_F(CliOptimizeTest, TheBestRunOrTheHistoryIsPlotted) {
  EXPECT_THAT(Optimize(With(kHalf, {"--plot", "x"})).out, HasSubstr("time"));
  EXPECT_THAT(Optimize(With(kHalf, {"--plot", "rate:(final(x) - 0.5)^2"})).out,
              HasSubstr("rate"));
  EXPECT_THAT(Refused(With(kHalf, {"--plot", "z"})), HasSubstr("'z'"));
}

// By Erlang's formula four tellers let customers wait for 98 s, five for 20 s.
TEST_F(CliOptimizeTest, ModelsWithRandomNumbersAreEvaluatedBySeveralRuns) {
  const Outcome outcome = Orrery({"optimize",
                                  Plugin("bank"),
                                  "--vary",
                                  "tellers=integer[3,8]",
                                  "--minimize",
                                  "tellers",
                                  "--subject-to",
                                  "mean_wait_s <= 60",
                                  "--stop",
                                  "10d",
                                  "--runs",
                                  "4",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["values"][0]["value"], 5);
  EXPECT_NEAR(report["constraints"][0]["missed_by"], 20 - 60, 2);
  EXPECT_EQ(report["evaluations"], 6);
}

// The store ----------------------------------------------------------------

TEST_F(CliOptimizeTest, AnOptimisationIsSavedShownAndRunAgain) {
  const Outcome outcome = Optimize(With(
      kHalf,
      {"--method", "crs2", "--max-evaluations", "100", "--store", "my.db"}));
  EXPECT_THAT(outcome.err, HasSubstr("saved as experiment 1"));
  ExperimentStore store(folder_ + "/my.db");
  const ExperimentRecord record = store.Read(1);
  EXPECT_EQ(record.info.type, "optimization");
  EXPECT_GE(record.info.runs.finished, 75) << "three quarters are global";
  EXPECT_LE(record.info.runs.finished, 100);
  EXPECT_NEAR(store.ReadTrajectory(1, 0)["x"].final(), 0.5, 1e-3)
      << "the best run";
  const OptimisationDocument document =
      OptimisationDocumentFromJson(record.document);
  EXPECT_EQ(document.vary, std::vector<std::string>{"rate=[0.1,5]"});
  EXPECT_EQ(document.options.method, OptimisationMethod::kCrs2);
  EXPECT_EQ(document.options.max_evaluations, 100);

  const Outcome shown = Orrery({"show", "1", "--store", "my.db"});
  EXPECT_THAT(shown.out, StartsWith("experiment 1: optimization of Decay"));
  EXPECT_THAT(shown.out, HasSubstr("rate 1/s"));
  EXPECT_THAT(shown.out, HasSubstr("evaluations by crs2"));
  const Outcome again = Orrery({"rerun", "1", "--store", "my.db"});
  EXPECT_THAT(again.out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

// A killed process leaves only the first points of an optimisation. When it is
// resumed, it has the results of an uninterrupted one.
TEST_F(CliOptimizeTest, ASearchThatWasKilledGoesOnToTheSameBits) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{
            "--method", "esch", "--max-evaluations", "400"},
        {"--method", "cobyla", "--subject-to", "y <= 0.45"},
        {"--minimize", "rate", "--max-evaluations", "256"}}) {
    const std::vector<std::string> words = With(kHalf, more);
    ASSERT_EQ(Optimize(With(words, {"--store", "all.db"})).exit_code, 0);
    ExperimentStore all(folder_ + "/all.db");
    const ExperimentId id = all.List({.limit = 1}).front().id;
    const RunTable whole = all.ReadRuns(id);
    const ExperimentRecord record = all.Read(id);
    const std::string path = folder_ + "/part" + std::to_string(id) + ".db";
    {
      ExperimentStore part(path);
      ASSERT_EQ(part.Begin({.created_ns = 1,
                            .type = record.info.type,
                            .model = record.info.model,
                            .document = record.document,
                            .source_hash = record.source_hash,
                            .runs_asked = 0,
                            .columns = record.columns}),
                1);
      part.Attach(1, "decay.mo", "text/plain", kDecay);
      RunBatch first{.status = {RunStatus::kCompleted,
                                RunStatus::kCompleted,
                                RunStatus::kCompleted},
                     .values = {}};
      for (const std::vector<double>& values : whole.values) {
        first.values.emplace_back(values.begin(), values.begin() + 3);
      }
      part.AppendRuns(1, first);
      part.Finish(1, {.status = ExperimentStatus::kInterrupted});
    }
    const Outcome outcome = Orrery({"resume", "1", "--store", path});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    ExperimentStore resumed(path);
    EXPECT_EQ(resumed.ReadRuns(1).values, whole.values);
    json is = json::parse(resumed.Read(1).summary);
    json was = json::parse(record.summary);
    is.erase("run_ms");
    was.erase("run_ms");
    EXPECT_EQ(is, was);
  }
}

// The objectives are (x - 0.5)^2 and rate: fast decay is one end of the front,
// no decay the other.
TEST_F(CliOptimizeTest, SeveralObjectivesHaveTheirFrontSought) {
  const std::vector<std::string> words =
      With(kHalf, {"--minimize", "rate", "--max-evaluations", "640"});
  const json report = OptimizeJson(words);
  EXPECT_EQ(report["method"], "nsga-ii");
  EXPECT_EQ(report["evaluations"], 640);
  ASSERT_GT(report["front"].size(), 10U);
  double before = -1;
  for (const json& point : report["front"]) {
    const double rate = point["values"]["rate"];
    const double error = std::exp(-rate) - 0.5;
    EXPECT_NEAR(point["objectives"][0], error * error, 1e-9);
    EXPECT_EQ(point["objectives"][1], rate);
    EXPECT_LE(rate, std::log(2.0) + 0.01);
    EXPECT_GE(point["objectives"][0], before);
    before = point["objectives"][0];
  }
  const Outcome saved = Optimize(With(words, {"--store", "front.db"}));
  EXPECT_THAT(saved.out,
              StartsWith("Decay  minimum of (final(x) - 0.5)^2, minimum of "));
  const Outcome shown = Orrery({"show", "1", "--store", "front.db"});
  EXPECT_THAT(shown.out, HasSubstr("than which none is better in all"));
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "front.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(CliOptimizeTest, ThreadsChangeNothing) {
  for (const char* jobs : {"1", "3"}) {
    EXPECT_EQ(Optimize(With(kHalf,
                            {"--starts",
                             "4",
                             "--jobs",
                             jobs,
                             "--output",
                             std::string("h") + jobs + ".csv"}))
                  .exit_code,
              0);
  }
  EXPECT_EQ(ReadAll(folder_ + "/h1.csv"), ReadAll(folder_ + "/h3.csv"));
}

TEST_F(CliOptimizeTest, WhatIsInterruptedTellsTheBestSoFar) {
  const pid_t child = Start({"optimize",
                             "decay.mo",
                             "--no-save",
                             "--vary",
                             "rate=[0.1,5]",
                             "--minimize",
                             "(final(x) - 0.5)^2",
                             "--method",
                             "esch",
                             "--max-evaluations",
                             "100000000"},
                            "out");
  usleep(1'000'000);
  kill(child, SIGINT);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("the search was interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("  rate 1/s            0.69"));
}

// Wrong uses -----------------------------------------------------------------

TEST_F(CliOptimizeTest, WrongCommandsAreRefusedInWords) {
  EXPECT_THAT(Refused({"--vary", "rate=[0.1,5]"}),
              HasSubstr("cannot optimise: it is not said what; give a measure "
                        "by --minimize or --maximize"));
  EXPECT_THAT(Refused({"--minimize", "x"}),
              HasSubstr("cannot search: nothing varies; give a factor with "
                        "bounds"));
  EXPECT_THAT(Refused({"--vary", "rate=1:0.5:5", "--minimize", "x"}),
              HasSubstr("cannot search over 'rate=1:0.5:5': it has values, not "
                        "bounds; write rate=[1,5]"));
  EXPECT_THAT(Refused({"--vary", "rat=[1,5]", "--minimize", "x"}),
              HasSubstr("cannot vary 'rat'"));
  EXPECT_THAT(Refused({"--vary", "rate=[1,5]", "--minimize", "x < 1"}),
              HasSubstr("cannot optimise 'x < 1': it is a truth"));
  EXPECT_THAT(Refused(With(kHalf, {"--method", "boyqa"})),
              HasSubstr("there is no such method; did you mean 'bobyqa'?"));
  EXPECT_THAT(Refused(With(kHalf, {"--method", "bobyqa"})),
              HasSubstr("the method bobyqa needs 2 factors"));
}

TEST_F(CliOptimizeTest, WhoAskedForJsonGetsItForErrorsToo) {
  const Outcome outcome = Optimize({"--minimize", "x", "--json"});
  EXPECT_EQ(outcome.exit_code, 2);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "error");
  EXPECT_THAT(report["message"].get<std::string>(),
              HasSubstr("nothing varies"));
}

TEST_F(CliOptimizeTest, WrongConstraintsAreRefusedInWords) {
  EXPECT_THAT(Refused(With(kHalf, {"--subject-to", "max(x)"})),
              HasSubstr("compare two numbers by <=, >= or =="));
  EXPECT_THAT(Refused(With(kHalf, {"--subject-to", "max(z) <= 2"})),
              HasSubstr("no signal 'z'"));
  EXPECT_THAT(
      Refused(With(kHalf, {"--subject-to", "x <= 2", "--method", "esch"})),
      HasSubstr("the method esch knows no constraints; take one of auto, "
                "cobyla"));
  EXPECT_THAT(Refused(With(
                  kHalf, {"--subject-to", "x <= 2", "--subject-to", "x <= 2"})),
              HasSubstr("two columns 'x <= 2'"));
}

TEST_F(CliOptimizeTest, WhatVariesIsNotSet) {
  EXPECT_THAT(
      Refused({"--vary", "rate=[0,5]", "--set", "rate=2", "--minimize", "x"}),
      HasSubstr("cannot set 'rate' to 2: it is what varies"));
}

TEST_F(CliOptimizeTest, NumbersOutOfRangeAreRefusedInWords) {
  EXPECT_THAT(Refused(With(kHalf, {"--max-evaluations", "0"})),
              HasSubstr("cannot take --max-evaluations 0"));
  EXPECT_THAT(Refused(With(kHalf, {"--search-tolerance", "2"})),
              HasSubstr("the tolerance is 2"));
  EXPECT_THAT(Refused(With(kHalf, {"--starts", "9", "--max-evaluations", "5"})),
              HasSubstr("there are 9 searches; allow more, or fewer starts"));
  EXPECT_THAT(Refused(With(kHalf, {"--output", "history.mat"})),
              HasSubstr("give a name that ends in .csv"));
  EXPECT_THAT(Refused({"--vary", "n=integer[1,1000000]", "--minimize", "x"}),
              HasSubstr("1e+06 combinations; narrow the bounds"));
}

}  // namespace
}  // namespace orrery::cli
