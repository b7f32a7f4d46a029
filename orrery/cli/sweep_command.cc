#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/class_models.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/experiment_reports.h"
#include "orrery/cli/internal/interrupt.h"
#include "orrery/cli/internal/many_runs.h"
#include "orrery/cli/internal/progress_bar.h"
#include "orrery/cli/internal/reports.h"
#include "orrery/cli/internal/run_files.h"
#include "orrery/cli/internal/saving.h"
#include "orrery/cli/internal/stopwatch.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {
namespace {

// Carries the runs out, with a bar.
SeriesProgress CarriedOut(const SweepCommand& command,
                          const RunSeries& series,
                          std::span<const RunRange> todo,
                          SavedExperiment& saved,
                          ManyRunsReport& report) {
  const InterruptGuard guard;
  ProgressBar bar(!command.run.quiet && !command.run.json);
  const SteadyClock clock;
  const SeriesWatch watch{
      .take =
          [&](const RunBatch& batch) {
            AddTo(report.table, batch);
            if (saved.is_saved()) {
              saved.store().AppendRuns(saved.id(), batch);
            }
            std::ranges::copy(batch.failures,
                              std::back_inserter(report.failures));
          },
      .progress = [&](const SeriesProgress& progress) { bar.Show(progress); },
      .goes_on =
          [] {
            return !InterruptGuard::is_interrupted();
          }};
  const WhereToRun& where = command.where;
  if (where.queue.empty()) {
    ThreadPool threads(static_cast<std::size_t>(where.jobs));
    return CarryOut(series, todo, threads, &clock, watch);
  }
  return CarryOutOnCluster(MakeJob(command.sweep, series),
                           todo,
                           {.url = where.queue,
                            .patience = where.patience,
                            .tell =
                                [&](const std::string& line) {
                                  bar.Tell(command.run.program + ": " + line);
                                }},
                           clock,
                           watch);
}

ExperimentEnd EndOf(const SeriesProgress& progress,
                    const ManyRunsReport& report) {
  const bool is_complete = progress.ended == progress.asked;
  return {.status = is_complete ? ExperimentStatus::kCompleted
                                : ExperimentStatus::kInterrupted,
          .message = report.failures.empty()
                         ? ""
                         : fmt::format("{} of {} failed",
                                       report.failures.size(),
                                       Counted(progress.asked, "run", "runs")),
          .summary = ""};
}

}  // namespace

int CarryOutAndReport(const SweepCommand& command,
                      const RunSeries& series,
                      std::span<const RunRange> todo,
                      const Plans& plans,
                      SavedExperiment& saved) {
  const RunCommand& run = command.run;
  ManyRunsReport report{
      .model = series.subject().name(),
      .table = MakeRunTable(series.columns(), series.points().count),
      .failures = {},
      .sensitivities = {},
      .is_drawn = IsDrawn(command.sweep)};
  if (saved.is_saved()) {
    report.table = saved.store().ReadRuns(saved.id());
  }

  const Stopwatch watch;
  const SeriesProgress progress =
      CarriedOut(command, series, todo, saved, report);
  report.run_ms = watch.Milliseconds();
  report.num_carried_out = progress.ended;
  report.is_interrupted = progress.ended < progress.asked;
  report.sensitivities = SensitivitiesOf(command.sweep, report.table);
  std::ranges::sort(report.failures, {}, &RunFailure::run);

  const Trajectory table = ToTrajectory(report.table);
  std::vector<std::string> written = WriteFiles(run, plans, table);
  if (!command.output.empty()) {
    WriteRuns(command.output, report.table);
    written.push_back(command.output);
  }
  if (run.json) {
    fmt::print("{}", JsonReport(report));
  } else {
    fmt::print("{}", run.quiet ? "" : TextReport(report));
    PrintPlot(run, plans, table);
  }
  TellWritten(run, written);
  saved.Finish(EndOf(progress, report));
  const bool has_completed =
      std::ranges::find(report.table.status, RunStatus::kCompleted) !=
      report.table.status.end();
  return has_completed && !report.is_interrupted ? kSuccess : kModelFailed;
}

Plans PlansFor(const SweepCommand& command, const RunSeries& series) {
  Plans plans = MakePlans(command.run);
  const RunTable columns = MakeRunTable(series.columns(), 0);
  CheckPlot(plans.plot, *ToTrajectory(columns).table());
  return plans;
}

int Sweep(const SweepCommand& command) {
  if (!command.output.empty()) {
    CheckRunsFile(command.output);
  }
  if (!command.where.queue.empty()) {
    CheckCluster(command.where.queue);
  }
  SweepCommand whole = command;
  whole.sweep.run = DocumentOf(command.run);
  const RunSeries series = MakeSeries(whole.sweep);
  const Plans plans = PlansFor(whole, series);
  const std::int64_t runs = series.points().count;
  SavedExperiment saved(
      command.run,
      {.type = whole.sweep.sensitivity ? "sensitivity" : "sweep",
       .model = series.subject().name(),
       .document = ToJson(whole.sweep),
       .runs_asked = runs,
       .columns = series.columns()},
      FilesOf(whole.sweep));
  const std::vector<RunRange> all = {{.first = 0, .count = runs}};
  return CarryOutAndReport(whole, series, all, plans, saved);
}

}  // namespace orrery::cli
