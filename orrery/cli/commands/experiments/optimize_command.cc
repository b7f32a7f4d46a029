#include "orrery/cli/commands/experiments/optimize_command.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/experiments/search_place.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/optimisation_text.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/saving/stored_history.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

// An optimisation in progress.
struct Search {
  const OptimizeCommand& command;
  const std::shared_ptr<const Subject>& subject;
  RememberedProblem::Known known;  // From an interrupted one.
  StoredHistory& history;
};

// Lets `seek` search the problem in the requested place.
template <typename Seek>
auto Sought(Search& search, Seek seek) {
  const OptimizeCommand& command = search.command;
  SearchPlace place(command.where, command.run, [&] {
    return MakeJob(command.optimisation);
  });
  const MeasuredProblem problem =
      MakeProblem(command.optimisation, place.StandIn()(0, search.subject));
  const RememberedProblem remembered(problem, std::move(search.known));
  const std::size_t objective = problem.space().size();
  auto result = seek(
      remembered,
      OptionsOf(command.optimisation),
      place.executor(),
      OptimisationWatch{.take =
                            [&](const EvaluatedPoint& point,
                                const OptimisationProgress& progress) {
                              search.history.Add(point);
                              place.bar().Show(
                                  progress,
                                  progress.best
                                      ? problem.RowOf(*progress.best)[objective]
                                      : std::nan(""));
                            },
                        .goes_on = place.goes_on()});
  place.TellTrouble();
  search.history.Deliver();
  return result;
}

// The results of a search, for the store and for the user.
struct Found {
  ExperimentEnd end;
  std::string json;
  Trajectory best;  // For a single best run, if there is one.
};

ExperimentEnd EndOf(bool is_interrupted,
                    bool is_feasible,
                    std::string message,
                    std::string json) {
  const ExperimentStatus status =
      is_feasible ? ExperimentStatus::kCompleted : ExperimentStatus::kFailed;
  return {.status = is_interrupted ? ExperimentStatus::kInterrupted : status,
          .message = std::move(message),
          .summary = std::move(json)};
}

Found FindOptimum(Search& search,
                  const MeasuredProblem& problem,
                  const Stopwatch& watch) {
  const OptimisationOptions options = OptionsOf(search.command.optimisation);
  const OptimisationResult result =
      Sought(search, [](auto&&... with) { return Optimise(with...); });
  const OptimisationReport report{
      .problem = problem,
      .options = options,
      .result = result,
      .first_failure = search.history.points().first_failure(),
      .run_ms = watch.Milliseconds(),
      .warnings = WarningsAtOptimum(
          problem, result, search.history.points(), options.seed)};
  PrintDiagnostics(report.warnings);
  const std::string json = JsonReport(report);
  return {
      .end = EndOf(
          result.is_interrupted, result.is_feasible, MessageOf(report), json),
      .json = json,
      .best = result.best ? RunAt(problem, result.best->values, options.seed)
                          : Trajectory()};
}

Found FindFront(Search& search,
                const MeasuredProblem& problem,
                const Stopwatch& watch) {
  const ParetoFront front =
      Sought(search, [](auto&&... with) { return SeekFront(with...); });
  const FrontReport report{
      .problem = problem,
      .front = front,
      .first_failure = search.history.points().first_failure(),
      .run_ms = watch.Milliseconds()};
  const std::string json = JsonReport(report);
  return {.end = EndOf(
              front.is_interrupted, front.is_feasible, MessageOf(report), json),
          .json = json,
          .best = {}};
}

// Opens the experiment in the store: a new one, or the one to be resumed.
void Begin(const OptimizeCommand& command,
           const MeasuredProblem& problem,
           std::optional<SavedExperiment>& saved) {
  if (command.resumed) {
    saved.emplace(command.run, *command.resumed);
    return;
  }
  saved.emplace(command.run,
                NewExperiment{.type = kOptimization,
                              .model = problem.subject().name(),
                              .document = ToJson(command.optimisation),
                              .runs_asked = 0,
                              .columns = problem.columns()});
}

void CheckOutputs(const OptimizeCommand& command) {
  if (!command.output.empty()) {
    CheckRunsFile(command.output);
  }
  if (!command.where.queue.empty()) {
    CheckCluster(command.where.queue);
  }
}

// Chooses the source of plots: the history if it has all names, else the best
// run.
Plans PlansOf(const RunCommand& run, const MeasuredProblem& problem) {
  Plans plans = MakePlans(run);
  plans.has_runs_as_rows = HasPlotted(
      plans.plot, *ToTrajectory(MakeRunTable(problem.columns(), 0)).table());
  if (!plans.has_runs_as_rows) {
    CheckPlot(plans.plot, problem.subject().signals());
  }
  return plans;
}

}  // namespace

int Optimize(const OptimizeCommand& command) {
  const RunCommand& run = command.run;
  CheckOutputs(command);
  OptimizeCommand whole = command;
  whole.optimisation.run = DocumentOf(run);
  const std::shared_ptr<const Subject> subject =
      LoadSubject(whole.optimisation);
  const MeasuredProblem problem = MakeProblem(whole.optimisation, subject);
  CheckOptimisation(problem, OptionsOf(whole.optimisation));
  const Plans plans = PlansOf(run, problem);
  PrintDiagnostics(WarningsOf(*subject));
  std::optional<SavedExperiment> saved;
  Begin(whole, problem, saved);
  RememberedProblem::Known known;
  std::int64_t stored = 0;
  if (command.resumed) {
    ExperimentStore& store = saved->store();
    const ExperimentRecord record = store.Read(*command.resumed);
    known = KnownPoints(store, record, problem);
    stored = record.info.runs.finished + record.info.runs.failed;
  }
  StoredHistory history(problem, *saved, stored);
  Search search{.command = whole,
                .subject = subject,
                .known = std::move(known),
                .history = history};
  const Stopwatch watch;
  const Found found = [&] {
    const auto output = OutputOf(run.file);
    return problem.num_objectives() > 1 ? FindFront(search, problem, watch)
                                        : FindOptimum(search, problem, watch);
  }();
  if (saved->is_saved() && found.best.rows() > 0) {
    saved->store().SaveTrajectory(saved->id(), 0, found.best);
  }
  saved->Finish(found.end);
  if (found.end.status == ExperimentStatus::kInterrupted) {
    saved->OfferToResume();
  }
  const Trajectory shown = plans.has_runs_as_rows
                               ? ToTrajectory(history.points().table())
                               : found.best;
  std::vector<std::string> written = WriteFiles(run, plans, shown);
  if (!command.output.empty()) {
    WriteRuns(command.output, history.points().table());
    written.push_back(command.output);
  }
  if (run.json) {
    fmt::print("{}", found.json);
  } else {
    fmt::print("{}", run.quiet ? "" : OptimisationText(found.json));
    PrintPlot(run, plans, shown);
  }
  TellWritten(run, written);
  return found.end.status == ExperimentStatus::kCompleted ? kSuccess
                                                          : kModelFailed;
}

}  // namespace orrery::cli
