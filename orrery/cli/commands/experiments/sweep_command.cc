#include "orrery/cli/commands/experiments/sweep_command.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/experiment_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/reports/stored_report.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {
namespace {

// Carries out runs, shows their progress, and adds them to the report and the
// store.
class Carrier {
 public:
  Carrier(const SweepCommand& command,
          const RunSeries& series,
          SavedExperiment& saved,
          ManyRunsReport& report)
      : command_(command),
        series_(series),
        saved_(saved),
        report_(report),
        bar_(!command.run.quiet && !command.run.json, command.run.report_fd) {
    if (command.where.queue.empty()) {
      threads_.emplace(static_cast<std::size_t>(command.where.jobs));
    }
  }

  SeriesProgress CarryOut(std::span<const RunRange> todo) {
    const SeriesWatch watch{
        .take = [this](const RunBatch& batch) { Take(batch); },
        .progress =
            [this](const SeriesProgress& progress) { bar_.Show(progress); },
        .goes_on = InterruptGuard::goes_on};
    if (threads_) {
      return orrery::CarryOut(series_, todo, *threads_, &clock_, watch);
    }
    return CarryOutOnCluster(
        MakeJob(command_.sweep, series_),
        todo,
        {.url = command_.where.queue,
         .patience = command_.where.patience,
         .tell =
             [this](const std::string& line) {
               bar_.Tell(command_.run.program + ": " + line);
             }},
        clock_,
        watch);
  }

  // Carries out runs from the first one, except those that exist, until the
  // mean in the document is known.
  SeriesProgress CarryOutUntilKnown(const KnownMean& known) {
    RunTable& table = report_.table;
    const std::vector<double>& outcomes = ColumnOf(table, known.column);
    SequentialMean mean(known.rule);
    SeriesProgress all;
    while (!mean.has_ended() && all.ended == all.asked) {
      const std::int64_t first = mean.runs();
      const std::int64_t end =
          std::min(first + known.rule.batch, known.rule.most_runs);
      Resize(table, std::max(end, std::ssize(table.status)));
      if (saved_.is_saved()) {
        saved_.store().SetRunsAsked(saved_.id(), end);
      }
      const SeriesProgress progress = CarryOut(UnfinishedOf(table, first, end));
      all.asked += progress.asked;
      all.ended += progress.ended;
      all.failed += progress.failed;
      for (std::int64_t run = first; run < end; ++run) {
        mean.Add(outcomes[static_cast<std::size_t>(run)]);
      }
    }
    return all;
  }

  [[nodiscard]] const WarningTally& warnings() const { return warnings_; }

 private:
  static std::vector<RunRange> UnfinishedOf(const RunTable& table,
                                            std::int64_t first,
                                            std::int64_t end) {
    std::vector<RunRange> unfinished;
    for (std::int64_t run = first; run < end; ++run) {
      if (table.status[static_cast<std::size_t>(run)] ==
          RunStatus::kCompleted) {
        continue;
      }
      if (unfinished.empty() ||
          unfinished.back().first + unfinished.back().count != run) {
        unfinished.push_back({.first = run, .count = 0});
      }
      ++unfinished.back().count;
    }
    return unfinished;
  }

  void Take(const RunBatch& batch) {
    AddTo(report_.table, batch);
    if (saved_.is_saved()) {
      saved_.store().AppendRuns(saved_.id(), batch);
    }
    std::ranges::copy(batch.failures, std::back_inserter(report_.failures));
    warnings_.Add(batch.warnings);
  }

  const SweepCommand& command_;
  const RunSeries& series_;
  SavedExperiment& saved_;
  ManyRunsReport& report_;
  WarningTally warnings_;
  const InterruptGuard guard_;
  ProgressBar bar_;
  const SteadyClock clock_;
  std::optional<ThreadPool> threads_;  // Without a value on a cluster.
};

std::optional<KnownMean> KnownMeanFor(const SweepCommand& command,
                                      const RunSeries& series) {
  return command.sweep.until_known.empty()
             ? std::nullopt
             : std::optional(KnownMeanOf(command.sweep, series.columns()));
}

void WarnIfUnknown(const RunCommand& command,
                   const KnownMean& known,
                   const RunTable& table) {
  SequentialMean mean(known.rule);
  for (const double outcome : ColumnOf(table, known.column)) {
    mean.Add(outcome);
  }
  if (!mean.is_satisfied()) {
    const std::array warnings = {
        fmt::format("after {} the mean of {} is not known as well as was asked "
                    "for; give more by --runs",
                    Counted(mean.runs(), "run", "runs"),
                    known.column)};
    TellWarnings(command, warnings);
  }
}

// The warnings of the runs, and the earlier ones of a resumed sweep.
std::string SummaryOf(SavedExperiment& saved, const ManyRunsReport& report) {
  std::vector<Diagnostic> warnings;
  if (saved.is_saved()) {
    warnings = StoredWarnings(saved.store().Read(saved.id()).summary);
  }
  std::ranges::copy(report.warnings, std::back_inserter(warnings));
  return warnings.empty() ? "" : DiagnosticsReport(warnings);
}

ExperimentEnd EndOf(const ManyRunsReport& report, std::string summary) {
  const auto& runs = report.table.status;
  const auto failed = std::ranges::count(runs, RunStatus::kFailed);
  return {.status = report.is_interrupted ? ExperimentStatus::kInterrupted
                                          : ExperimentStatus::kCompleted,
          .message = failed == 0
                         ? ""
                         : fmt::format("{} of {} failed",
                                       failed,
                                       Counted(runs.size(), "run", "runs")),
          .summary = std::move(summary)};
}

}  // namespace

int CarryOutAndReport(const SweepCommand& command,
                      const RunSeries& series,
                      std::span<const RunRange> todo,
                      const Plans& plans,
                      SavedExperiment& saved) {
  const RunCommand& run = command.run;
  const std::optional<KnownMean> known = KnownMeanFor(command, series);
  ManyRunsReport report{
      .model = series.subject().name(),
      .table =
          MakeRunTable(series.columns(), known ? 0 : series.points().count),
      .failures = {},
      .warnings = {},
      .sensitivities = {},
      .replications = series.points().replications,
      .is_drawn = IsDrawn(command.sweep),
      .are_independent = AreIndependent(command.sweep)};
  if (saved.is_saved()) {
    report.table = saved.store().ReadRuns(saved.id());
  }

  const Stopwatch watch;
  const SeriesProgress progress = [&] {
    const auto output = OutputOf(run.file);
    Carrier carrier(command, series, saved, report);
    const SeriesProgress all =
        known ? carrier.CarryOutUntilKnown(*known) : carrier.CarryOut(todo);
    report.warnings = Told(carrier.warnings(), all.ended);
    return all;
  }();
  PrintDiagnostics(report.warnings);
  report.run_ms = watch.Milliseconds();
  report.num_carried_out = progress.ended;
  report.is_interrupted = progress.ended < progress.asked;
  report.sensitivities = SensitivitiesOf(command.sweep, report.table);
  std::ranges::sort(report.failures, {}, &RunFailure::run);

  saved.Finish(EndOf(report, SummaryOf(saved, report)));
  if (report.is_interrupted) {
    saved.OfferToResume();
  }
  if (known && !report.is_interrupted) {
    WarnIfUnknown(run, *known, report.table);
  }
  const Trajectory table =
      plans.plot.curves.empty()
          ? Trajectory()
          : ToTrajectory(MeansOf(report.table, report.replications));
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
  const bool has_completed =
      std::ranges::find(report.table.status, RunStatus::kCompleted) !=
      report.table.status.end();
  return has_completed && !report.is_interrupted ? kSuccess : kModelFailed;
}

Plans PlansFor(const SweepCommand& command, const RunSeries& series) {
  Plans plans = MakePlans(command.run);
  plans.has_runs_as_rows = true;
  plans.varied = series.points().names;
  const RunTable columns = MakeRunTable(series.columns(), 0);
  CheckPlot(
      plans.plot,
      *ToTrajectory(MeansOf(columns, series.points().replications)).table());
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
  PrintDiagnostics(WarningsOf(series.subject()));
  const std::int64_t runs =
      KnownMeanFor(whole, series) ? 0 : series.points().count;
  SavedExperiment saved(
      command.run,
      {.type = whole.sweep.sensitivity ? kSensitivity : kSweep,
       .model = series.subject().name(),
       .document = ToJson(whole.sweep),
       .runs_asked = runs,
       .columns = series.columns()});
  const std::vector<RunRange> all = {{.first = 0, .count = runs}};
  return CarryOutAndReport(whole, series, all, plans, saved);
}

}  // namespace orrery::cli
