#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sdk/reports/calibration_report.h"

namespace orrery {
namespace {

// Returns the signal whose residuals a curve shows, if any.
std::optional<std::string> ResidualOf(const PlotSpec::Curve& curve) {
  constexpr std::string_view kBegin = "residual(";
  if (!curve.y.starts_with(kBegin) || !curve.y.ends_with(')')) {
    return std::nullopt;
  }
  return curve.y.substr(kBegin.size(), curve.y.size() - kBegin.size() - 1);
}

const CalibratedSignal* Find(const CalibratedRun& run,
                             const std::string& name) {
  const auto found =
      std::ranges::find(run.signals, name, &CalibratedSignal::name);
  return found == run.signals.end() ? nullptr : &*found;
}

// Returns the abscissae of the measured values: their times, or the
// measurements of another signal at the same times; nothing if there are none.
std::optional<std::vector<double>> AbscissaeOf(const PlotSpec::Curve& curve,
                                               const CalibratedRun& run,
                                               const CalibratedSignal& signal) {
  if (curve.x == "time") {
    return signal.times;
  }
  const CalibratedSignal* const other = Find(run, curve.x);
  return other != nullptr && other->times == signal.times
             ? std::optional(other->measured)
             : std::nullopt;
}

// One curve of one run.
Figure Part(const PlotSpec::Curve& curve, const CalibratedRun& run) {
  Figure part{.title = "",
              .x = {.label = "time", .unit = "s"},
              .y = {.label = curve.y, .unit = ""},
              .series = {}};
  if (const auto residual = ResidualOf(curve)) {
    if (const CalibratedSignal* const signal = Find(run, *residual)) {
      part.series.push_back({.label = curve.y,
                             .x = signal->times,
                             .y = signal->residuals,
                             .style = SeriesStyle::kPoints});
    }
    return part;
  }
  part = MakeFigure(run.trajectory, {.curves = {curve}});
  if (const CalibratedSignal* const signal = Find(run, curve.y)) {
    if (const auto abscissae = AbscissaeOf(curve, run, *signal)) {
      part.series.push_back({.label = curve.y + " (data)",
                             .x = *abscissae,
                             .y = signal->measured,
                             .style = SeriesStyle::kPoints});
    }
  }
  return part;
}

void Add(Figure part, Figure& figure) {
  if (figure.series.empty()) {
    figure = std::move(part);
  } else {
    std::ranges::move(part.series, std::back_inserter(figure.series));
  }
}

}  // namespace

void CheckCalibrationPlot(const PlotSpec& spec,
                          const SignalTable& signals,
                          const std::vector<std::string>& measured) {
  PlotSpec of_signals;
  for (const PlotSpec::Curve& curve : spec.curves) {
    const auto residual = ResidualOf(curve);
    if (!residual) {
      of_signals.curves.push_back(curve);
    } else if (curve.x != "time" ||
               std::ranges::find(measured, *residual) == measured.end()) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("cannot plot '{}': residuals are of what was measured, "
                      "over the time{}",
                      curve.y,
                      Clause(Suggest(*residual, measured))));
    }
  }
  CheckPlot(of_signals, signals);
}

Figure CalibrationFigure(const PlotSpec& spec,
                         const CalibrationReport& report) {
  Figure figure;
  int color = 0;
  for (const PlotSpec::Curve& curve : spec.curves) {
    for (const CalibratedRun& run : report.runs) {
      Figure part = Part(curve, run);
      const std::string name =
          report.runs.size() > 1 ? fmt::format(", {}", run.data) : "";
      for (Series& series : part.series) {
        series.color = color;
        series.label += name;
      }
      Add(std::move(part), figure);
      ++color;
    }
  }
  if (spec.curves.size() > 1) {
    figure.y.label.clear();
  }
  return figure;
}

}  // namespace orrery
