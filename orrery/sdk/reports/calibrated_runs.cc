#include "orrery/sdk/reports/calibrated_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/sdk/documents/subject.h"

namespace orrery {
namespace {

Trajectory RunAtEstimates(const CalibrationDocument& document,
                          const LoadedCalibration& loaded,
                          std::size_t i,
                          const LeastSquaresFit& fit) {
  const RunDocument fitted = FittedRun(document, loaded, i, fit.parameters);
  return LoadSubject(fitted)
      ->MakeRunner({}, {})
      ->Run({}, fitted.seed, {})
      .trajectory;
}

// Computes the calibrated model at the measurements.
std::vector<CalibratedRun> CalibratedRuns(const CalibrationDocument& document,
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
    run.trajectory = RunAtEstimates(document, loaded, runs.size() - 1, fit);
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

std::vector<Diagnostic> WarningsAtEstimates(const CalibrationDocument& document,
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
    for (Diagnostic& warning :
         WarningsAt(*runs[i].subject, names, values, document.run.seed)) {
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

}  // namespace

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

CalibrationReport ReportOn(const CalibrationDocument& document,
                           const LoadedCalibration& loaded,
                           LeastSquaresFit fit) {
  CalibrationReport report{
      .model = loaded.model, .units = loaded.units, .fit = std::move(fit)};
  if (!report.fit.parameters.empty() &&
      report.fit.end != FitEnd::kInterrupted) {
    report.runs = CalibratedRuns(document, loaded, report.fit);
    report.warnings = WarningsAtEstimates(document, loaded, report.fit);
  }
  return report;
}

}  // namespace orrery
