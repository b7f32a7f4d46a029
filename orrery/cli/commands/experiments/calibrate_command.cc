#include "orrery/cli/commands/experiments/calibrate_command.h"

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
#include "orrery/cli/commands/experiments/search_place.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/calibration_text.h"
#include "orrery/cli/saving/residual_history.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/reports/calibrated_runs.h"

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
  CalibrationReport report = [&] {
    const auto output = OutputOf(command.run.file);
    return ReportOn(
        command.calibration, loaded, Fitted(command, loaded, history));
  }();
  PrintDiagnostics(report.warnings);
  report.run_ms = watch.Milliseconds();

  const std::string json = JsonReport(report);
  Save(*saved, report);
  const bool is_interrupted = report.fit.end == FitEnd::kInterrupted;
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
