#include "orrery/sdk/reports/calibration_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::NumberFrom;
using internal::NumberOrNull;
using internal::NumbersAsJson;
using internal::ParsePrinted;
using internal::Print;

namespace {

using FindingKind = FitFinding::Kind;
constexpr std::array<std::pair<FindingKind, std::string_view>, 8> kFindings = {
    {{FindingKind::kNoEffect, "no-effect"},
     {FindingKind::kAtBound, "at-bound"},
     {FindingKind::kUndetermined, "undetermined"},
     {FindingKind::kCollinear, "collinear"},
     {FindingKind::kNotStationary, "not-stationary"},
     {FindingKind::kNoFreedom, "no-freedom"},
     {FindingKind::kNoNoise, "no-noise"},
     {FindingKind::kTooFewIterations, "too-few-iterations"}}};

constexpr std::array kEnds = {FitEnd::kConverged,
                              FitEnd::kNotConverged,
                              FitEnd::kInterrupted,
                              FitEnd::kFailed};

std::vector<double> NumbersOf(const Json& json) {
  std::vector<double> values;
  for (const Json& element : json) {
    values.push_back(NumberFrom(element));
  }
  return values;
}

Json IntervalAsJson(const ConfidenceInterval& interval) {
  return {NumberOrNull(interval.low), NumberOrNull(interval.high)};
}

Json EstimatesAsJson(const CalibrationReport& report) {
  Json parameters = Json::array();
  for (std::size_t k = 0; k < report.fit.parameters.size(); ++k) {
    const ParameterEstimate& its = report.fit.parameters[k];
    parameters.push_back(
        {{"name", its.name},
         {"unit", report.units[k]},
         {"value", NumberOrNull(its.value)},
         {"standard_error", NumberOrNull(its.standard_error)},
         {"interval", IntervalAsJson(its.interval)},
         {"profile", its.profile ? IntervalAsJson(*its.profile) : Json()}});
  }
  return parameters;
}

Json CorrelationAsJson(const LeastSquaresFit& fit) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    Json row = Json::array();
    for (std::size_t k = 0; k < fit.parameters.size(); ++k) {
      row.push_back(NumberOrNull(fit.Correlation(i, k)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json FindingsAsJson(const std::vector<FitFinding>& findings) {
  Json array = Json::array();
  for (const FitFinding& finding : findings) {
    const auto name = std::ranges::find(
        kFindings, finding.kind, &decltype(kFindings)::value_type::first);
    array.push_back({{"kind", name->second},
                     {"parameters", finding.parameters},
                     {"size", NumberOrNull(finding.size)},
                     {"message", Describe(finding)}});
  }
  return array;
}

Json DataAsJson(const std::vector<CalibratedRun>& runs) {
  Json array = Json::array();
  for (const CalibratedRun& run : runs) {
    Json signals = Json::array();
    for (const CalibratedSignal& signal : run.signals) {
      signals.push_back({{"name", signal.name},
                         {"unit", signal.unit},
                         {"time", NumbersAsJson(signal.times)},
                         {"measured", NumbersAsJson(signal.measured)},
                         {"computed", NumbersAsJson(signal.computed)},
                         {"residual", NumbersAsJson(signal.residuals)}});
    }
    array.push_back({{"file", run.data}, {"signals", std::move(signals)}});
  }
  return array;
}

void ReadParameters(const Json& json, CalibrationReport& report) {
  for (const Json& its : json) {
    ParameterEstimate& estimate = report.fit.parameters.emplace_back();
    estimate.name = its.at("name").get<std::string>();
    report.units.push_back(its.at("unit").get<std::string>());
    estimate.value = NumberFrom(its.at("value"));
    estimate.standard_error = NumberFrom(its.at("standard_error"));
    estimate.interval = {.low = NumberFrom(its.at("interval").at(0)),
                         .high = NumberFrom(its.at("interval").at(1))};
    if (const Json& profile = its.at("profile"); profile.is_array()) {
      estimate.profile =
          ConfidenceInterval{.low = NumberFrom(profile.at(0), -kInfinity),
                             .high = NumberFrom(profile.at(1), kInfinity)};
    }
  }
}

void ReadFindings(const Json& json, LeastSquaresFit& fit) {
  for (const Json& its : json) {
    const auto kind =
        std::ranges::find(kFindings,
                          its.at("kind").get<std::string>(),
                          &decltype(kFindings)::value_type::second);
    if (kind != kFindings.end()) {
      fit.findings.push_back(
          {.kind = kind->first,
           .parameters = its.at("parameters").get<std::vector<std::string>>(),
           .size = NumberFrom(its.at("size"))});
    }
  }
}

void ReadData(const Json& json, CalibrationReport& report) {
  for (const Json& its : json) {
    CalibratedRun& run = report.runs.emplace_back();
    run.data = its.at("file").get<std::string>();
    for (const Json& signal : its.at("signals")) {
      run.signals.push_back({.name = signal.at("name").get<std::string>(),
                             .unit = signal.at("unit").get<std::string>(),
                             .times = NumbersOf(signal.at("time")),
                             .measured = NumbersOf(signal.at("measured")),
                             .computed = NumbersOf(signal.at("computed")),
                             .residuals = NumbersOf(signal.at("residual"))});
    }
  }
}

}  // namespace

std::string JsonReport(const CalibrationReport& report) {
  const LeastSquaresFit& fit = report.fit;
  Json final = Json::object();
  for (const ParameterEstimate& estimate : fit.parameters) {
    final[estimate.name] = NumberOrNull(estimate.value);
  }
  return Print({{"status", Describe(fit.end)},
                {"message", fit.message},
                {"model", report.model},
                {"parameters", EstimatesAsJson(report)},
                {"confidence", fit.confidence},
                {"covariance", NumbersAsJson(fit.covariance)},
                {"correlation", CorrelationAsJson(fit)},
                {"residuals",
                 {{"count", fit.residuals.size()},
                  {"sum_of_squares", NumberOrNull(fit.sum_of_squares)},
                  {"deviation", NumberOrNull(fit.residual_deviation)},
                  {"by_signal", NumbersAsJson(fit.group_deviations)},
                  {"relative_offset", NumberOrNull(fit.relative_offset)}}},
                {"findings", FindingsAsJson(fit.findings)},
                {"data", DataAsJson(report.runs)},
                {"costs", NumbersAsJson(fit.costs)},
                {"iterations", fit.iterations},
                {"evaluations", fit.evaluations},
                {"run_ms", report.run_ms},
                {"final", std::move(final)},
                {"diagnostics", DiagnosticsAsJson(report.warnings)}});
}

CalibrationReport CalibrationReportFromJson(const std::string& text) {
  const Json json = ParsePrinted(text);
  CalibrationReport report;
  LeastSquaresFit& fit = report.fit;
  for (const FitEnd end : kEnds) {
    if (json.at("status").get<std::string>() == Describe(end)) {
      fit.end = end;
    }
  }
  fit.message = json.at("message").get<std::string>();
  report.model = json.at("model").get<std::string>();
  ReadParameters(json.at("parameters"), report);
  fit.confidence = json.at("confidence").get<double>();
  fit.covariance = NumbersOf(json.at("covariance"));
  for (const Json& row : json.at("correlation")) {
    const std::vector<double> numbers = NumbersOf(row);
    fit.correlation.insert(
        fit.correlation.end(), numbers.begin(), numbers.end());
  }
  const Json& residuals = json.at("residuals");
  fit.sum_of_squares = NumberFrom(residuals.at("sum_of_squares"));
  fit.residual_deviation = NumberFrom(residuals.at("deviation"));
  fit.group_deviations = NumbersOf(residuals.at("by_signal"));
  fit.relative_offset = NumberFrom(residuals.at("relative_offset"));
  ReadFindings(json.at("findings"), fit);
  ReadData(json.at("data"), report);
  for (const CalibratedRun& run : report.runs) {
    for (const CalibratedSignal& signal : run.signals) {
      fit.residuals.insert(fit.residuals.end(),
                           signal.residuals.begin(),
                           signal.residuals.end());
    }
  }
  fit.costs = NumbersOf(json.at("costs"));
  json.at("iterations").get_to(fit.iterations);
  json.at("evaluations").get_to(fit.evaluations);
  json.at("run_ms").get_to(report.run_ms);
  return report;
}

CalibrationReport StoredCalibration(ExperimentStore& store,
                                    const ExperimentRecord& record) {
  CalibrationReport report = CalibrationReportFromJson(record.summary);
  for (const std::int64_t run : record.trajectories) {
    const auto number = static_cast<std::size_t>(run);
    if (number < report.runs.size()) {  // Others are the history.
      report.runs[number].trajectory =
          store.ReadTrajectory(record.info.id, run);
    }
  }
  return report;
}

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
