#include "orrery/experiment/cluster/job_messages.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/experiment/cluster/run_bytes.h"

namespace orrery::experiment::internal {
namespace {

JobDefinition SomeDefinition() {
  return {.job = {.version = "1.2.3",
                  .type = "sweep",
                  .document = R"({"file":"spring.mo"})",
                  .files = {},
                  .runs = 1'000'000'000,
                  .columns = {{.name = "k",
                               .unit = "N/m",
                               .role = RunColumn::Role::kVaried},
                              {.name = "max(x)"}}},
          .files = {{.name = "../spring.mo", .hash = ~0ULL, .parts = 3}},
          .patience = std::chrono::milliseconds(500)};
}

WorkerReport SomeReport() {
  return {.worker = "node7:4711/2",
          .busy = std::chrono::microseconds(12),
          .side_by_side = 8,
          .batch = {.first = 7,
                    .status = {RunStatus::kCompleted,
                               RunStatus::kFailed,
                               RunStatus::kMissing},
                    .values = {{1, 0.1, -0.0}, {kInfinity, 1e-320, 3}},
                    .failures = {{.run = 8, .message = "b\u00e4\n\"h"}},
                    .warnings = {{.run = 7,
                                  .what = {.severity = Severity::kWarning,
                                           .message = "t\u00e9",
                                           .hint = "mend",
                                           .path = "a.b",
                                           .file = "x.mo",
                                           .line = 3,
                                           .column = 2,
                                           .length = 4,
                                           .excerpt = "line",
                                           .excerpt_begin = 1}}}}};
}

TEST(JobMessagesTest, ADefinitionComesBack) {
  const JobDefinition definition = SomeDefinition();
  EXPECT_EQ(DefinitionFrom(ToMessage(definition), "1.2.3"), definition);
}

TEST(JobMessagesTest, OfAnotherVersionNothingElseIsRead) {
  const auto definition = DefinitionFrom(R"({"orrery": "9.0.0"})", "1.2.3");
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->job.version, "9.0.0");
}

TEST(JobMessagesTest, ATaskComesBack) {
  const RunTask task{.runs = {.first = 5, .count = 3}, .deaths = 2};
  EXPECT_EQ(TaskFrom(ToMessage(task)), task);
}

TEST(JobMessagesTest, ARequestComesBackToTheLastBit) {
  const RunTask task{.runs = {.first = 5, .count = 1},
                     .request = RunRequest{.subject = 3,
                                           .names = {"k", "x[1]"},
                                           .wanted = {.signals = {{"v"}},
                                                      .last_row_only = true,
                                                      .between_rows = true,
                                                      .sensitivities = true},
                                           .values = {0.1, -5e-324},
                                           .seed = ~0ULL}};
  EXPECT_EQ(TaskFrom(ToMessage(task)), task);
  RunTask all = task;
  all.request->wanted.signals.reset();
  EXPECT_EQ(TaskFrom(ToMessage(all)), all);
}

TEST(JobMessagesTest, ARequestIsOfOneRunWithAValueForEachName) {
  RunTask task{.runs = {.first = 5, .count = 2},
               .request = RunRequest{.names = {"k"}, .values = {1}}};
  EXPECT_FALSE(TaskFrom(ToMessage(task)));
  task.runs.count = 1;
  EXPECT_TRUE(TaskFrom(ToMessage(task)));
  task.request->values.clear();
  EXPECT_FALSE(TaskFrom(ToMessage(task)));
}

TEST(JobMessagesTest, APartOfARunComesBack) {
  const RunPart part{
      .run = 7, .index = 1, .count = 3, .bytes = {'a', '\n', '\0', '\xff'}};
  const auto read =
      ReportFrom(ToMessage(WorkerReport{.batch = {}, .part = part}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->part, part);
  EXPECT_FALSE(ReportFrom(ToMessage(WorkerReport{
      .batch = {}, .part = RunPart{.index = 3, .count = 3, .bytes = {}}})));
}

// A constant, a negated alias, a signal with its derivative, one of events.
SubjectRun SomeRun() {
  TrajectoryBuilder builder({{.name = "k",
                              .unit = "N/m",
                              .variability = SignalVariability::kConstant},
                             {.name = "x", .column = 0, .derivative = 2},
                             {.name = "v", .column = 1},
                             {.name = "w", .column = 1, .negated = true},
                             {.name = "on",
                              .variability = SignalVariability::kDiscrete,
                              .column = 2}});
  builder.SetConstant(0, 0.1);
  builder.Append(0, std::vector<double>{1, -0.0, 0});
  builder.Append(0.5, std::vector<double>{1.1, 1e-320, 0});
  builder.Append(0.5, std::vector<double>{1.1, kInfinity, 1});
  return {.trajectory = builder.Take()};
}

TEST(RunBytesTest, ARunComesBackToTheLastBit) {
  const SubjectRun run = SomeRun();
  const auto read = SubjectRunFrom(ToBytes(run));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trajectory.signals().size(), 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const SignalInfo& was = run.trajectory.signals()[i];
    const SignalInfo& is = read->trajectory.signals()[i];
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(is.unit, was.unit);
    EXPECT_EQ(is.variability, was.variability);
    EXPECT_EQ(read->trajectory.signal(i).values(),
              run.trajectory.signal(i).values());
  }
  EXPECT_TRUE(std::signbit(read->trajectory["v"][0]));
  EXPECT_EQ(read->trajectory["x"].at(0.25), run.trajectory["x"].at(0.25));
  EXPECT_EQ(ToBytes(*read), ToBytes(run));
}

TEST(RunBytesTest, AFailureComesBackWithoutATrajectory) {
  const auto read = SubjectRunFrom(ToBytes(SubjectRun{.failure = "too cold"}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->failure, "too cold");
  EXPECT_EQ(read->trajectory.rows(), 0);
}

TEST(RunBytesTest, WhatIsCutOffOrDoesNotFitIsNoRun) {
  const std::string bytes = ToBytes(SomeRun());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(SubjectRunFrom(std::string_view(bytes).substr(0, size)))
        << size;
  }
  const auto with = [&](const std::string& was, const std::string& is) {
    std::string other = bytes;
    return other.replace(other.find(was), was.size(), is);
  };
  EXPECT_TRUE(SubjectRunFrom(with("\"x\"", "\"y\"")));
  EXPECT_FALSE(SubjectRunFrom(with("\"x\"", "\"k\"")));
  EXPECT_FALSE(SubjectRunFrom(with("\"column\":1", "\"column\":3")));
  EXPECT_FALSE(SubjectRunFrom(with("\"derivative\":2", "\"derivative\":5")));
  EXPECT_FALSE(SubjectRunFrom(with("\"rows\":3", "\"rows\":4")));
}

TEST(JobMessagesTest, AReportComesBack) {
  const WorkerReport report = SomeReport();
  const auto read = ReportFrom(ToMessage(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->worker, report.worker);
  EXPECT_EQ(read->busy, report.busy);
  EXPECT_EQ(read->side_by_side, 8);
  EXPECT_EQ(read->batch.first, 7);
  EXPECT_EQ(read->batch.status, report.batch.status);
  EXPECT_EQ(read->batch.values, report.batch.values);
  EXPECT_TRUE(std::signbit(read->batch.values[0][2]));
  EXPECT_EQ(read->batch.failures, report.batch.failures);
  EXPECT_EQ(read->batch.warnings, report.batch.warnings);
}

TEST(JobMessagesTest, ARefusalAndAnErrorComeBack) {
  const auto read =
      ReportFrom(ToMessage(WorkerReport{.refusal = "no", .error = "never"}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->refusal, "no");
  EXPECT_EQ(read->error, "never");
}

TEST(JobMessagesTest, AReportMayHaveColumnsWithoutRuns) {
  WorkerReport report;
  report.batch.values.resize(2);
  const auto read = ReportFrom(ToMessage(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->batch.values, report.batch.values);
}

RC_GTEST_PROP(JobMessagesTest,
              NumbersComeBackToTheLastBit,
              (const std::vector<std::uint64_t>& bits)) {
  WorkerReport report;
  report.batch.status.assign(bits.size(), RunStatus::kCompleted);
  report.batch.values.emplace_back();
  for (const std::uint64_t its : bits) {
    report.batch.values[0].push_back(std::bit_cast<double>(its));
  }
  const auto read = ReportFrom(ToMessage(report));
  RC_ASSERT(read.has_value());
  std::vector<std::uint64_t> read_bits;
  for (const double value : read->batch.values[0]) {
    read_bits.push_back(std::bit_cast<std::uint64_t>(value));
  }
  RC_ASSERT(read_bits == bits);
}

TEST(JobMessagesTest, WhatIsCutOffIsNoMessage) {
  const std::string report = ToMessage(SomeReport());
  for (std::size_t size = 0; size < report.size(); ++size) {
    EXPECT_FALSE(ReportFrom(report.substr(0, size))) << size;
  }
  const std::string definition = ToMessage(SomeDefinition());
  for (std::size_t size = 0; size < definition.size(); ++size) {
    EXPECT_FALSE(DefinitionFrom(definition.substr(0, size), "1.2.3")) << size;
  }
}

RC_GTEST_PROP(JobMessagesTest,
              AnyBytesAreReadOrNot,
              (const std::string& bytes)) {
  static_cast<void>(DefinitionFrom(bytes, "1.2.3"));
  static_cast<void>(TaskFrom(bytes));
  static_cast<void>(ReportFrom(bytes));
}

TEST(JobMessagesTest, TasksOfNoRunsAreNone) {
  EXPECT_FALSE(TaskFrom(R"({"first": 0, "count": 0, "deaths": 0})"));
  EXPECT_FALSE(TaskFrom(R"({"first": -1, "count": 1, "deaths": 0})"));
  EXPECT_FALSE(TaskFrom(R"({"first": 1e300, "count": 1, "deaths": 0})"));
  EXPECT_FALSE(TaskFrom(R"({"first": 0, "count": 9999999999, "deaths": 0})"));
  EXPECT_FALSE(TaskFrom("[1, 2, 3]"));
}

TEST(JobMessagesTest, AFailureOfARunThatDidNotFailIsRefused) {
  WorkerReport report = SomeReport();
  report.batch.failures[0].run = 7;
  EXPECT_FALSE(ReportFrom(ToMessage(report)));
  report.batch.failures[0].run = 10;
  EXPECT_FALSE(ReportFrom(ToMessage(report)));
}

TEST(JobMessagesTest, AWarningOfARunThatIsMissingIsRefused) {
  WorkerReport report = SomeReport();
  report.batch.warnings[0].run = 9;
  EXPECT_FALSE(ReportFrom(ToMessage(report)));
}

TEST(JobNamesTest, AStreamTellsItsJob) {
  const JobNames names("ABC");
  EXPECT_EQ(names.Stream(), "orrery_ABC");
  EXPECT_EQ(names.Task(), "orrery.job.ABC.task");
  EXPECT_EQ(names.Part(0, 12), "orrery.text.ABC.file.0.12");
  ASSERT_TRUE(JobNames::OfStream("orrery_ABC"));
  EXPECT_EQ(JobNames::OfStream("orrery_ABC")->id(), "ABC");
  EXPECT_FALSE(JobNames::OfStream("other"));
}

}  // namespace
}  // namespace orrery::experiment::internal
