#include "orrery/cli/commands/experiments/store_commands.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/experiments/calibrate_command.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/analysis_text.h"
#include "orrery/cli/experiment_reports/calibration_text.h"
#include "orrery/cli/experiment_reports/experiment_text.h"
#include "orrery/cli/experiment_reports/front_text.h"
#include "orrery/cli/experiment_reports/optimisation_text.h"
#include "orrery/cli/run_reports/devs_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/local_time.h"
#include "orrery/sdk/reports/html_report.h"
#include "orrery/sdk/reports/many_runs_report.h"
#include "orrery/sdk/reports/stored_report.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

std::string RunsText(const RunCounts& runs) {
  return fmt::format(
      "{}{}{}",
      runs.asked > 0 ? fmt::format("{} of ", runs.finished) : "",
      Counted(runs.asked > 0 ? runs.asked : runs.finished, "run", "runs"),
      runs.failed > 0 ? fmt::format(", {} failed", runs.failed) : "");
}

std::string Heading(const ExperimentRecord& record) {
  const ExperimentInfo& info = record.info;
  std::string text = fmt::format("experiment {}: {} of {}, {}, {}, {}\n",
                                 info.id,
                                 info.type,
                                 info.model,
                                 LocalTime(info.created_ns),
                                 Describe(info.status),
                                 RunsText(info.runs));
  if (!info.message.empty()) {
    text += "  " + info.message + "\n";
  }
  if (!info.tags.empty()) {
    text += fmt::format("  tags: {}\n", fmt::join(info.tags, ", "));
  }
  if (!record.notes.empty()) {
    text += "  " + record.notes + "\n";
  }
  std::vector<Row> rows;
  for (const DocumentMember& member : MembersOf(record.document)) {
    rows.push_back({member.name, member.value});
  }
  return text + InColumns(rows);
}

std::int64_t ReplicationsOf(ExperimentStore& store,
                            const ExperimentRecord& record) {
  return record.info.type == kSweep ? RunsOfPoint(StoredSweep(store, record))
                                    : 1;
}

// @param results as JSON.
void PrintJson(const ExperimentRecord& record, const std::string& results) {
  fmt::print("{}", JsonReport(record, results, LocalTime));
}

// The results of a run besides its trajectory, which models that are classes
// have.
std::string OtherNumbers(const std::string& summary,
                         const Trajectory& trajectory) {
  std::vector<Row> rows;
  for (const StoredResult& result : FinalBeside(trajectory, summary)) {
    rows.push_back({result.name,
                    result.number ? NumberText(*result.number) : result.json});
  }
  return InColumns(rows);
}

// Warnings without the lines of text that they refer to, since the text may
// have changed.
void TellStoredWarnings(const ExperimentRecord& record) {
  std::vector<Diagnostic> warnings = StoredWarnings(record.summary);
  for (Diagnostic& warning : warnings) {
    if (warning.line > 0) {
      warning.file += fmt::format(":{}:{}", warning.line, warning.column);
      warning.line = 0;
    }
  }
  PrintDiagnostics(warnings);
}

int ShowCalibration(const RunCommand& run,
                    ExperimentStore& store,
                    const ExperimentRecord& record) {
  const PlotSpec plot = MakePlans(run).plot;
  const CalibrationReport report = ReadCalibration(store, record);
  if (!report.runs.empty()) {
    std::vector<std::string> measured;
    for (const CalibratedSignal& signal : report.runs.front().signals) {
      measured.push_back(signal.name);
    }
    CheckCalibrationPlot(
        plot, *report.runs.front().trajectory.table(), measured);
  }
  if (run.json) {
    PrintJson(record, record.summary);
  } else if (!run.quiet) {
    TellStoredWarnings(record);
    fmt::print("{}{}", Heading(record), TextReport(report));
  }
  Draw(run, plot, report);
  return kSuccess;
}

int ShowAnalysis(const RunCommand& run, const ExperimentRecord& record) {
  const PlotSpec plot = MakePlans(run).plot;
  const Trajectory curves = ResponseCurves(record);
  CheckPlot(plot, *curves.table());
  if (run.json) {
    PrintJson(record, record.summary);
  } else if (!run.quiet) {
    TellStoredWarnings(record);
    fmt::print("{}{}", Heading(record), AnalysisText(record));
  }
  if (!plot.curves.empty()) {
    Figure figure = MakeFigure(curves, plot);
    PutOverFrequency(figure);
    DrawFigure(run, figure);
  }
  return kSuccess;
}

// Returns why there are no results of an experiment; empty if there are.
std::string WhyNoResults(const ExperimentRecord& record) {
  const bool is_told = IsAnalysis(record) || record.info.type == kCalibration;
  if (is_told ? !record.summary.empty()
              : !record.columns.empty() || !record.trajectories.empty()) {
    return "";
  }
  if (record.info.status == ExperimentStatus::kRunning) {
    return "it has not ended yet";
  }
  const std::string& type = record.info.type;
  const bool can_go_on = type == kSweep || type == kSensitivity ||
                         type == kCalibration || type == kOptimization;
  return fmt::format(
      "it was ended before there were any; {} {}",
      can_go_on ? "go on with it by resume" : "run it again by rerun",
      record.info.id);
}

// @param why there are no results.
int ShowWithoutResults(const RunCommand& run,
                       const ExperimentRecord& record,
                       const std::string& why) {
  if (!run.plots.empty() || !run.outputs.empty()) {
    RequireResults(record);
  }
  if (run.json) {
    PrintJson(record, "null");
  } else if (!run.quiet) {
    fmt::print("{}  no results: {}\n", Heading(record), why);
  }
  return kSuccess;
}

bool IsReport(const std::string& path) {
  return FormatEnding(path) == ".html";
}

// Checks that the name tells a format. The writer checks that the format suits
// the results.
void CheckExportFile(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (!IsTrajectoryEnding(ending) && !IsReport(path)) {
    RefuseEnding("cannot export to '" + path + "'",
                 ending,
                 std::string(kTrajectoryEndings) + ", .html (a report)");
  }
}

// Suggests tags and models instead of those that no experiment has.
std::string NothingListed(ExperimentStore& store,
                          const ExperimentFilter& filter) {
  std::vector<std::string> tags;
  std::vector<std::string> models;
  for (const ExperimentInfo& info : store.List({})) {
    tags.insert(tags.end(), info.tags.begin(), info.tags.end());
    models.push_back(info.model);
  }
  std::string text = "  no experiments";
  const auto add = [&](const char* what,
                       const std::optional<std::string>& wanted,
                       const std::vector<std::string>& known) {
    if (wanted && std::ranges::find(known, *wanted) == known.end()) {
      const std::string nearest = Nearest(*wanted, known);
      text += nearest.empty()
                  ? ""
                  : fmt::format("; none has the {} '{}', did you mean '{}'?",
                                what,
                                *wanted,
                                nearest);
    }
  };
  add("tag", filter.tag, tags);
  add("model", filter.model, models);
  return text + "\n";
}

// There may be other types, of programs that use the store.
void CheckType(ExperimentStore& store, const std::string& type) {
  std::vector<std::string> known = {kSingleRun,
                                    kSweep,
                                    kSensitivity,
                                    kReplications,
                                    kCalibration,
                                    kOptimization,
                                    kSteadyState,
                                    kLinearization,
                                    kFrequencyResponse};
  for (const ExperimentInfo& info : store.List({})) {
    known.push_back(info.type);
  }
  if (std::ranges::find(known, type) == known.end()) {
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const std::string nearest = Nearest(type, known);
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot list experiments of type '{}': there is no "
                    "such type; {}",
                    type,
                    nearest.empty()
                        ? fmt::format("known: {}", fmt::join(known, ", "))
                        : "did you mean '" + nearest + "'?"));
  }
}

// Returns the results for a plot; for an optimisation the best run if it has
// the names.
Trajectory PlottedOf(ExperimentStore& store,
                     const ExperimentRecord& record,
                     Plans& plans) {
  Trajectory results = ResultsOf(store, record);
  if (record.columns.empty()) {
    return results;
  }
  if (record.info.type != kOptimization) {
    for (const RunColumn& column : record.columns) {
      if (column.role == RunColumn::Role::kVaried) {
        plans.varied.push_back(column.name);
      }
    }
  }
  plans.has_runs_as_rows =
      record.trajectories.empty() || HasPlotted(plans.plot, *results.table());
  return plans.has_runs_as_rows ? results
                                : store.ReadTrajectory(record.info.id, 0);
}

std::string ResultsText(ExperimentStore& store,
                        const ExperimentRecord& record,
                        const Trajectory& results) {
  if (IsAnalysis(record)) {
    return AnalysisText(record);
  }
  if (record.columns.empty()) {
    return FinalText(results) + OtherNumbers(record.summary, results);
  }
  return record.info.type == kOptimization && !record.summary.empty()
             ? OptimisationText(record.summary)
             : TextReport(ReadManyRuns(store, record));
}

}  // namespace

void RequireResults(const ExperimentRecord& record) {
  if (const std::string why = WhyNoResults(record); !why.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot show the results of experiment {}: {}",
                            record.info.id,
                            why));
  }
}

Trajectory ResultsOf(ExperimentStore& store, const ExperimentRecord& record) {
  RequireResults(record);
  if (IsAnalysis(record)) {
    return ResponseCurves(record);
  }
  return record.columns.empty()
             ? store.ReadTrajectory(record.info.id, 0)
             : ToTrajectory(MeansOf(store.ReadRuns(record.info.id),
                                    ReplicationsOf(store, record)));
}

ExperimentStore OpenStore(const StoreCommand& command,
                          const StoreOptions& options) {
  const std::string path = StorePath(command.run);
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorCode::kIo,
                "cannot open the store " + path +
                    ": there is no such file; the first run makes it, or name "
                    "another by --store");
  }
  return ExperimentStore(path, options);
}

int List(const StoreCommand& command) {
  ExperimentStore store = OpenStore(command);
  if (command.filter.type) {
    CheckType(store, *command.filter.type);
  }
  const std::vector<ExperimentInfo> list = store.List(command.filter);
  if (command.run.json) {
    fmt::print("{}", JsonReport(list, LocalTime));
    return kSuccess;
  }
  std::vector<Row> rows;
  rows.reserve(list.size());
  for (const ExperimentInfo& info : list) {
    rows.push_back({std::to_string(info.id),
                    LocalTime(info.created_ns),
                    info.type,
                    info.model,
                    std::string(Describe(info.status)),
                    RunsText(info.runs),
                    fmt::format("{}", fmt::join(info.tags, ", "))});
  }
  fmt::print(
      "{}",
      rows.empty() ? NothingListed(store, command.filter) : InColumns(rows));
  return kSuccess;
}

int Show(const StoreCommand& command) {
  const RunCommand& run = command.run;
  Plans plans = MakePlans(run);
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  if (const std::string why = WhyNoResults(record); !why.empty()) {
    return ShowWithoutResults(run, record, why);
  }
  if (record.info.type == kCalibration) {
    return ShowCalibration(run, store, record);
  }
  if (IsAnalysis(record)) {
    return ShowAnalysis(run, record);
  }
  const Trajectory results = PlottedOf(store, record, plans);
  CheckPlot(plans.plot, *results.table());
  if (run.json) {
    PrintJson(record,
              HasWholeReport(record) ? record.summary
                                     : JsonReport(ReadManyRuns(store, record)));
  } else if (!run.quiet) {
    TellStoredWarnings(record);
    fmt::print("{}{}", Heading(record), ResultsText(store, record, results));
  }
  const std::vector<std::string> written = WriteFiles(run, plans, results);
  if (!run.json) {
    PrintPlot(run, plans, results);
  }
  TellWritten(run, written);
  return kSuccess;
}

int Export(const StoreCommand& command) {
  CheckExportFile(command.text);
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  RequireResults(record);
  if (IsReport(command.text)) {
    const std::string results =
        record.info.type == kCalibration
            ? TextReport(ReadCalibration(store, record))
            : ResultsText(store, record, ResultsOf(store, record));
    OutputFile file(command.text);
    file.Write(HtmlReport(store, record, results, LocalTime));
    file.Commit();
  } else if (IsAnalysis(record)) {
    ExportAnalysis(command.text, record);
  } else if (record.columns.empty()) {
    WriteTrajectory(command.text, ResultsOf(store, record));
  } else {
    WriteRuns(command.text, store.ReadRuns(command.id));
  }
  TellWritten(command.run, {command.text});
  return kSuccess;
}

}  // namespace orrery::cli
