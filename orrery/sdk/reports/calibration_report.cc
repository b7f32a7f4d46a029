#include "orrery/sdk/reports/calibration_report.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

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

}  // namespace orrery
