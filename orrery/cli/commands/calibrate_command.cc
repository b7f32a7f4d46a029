#include "orrery/cli/commands/calibrate_command.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/commands.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/search_place.h"
#include "orrery/cli/commands/store_commands.h"
#include "orrery/cli/experiment_reports/calibration_reports.h"
#include "orrery/cli/saving/residual_history.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/stopwatch.h"

namespace orrery::cli {
namespace {

LeastSquaresFit Fitted(const CalibrateCommand& command,
                       const LoadedCalibration& loaded,
                       ResidualHistory& history) {
  SearchPlace place(
      command.where, command.run, [&] { return MakeJob(command.calibration); });
  const ResidualFunction function = Remembering(
      loaded.calibration.With(place.StandIn()).Residuals(place.goes_on()),
      command.resumed ? history.TakeUp() : KnownResiduals(),
      [&history](ResidualKind kind,
                 std::span<const double> values,
                 std::span<const double> numbers) {
        history.Add(kind, values, numbers);
      });
  LeastSquaresFit fit = FitLeastSquares(
      loaded.space,
      function,
      command.calibration.fit,
      place.executor(),
      {.progress =
           [&](const FitProgress& progress) { place.bar().Show(progress); },
       .goes_on = place.goes_on()});
  place.TellTrouble();
  history.Deliver();
  return fit;
}

Trajectory RunAtEstimates(const CalibrateCommand& command,
                          const LoadedCalibration& loaded,
                          std::size_t i,
                          const LeastSquaresFit& fit) {
  const RunDocument document =
      FittedRun(command.calibration, loaded, i, fit.parameters);
  return LoadSubject(document)
      ->MakeRunner({}, {})
      ->Run({}, document.seed, {})
      .trajectory;
}

// Each warning once, even for a table that feeds several runs.
std::vector<Diagnostic> InputWarnings(const LoadedCalibration& loaded) {
  std::vector<Diagnostic> all;
  for (const MeasuredRun& run : loaded.calibration.runs()) {
    for (Diagnostic& warning : WarningsOf(*run.subject)) {
      if (std::ranges::find(all, warning) == all.end()) {
        all.push_back(std::move(warning));
      }
    }
  }
  return all;
}

// Computes the calibrated model at the measurements.
std::vector<CalibratedRun> CalibratedRuns(const CalibrateCommand& command,
                                          const LoadedCalibration& loaded,
                                          const LeastSquaresFit& fit) {
  std::vector<double> values;
  for (const ParameterEstimate& estimate : fit.parameters) {
    values.push_back(estimate.value);
  }
  const std::vector<double> computed = loaded.calibration.Computed(values);
  std::vector<CalibratedRun> runs;
  std::ptrdiff_t next = 0;
  for (const MeasuredRun& measured : loaded.calibration.runs()) {
    CalibratedRun& run = runs.emplace_back();
    run.data = measured.name;
    run.trajectory = RunAtEstimates(command, loaded, runs.size() - 1, fit);
    const SignalTable& table = measured.subject->signals();
    for (const MeasuredSignal& signal : measured.signals) {
      const auto count = static_cast<std::ptrdiff_t>(signal.values.size());
      const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + next,
                                   all.begin() + next + count);
      };
      run.signals.push_back(
          {.name = signal.name,
           .unit = table.signals()[table.Require(signal.name)].unit,
           .times = signal.times,
           .measured = signal.values,
           .computed = part(computed),
           .residuals = part(fit.residuals)});
      next += count;
    }
  }
  return runs;
}

std::vector<Diagnostic> WarningsAtEstimates(const CalibrateCommand& command,
                                            const LoadedCalibration& loaded,
                                            const LeastSquaresFit& fit) {
  const std::vector<MeasuredRun>& runs = loaded.calibration.runs();
  WarningTally tally;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::string> names;
    std::vector<double> values;
    for (const VariedQuantity& varied : runs[i].varied) {
      names.push_back(varied.name);
      values.push_back(fit.parameters[varied.index].value);
    }
    for (Diagnostic& warning : WarningsAt(
             *runs[i].subject, names, values, command.calibration.run.seed)) {
      const RunWarning its = {.run = static_cast<std::int64_t>(i),
                              .what = std::move(warning)};
      tally.Add(std::span(&its, 1));
    }
  }
  std::vector<Diagnostic> told =
      Told(tally, static_cast<std::int64_t>(runs.size()));
  for (Diagnostic& warning : told) {
    warning.message.insert(0, "at the estimates: ");
  }
  return told;
}

// Saves run i as that of data i.
void Save(SavedExperiment& saved, const CalibrationReport& report) {
  if (!saved.is_saved()) {
    return;
  }
  saved.store().InOneTransaction([&] {
    for (std::size_t i = 0; i < report.runs.size(); ++i) {
      saved.store().SaveTrajectory(
          saved.id(), static_cast<std::int64_t>(i), report.runs[i].trajectory);
    }
    saved.store().AppendRuns(saved.id(),
                             {.first = 0,
                              .status = std::vector<RunStatus>(
                                  report.runs.size(), RunStatus::kCompleted),
                              .values = {},
                              .failures = {}});
  });
}

// Begins a new experiment in the store, or goes on with the interrupted one.
void Begin(const CalibrateCommand& command,
           const LoadedCalibration& loaded,
           std::optional<SavedExperiment>& saved) {
  if (command.resumed) {
    saved.emplace(command.run, *command.resumed);
    return;
  }
  saved.emplace(
      command.run,
      NewExperiment{.type = kCalibration,
                    .model = loaded.model,
                    .document = ToJson(command.calibration),
                    .runs_asked = std::ssize(loaded.calibration.runs())});
}

// @param json the output of JsonReport.
ExperimentEnd EndOf(const CalibrationReport& report, std::string json) {
  const LeastSquaresFit& fit = report.fit;
  ExperimentEnd end{.status = ExperimentStatus::kCompleted,
                    .message = fit.message,
                    .summary = std::move(json)};
  if (fit.end == FitEnd::kInterrupted) {
    end.status = ExperimentStatus::kInterrupted;
  } else if (fit.end != FitEnd::kConverged) {
    end.status = ExperimentStatus::kFailed;
    end.message = fit.message.empty() ? Describe(fit.end) : fit.message;
  }
  return end;
}

}  // namespace

void Draw(const RunCommand& command,
          const PlotSpec& plot,
          const CalibrationReport& report) {
  if (plot.curves.empty() || report.runs.empty()) {
    return;
  }
  DrawFigure(command, CalibrationFigure(plot, report));
}

int Calibrate(const CalibrateCommand& asked) {
  CalibrateCommand command = asked;
  command.calibration.run = DocumentOf(asked.run);
  if (!command.where.queue.empty()) {
    CheckCluster(command.where.queue);
  }
  const PlotSpec plot = MakePlans(command.run).plot;
  const LoadedCalibration loaded = LoadCalibration(command.calibration);
  CheckCalibrationPlot(plot,
                       loaded.calibration.runs().front().subject->signals(),
                       loaded.calibration.signals());
  TellWarnings(command.run, loaded.warnings);
  PrintDiagnostics(InputWarnings(loaded));
  std::optional<SavedExperiment> saved;
  Begin(command, loaded, saved);
  ResidualHistory history(
      *saved, std::ssize(loaded.calibration.runs()), loaded.space.size());

  const Stopwatch watch;
  CalibrationReport report{.model = loaded.model,
                           .units = loaded.units,
                           .fit = Fitted(command, loaded, history)};
  // A user who interrupts the search does not wait for runs either.
  const bool is_interrupted = report.fit.end == FitEnd::kInterrupted;
  if (!report.fit.parameters.empty() && !is_interrupted) {
    report.runs = CalibratedRuns(command, loaded, report.fit);
    report.warnings = WarningsAtEstimates(command, loaded, report.fit);
    PrintDiagnostics(report.warnings);
  }
  report.run_ms = watch.Milliseconds();

  const std::string json = JsonReport(report);
  Save(*saved, report);
  if (is_interrupted) {
    saved->OfferToResume();
  } else {
    history.Drop();
  }
  saved->Finish(EndOf(report, json));
  if (command.run.json) {
    fmt::print("{}", json);
  } else if (!command.run.quiet) {
    fmt::print("{}", TextReport(report));
  }
  if (!is_interrupted) {
    Draw(command.run, plot, report);
  }
  return report.fit.end == FitEnd::kConverged ? kSuccess : kModelFailed;
}

CalibrationReport ReadCalibration(ExperimentStore& store,
                                  const ExperimentRecord& record) {
  RequireResults(record);
  return StoredCalibration(store, record);
}

}  // namespace orrery::cli
