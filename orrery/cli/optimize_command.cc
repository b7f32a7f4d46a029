#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/random.h"
#include "orrery/cli/internal/class_models.h"
#include "orrery/cli/internal/columns.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/optimisation_reports.h"
#include "orrery/cli/internal/print_error.h"
#include "orrery/cli/internal/run_files.h"
#include "orrery/cli/internal/saving.h"
#include "orrery/cli/internal/search_place.h"
#include "orrery/cli/internal/stopwatch.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {
namespace {

// The points as they are evaluated: a table whose rows go into the store now
// and then.
class History {
 public:
  History(const MeasuredProblem& problem, SavedExperiment& saved)
      : problem_(problem),
        saved_(saved),
        table_(MakeRunTable(problem.columns(), 0)) {
    batch_.values.resize(problem.columns().size());
  }

  void Add(const EvaluatedPoint& point) {
    const bool has_failed = !point.evaluation.failure.empty();
    const RunStatus status =
        has_failed ? RunStatus::kFailed : RunStatus::kCompleted;
    if (has_failed) {
      batch_.failures.push_back(
          {.run = static_cast<std::int64_t>(table_.status.size()),
           .message = point.evaluation.failure});
      if (first_failure_.empty()) {
        first_failure_ =
            "at " + PlaceOf(point) + ": " + point.evaluation.failure;
      }
    }
    const std::vector<double> row = problem_.RowOf(point);
    for (std::size_t k = 0; k < row.size(); ++k) {
      table_.values[k].push_back(row[k]);
      batch_.values[k].push_back(row[k]);
    }
    table_.status.push_back(status);
    batch_.status.push_back(status);
    if (clock_.now() - delivered_ >= std::chrono::milliseconds(100)) {
      Deliver();
    }
  }

  void Deliver() {
    if (saved_.is_saved() && !batch_.status.empty()) {
      saved_.store().AppendRuns(saved_.id(), batch_);
    }
    batch_ = {.first = static_cast<std::int64_t>(table_.status.size())};
    batch_.values.resize(table_.columns.size());
    delivered_ = clock_.now();
  }

  [[nodiscard]] const RunTable& table() const { return table_; }

  [[nodiscard]] const std::string& first_failure() const {
    return first_failure_;
  }

  // Where the points next to the best one have failed, it may be no optimum,
  // whatever the search says.
  [[nodiscard]] std::vector<Diagnostic> WarningsBeside(
      const std::vector<double>& best) const {
    constexpr std::size_t kMostNeighbours = 10;
    constexpr std::size_t kLeastNeighbours = 4;
    std::vector<std::pair<double, RunStatus>> others;
    for (std::size_t run = 0; run < table_.status.size(); ++run) {
      if (const double distance = DistanceOf(run, best); distance > 0) {
        others.emplace_back(distance, table_.status[run]);
      }
    }
    const std::size_t count = std::min(others.size(), kMostNeighbours);
    std::ranges::partial_sort(
        others, others.begin() + static_cast<std::ptrdiff_t>(count));
    const auto failed = static_cast<std::size_t>(
        std::ranges::count(std::span(others).first(count),
                           RunStatus::kFailed,
                           &std::pair<double, RunStatus>::second));
    if (count < kLeastNeighbours || 2 * failed <= count) {
      return {};
    }
    return {{.severity = Severity::kWarning,
             .message = fmt::format(
                 "of the {} points next to the optimum {} failed (the first "
                 "one of all, {}): it may be but the edge of where the model "
                 "runs; narrow the ranges of --vary to where it does, or say "
                 "by --subject-to where that is",
                 count,
                 failed,
                 first_failure_)}};
  }

 private:
  [[nodiscard]] std::string PlaceOf(const EvaluatedPoint& point) const {
    std::string text;
    for (std::size_t k = 0; k < point.values.size(); ++k) {
      const RunColumn& column = table_.columns[k];
      text += fmt::format("{}{} = {}",
                          text.empty() ? "" : ", ",
                          column.name,
                          ValueText(*column.value_names, point.values[k]));
    }
    return text;
  }

  // By parts of the ranges.
  [[nodiscard]] double DistanceOf(std::size_t run,
                                  const std::vector<double>& best) const {
    double distance = 0;
    for (std::size_t k = 0; k < best.size(); ++k) {
      const SearchBounds& bounds = problem_.space().bounds(k);
      distance = std::max(distance,
                          std::abs(table_.values[k][run] - best[k]) /
                              (bounds.high - bounds.low));
    }
    return distance;
  }

  const MeasuredProblem& problem_;
  SavedExperiment& saved_;
  RunTable table_;
  RunBatch batch_;  // What is not in the store yet.
  std::string first_failure_;
  SteadyClock clock_;
  Duration delivered_ = clock_.now();
};

OptimisationResult Optimum(const OptimizeCommand& command,
                           const std::shared_ptr<const Subject>& subject,
                           History& history) {
  SearchPlace place(command.where, command.run, [&] {
    return MakeJob(command.optimisation);
  });
  const MeasuredProblem problem =
      MakeProblem(command.optimisation, place.StandIn()(0, subject));
  const std::size_t objective = problem.space().size();
  OptimisationResult result = Optimise(
      problem,
      OptionsOf(command.optimisation),
      place.executor(),
      {.take =
           [&](const EvaluatedPoint& point,
               const OptimisationProgress& progress) {
             history.Add(point);
             place.bar().Show(progress,
                              progress.best
                                  ? problem.RowOf(*progress.best)[objective]
                                  : std::nan(""));
           },
       .goes_on = place.goes_on()});
  place.TellTrouble();
  history.Deliver();
  return result;
}

// Again, with all that a run records.
Trajectory BestRun(const MeasuredProblem& problem,
                   const OptimisationResult& result,
                   std::uint64_t seed) {
  if (!result.best) {
    return {};
  }
  return problem.subject()
      .MakeRunner(problem.space().names(), {})
      ->Run(result.best->values, ReplicationSeed(seed, 0), {})
      .trajectory;
}

std::vector<Diagnostic> BestWarnings(const MeasuredProblem& problem,
                                     const OptimisationResult& result,
                                     const History& history,
                                     std::uint64_t seed) {
  if (!result.best || result.is_interrupted) {
    return {};
  }
  std::vector<Diagnostic> warnings = WarningsAt(problem.subject(),
                                                problem.space().names(),
                                                result.best->values,
                                                ReplicationSeed(seed, 0));
  for (Diagnostic& warning : warnings) {
    warning.message.insert(0, "at the optimum: ");
  }
  if (result.searches.front() != SearchEnd::kEnumerated) {
    std::ranges::copy(history.WarningsBeside(result.best->values),
                      std::back_inserter(warnings));
  }
  return warnings;
}

// @param json what JsonReport has written.
ExperimentEnd EndOf(const OptimisationReport& report, std::string json) {
  const ExperimentStatus status = report.result.is_feasible
                                      ? ExperimentStatus::kCompleted
                                      : ExperimentStatus::kFailed;
  return {.status = report.result.is_interrupted
                        ? ExperimentStatus::kInterrupted
                        : status,
          .message = MessageOf(report),
          .summary = std::move(json)};
}

}  // namespace

int Optimize(const OptimizeCommand& command) {
  const RunCommand& run = command.run;
  if (!command.output.empty()) {
    CheckRunsFile(command.output);
  }
  if (!command.where.queue.empty()) {
    CheckCluster(command.where.queue);
  }
  OptimizeCommand whole = command;
  whole.optimisation.run = DocumentOf(run);
  const std::shared_ptr<const Subject> subject =
      LoadSubject(whole.optimisation.run);
  const MeasuredProblem problem = MakeProblem(whole.optimisation, subject);
  const OptimisationOptions options = OptionsOf(whole.optimisation);
  CheckOptimisation(problem, options);
  Plans plans = MakePlans(run);
  // What is plotted: the history if that has all of it, else the best run.
  plans.has_runs_as_rows = HasPlotted(
      plans.plot, *ToTrajectory(MakeRunTable(problem.columns(), 0)).table());
  if (!plans.has_runs_as_rows) {
    CheckPlot(plans.plot, problem.subject().signals());
  }
  PrintDiagnostics(WarningsOf(*subject));
  SavedExperiment saved(run,
                        {.type = kOptimization,
                         .model = problem.subject().name(),
                         .document = ToJson(whole.optimisation),
                         .runs_asked = 0,
                         .columns = problem.columns()});
  History history(problem, saved);
  const Stopwatch watch;
  const OptimisationResult result = Optimum(whole, subject, history);
  const OptimisationReport report{
      .problem = problem,
      .options = options,
      .result = result,
      .first_failure = history.first_failure(),
      .run_ms = watch.Milliseconds(),
      .warnings = BestWarnings(problem, result, history, options.seed)};
  PrintDiagnostics(report.warnings);

  const Trajectory best = BestRun(problem, result, options.seed);
  const std::string json = JsonReport(report);
  if (saved.is_saved() && best.rows() > 0) {
    saved.store().SaveTrajectory(saved.id(), 0, best);
  }
  const ExperimentEnd end = EndOf(report, json);
  saved.Finish(end);
  const Trajectory shown =
      plans.has_runs_as_rows ? ToTrajectory(history.table()) : best;
  std::vector<std::string> written = WriteFiles(run, plans, shown);
  if (!command.output.empty()) {
    WriteRuns(command.output, history.table());
    written.push_back(command.output);
  }
  if (run.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}", run.quiet ? "" : OptimisationText(json));
    PrintPlot(run, plans, shown);
  }
  TellWritten(run, written);
  return end.status == ExperimentStatus::kCompleted ? kSuccess : kModelFailed;
}

}  // namespace orrery::cli
