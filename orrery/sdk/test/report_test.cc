#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/peers/live_request.h"
#include "orrery/sdk/reports/comparison_report.h"
#include "orrery/sdk/reports/error_report.h"
#include "orrery/sdk/reports/many_runs_report.h"
#include "orrery/sdk/reports/optimisation_report.h"
#include "orrery/sdk/reports/run_report.h"
#include "orrery/sdk/reports/stored_report.h"

namespace orrery {
namespace {

using std::chrono_literals::operator""s;
using nlohmann::json;
using testing::ElementsAre;

// x = exp(-t)
struct Decay : Block {
  State x{this, "x", 1.0};

  void Equations(EquationSet& eq) override { eq.Der(x) = -x; }
};

std::string ReportOfDecay() {
  Diagram d{"Decay"};
  d.Add<Decay>("decay");
  const auto program = Compile(MakeModel(d));
  return JsonReport(*program,
                    Simulate(program, {.stop = 2s, .tolerance = 1e-10}),
                    {.compile_ms = 3, .run_ms = 5},
                    ReportedEvents::kWith,
                    std::nullopt);
}

TEST(ReportTest, RunIsOneObjectWithFinalValuesAndTimes) {
  const json report = json::parse(ReportOfDecay());
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["model"], "Decay");
  EXPECT_EQ(report["time"], 2);
  EXPECT_EQ(report["compile_ms"], 3);
  EXPECT_EQ(report["run_ms"], 5);
  EXPECT_NEAR(report["final"]["decay.x"], 0.13533528323661270, 1e-9);
  EXPECT_EQ(report["event_log"], json::array());
}

TEST(ReportTest, ErrorHasTheKeysOfARunAndNoValues) {
  const json run = json::parse(ReportOfDecay());
  const json report = json::parse(JsonReport(
      Error(ErrorCode::kInvalidModel, "it has no end"), ReportKind::kRun));
  EXPECT_EQ(report["status"], "error");
  EXPECT_EQ(report["message"], "it has no end");
  EXPECT_EQ(report["diagnostics"][0]["severity"], "error");
  for (const auto& [key, value] : run.items()) {
    EXPECT_TRUE(report.contains(key) || key == "event_log") << key;
  }
  EXPECT_TRUE(report["final"].is_null());
}

TEST(ReportTest, ErrorWithoutARunHasNoKeysOfRuns) {
  const json report = json::parse(
      JsonReport(Error(ErrorCode::kIo, "no file"), ReportKind::kOther));
  EXPECT_EQ(report.size(), 3U);
}

TEST(ReportTest, TableOfRunsHasMeansAndNullForMissingNumbers) {
  ManyRunsReport report{.model = "M"};
  report.table.columns = {{.name = "k", .role = RunColumn::Role::kVaried},
                          {.name = "final(x)", .unit = "m"}};
  report.table.status = {
      RunStatus::kCompleted, RunStatus::kCompleted, RunStatus::kFailed};
  report.table.values = {{1, 2, 3}, {4, 8, kNaN}};
  report.failures = {{.run = 2, .message = "it bursts"}};
  const json written = json::parse(JsonReport(report));
  EXPECT_EQ(written["runs"]["completed"], 2);
  EXPECT_EQ(written["runs"]["failed"], 1);
  EXPECT_EQ(written["columns"][1]["mean"], 6);
  EXPECT_EQ(written["columns"][1]["values"], json({4, 8, nullptr}));
  EXPECT_EQ(written["failures"][0]["run"], 3);
}

TEST(ReportTest, WarningsOfAReportAreReadBack) {
  const std::vector<Diagnostic> diagnostics = {
      {.severity = Severity::kWarning, .message = "late", .line = 3},
      {.message = "wrong"}};
  const std::vector<Diagnostic> read =
      StoredWarnings(DiagnosticsReport(diagnostics));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].message, "late");
  EXPECT_EQ(read[0].line, 3);
  EXPECT_TRUE(StoredWarnings("").empty());
}

TEST(ReportTest, DamagedReportIsAnError) {
  EXPECT_THROW(static_cast<void>(StoredWarnings("{\"diagnostics\": [")), Error);
  EXPECT_THROW(static_cast<void>(OptimisationFromJson("{")), Error);
}

TEST(ReportTest, FinalValuesBesideATrajectoryAreThoseItLacks) {
  const std::vector<StoredResult> others = FinalBeside(
      Trajectory(), R"({"final": {"mode": "idle", "n": 3, "none": null}})");
  ASSERT_EQ(others.size(), 3U);
  EXPECT_EQ(others[0].json, "\"idle\"");
  EXPECT_EQ(others[0].number, std::nullopt);
  EXPECT_EQ(others[1].number, 3);
  EXPECT_EQ(others[2].json, "null");
}

TEST(ReportTest, MembersOfADocumentAreNamedByTheirObject) {
  std::vector<std::string> members;
  for (const DocumentMember& member : MembersOf(
           R"({"orrery": 1, "file": "a.mo", "options": {"stop": 2.0},
               "keep": ["x", "y"]})")) {
    members.push_back(member.name + "=" + member.value);
  }
  EXPECT_THAT(members,
              ElementsAre("file=a.mo", "options stop=2.0", "keep=x", "keep=y"));
}

TEST(ReportTest, RequestsDifferByThePathOfTheMember) {
  const std::vector<RequestDifference> differences =
      RequestDifferences(R"({"file": "a.mo", "options": {"stop": 2.0}})",
                         R"({"file": "a.mo", "options": {"step": 0.5}})");
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].name, "options stop");
  EXPECT_EQ(differences[0].json_of_a, "2.0");
  EXPECT_EQ(WordsOfJson(differences[0].json_of_b), "-");
  EXPECT_EQ(differences[1].name, "options step");
}

TEST(ReportTest, ComparisonWritesComplexNumbersAsTwo) {
  ComparisonReport report{.a = 3, .b = 7};
  report.results = {{.number = {"pole 1", {{-0.5, 2}}, {{-1, 0}}},
                     .most = SignalDistance{.value = 1.5, .time = 4}}};
  const json written = json::parse(JsonReport(report));
  EXPECT_EQ(written["experiments"], json({3, 7}));
  EXPECT_EQ(written["results"][0]["values"][0],
            json({{"re", -0.5}, {"im", 2.0}}));
  EXPECT_EQ(written["results"][0]["values"][1], -1);
  EXPECT_EQ(written["results"][0]["at"], 4);
}

constexpr const char* kOptimum =
    R"json({"status": "completed", "message": "",
    "model": "Tank", "goal": "minimize",
    "objective": {"name": "max(h)", "value": 1.25},
    "values": [{"name": "rate", "unit": "m3/s", "value": 0.1, "low": 0.1,
                "high": 9, "at_bound": "low"}],
    "constraints": [{"text": "max(x) <= 2", "missed_by": -1, "holds": true,
                     "active": false}],
    "method": "slsqp", "evaluations": 12, "failed": 0,
    "slope_evaluations": 4, "searches": 1, "best_search": 1,
    "ends": [{"why": "it is flat", "searches": 1}], "run_ms": 2.5})json";

TEST(ReportTest, OptimumIsReadFromItsReport) {
  const auto stored =
      std::get<StoredOptimisation>(OptimisationFromJson(kOptimum));
  EXPECT_EQ(stored.objective, "max(h)");
  EXPECT_EQ(stored.objective_value, 1.25);
  ASSERT_EQ(stored.values->size(), 1U);
  EXPECT_EQ(stored.values->front().bound, "low");
  EXPECT_EQ(stored.values->front().value_name, "");
  EXPECT_EQ(stored.constraints.front().missed_by, -1);
  EXPECT_EQ(stored.ends.front().why, "it is flat");
}

TEST(ReportTest, ValuesAtAnOptimumAreExact) {
  const auto values = OptimumIn(kOptimum);
  ASSERT_TRUE(values.has_value());
  EXPECT_THAT(*values, ElementsAre(ParameterText{"rate", "0.1"}));
  EXPECT_EQ(OptimumIn(""), std::nullopt);
  EXPECT_EQ(OptimumIn(R"({"values": null})"), std::nullopt);
}

TEST(ReportTest, FrontIsReadFromItsReport) {
  const auto stored = std::get<StoredFront>(OptimisationFromJson(
      R"({"model": "Tank", "message": "", "method": "nsga-ii",
          "objectives": [{"name": "cost", "goal": "minimize"}],
          "front": [{"run": 4, "values": {"a": 1, "b": 2}, "objectives": [7]}],
          "evaluations": 40, "failed": 2, "run_ms": 9})"));
  EXPECT_THAT(stored.names, ElementsAre("a", "b"));
  EXPECT_EQ(stored.points.front().run, 4);
  EXPECT_THAT(stored.points.front().values, ElementsAre(1, 2));
  EXPECT_EQ(stored.failed, 2);
}

TEST(LiveRequestTest, LineOfJsonWithATimeSetsNotBeforeIt) {
  const LiveRequest request =
      ParseJsonRequest(R"({"time": 1.5, "set": {"k": 2, "on": true}})");
  EXPECT_EQ(request.kind, LiveRequest::Kind::kSet);
  EXPECT_EQ(request.time, 1.5);
  ASSERT_EQ(request.settings.size(), 2U);
  EXPECT_EQ(request.settings[1].value, 1);
}

TEST(LiveRequestTest, TypedLinesMeanTheSameAsJson) {
  EXPECT_EQ(ParseTypedRequest(" k =  2 "), ParseJsonRequest(R"({"k": 2})"));
  EXPECT_EQ(ParseTypedRequest("show x y"),
            ParseJsonRequest(R"({"show": ["x", "y"]})"));
  EXPECT_EQ(ParseTypedRequest("stop"), ParseJsonRequest(R"({"do": "stop"})"));
}

}  // namespace
}  // namespace orrery
