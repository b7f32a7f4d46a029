#include "orrery/sdk/reports/many_runs_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/base/numbers/estimate.h"
#include "orrery/experiment/statistics/sample_statistics.h"
#include "orrery/sdk/experiments/experiment_types.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/reports/stored_report.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::NumberOrNull;
using internal::NumbersAsJson;
using internal::Print;

namespace {

// Texts, where these vary.
Json ValuesAsJson(const RunColumn& column, const std::vector<double>& values) {
  if (!HoldsTexts(column)) {
    return NumbersAsJson(values);
  }
  Json array = Json::array();
  for (const double value : values) {
    const std::optional<std::string> text = TextAt(column, value);
    array.push_back(text ? Json(*text) : Json());
  }
  return array;
}

Json MeansAsJson(const RunTable& means) {
  Json columns = Json::array();
  for (std::size_t k = 0; k < means.columns.size(); ++k) {
    const RunColumn& column = means.columns[k];
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"varied", column.role == RunColumn::Role::kVaried},
                       {"values", ValuesAsJson(column, means.values[k])}});
  }
  return columns;
}

Json ColumnAsJson(const RunColumn& column,
                  const std::vector<double>& values,
                  bool are_independent) {
  if (HoldsTexts(column)) {
    return {{"name", column.name},
            {"unit", column.unit},
            {"varied", true},
            {"values", ValuesAsJson(column, values)}};
  }
  const Estimate mean = EstimateMean(values);
  const SortedSample sample(values);
  return {
      {"name", column.name},
      {"unit", column.unit},
      {"varied", column.role == RunColumn::Role::kVaried},
      {"mean", NumberOrNull(mean.mean)},
      {"deviation", NumberOrNull(mean.deviation)},
      {"half_width", are_independent ? NumberOrNull(mean.half_width) : Json()},
      {"quantiles",
       {{"0", NumberOrNull(sample.Quantile(0))},
        {"0.05", NumberOrNull(sample.Quantile(0.05))},
        {"0.5", NumberOrNull(sample.Quantile(0.5))},
        {"0.95", NumberOrNull(sample.Quantile(0.95))},
        {"1", NumberOrNull(sample.Quantile(1))}}},
      {"values", NumbersAsJson(values)}};
}

Json IndexJson(const SobolIndex& index) {
  return {{"value", NumberOrNull(index.value)},
          {"low", NumberOrNull(index.interval.low)},
          {"high", NumberOrNull(index.interval.high)}};
}

// The members of its JSON object.
struct Members {
  const std::vector<std::string>& factors;

  Json operator()(const std::vector<LocalEffect>& effects) const {
    Json array = Json::array();
    for (std::size_t k = 0; k < factors.size(); ++k) {
      array.push_back({{"factor", factors[k]},
                       {"derivative", NumberOrNull(effects[k].derivative)},
                       {"elasticity", NumberOrNull(effects[k].elasticity)}});
    }
    return {{"local", std::move(array)}};
  }

  Json operator()(const std::vector<MorrisEffect>& effects) const {
    Json array = Json::array();
    for (std::size_t k = 0; k < factors.size(); ++k) {
      array.push_back(
          {{"factor", factors[k]},
           {"mean_magnitude", NumberOrNull(effects[k].mean_magnitude)},
           {"mean", NumberOrNull(effects[k].mean)},
           {"deviation", NumberOrNull(effects[k].deviation)},
           {"count", effects[k].count}});
    }
    return {{"morris", std::move(array)}};
  }

  Json operator()(const SobolIndices& indices) const {
    Json array = Json::array();
    for (std::size_t k = 0; k < factors.size(); ++k) {
      array.push_back({{"factor", factors[k]},
                       {"first", IndexJson(indices.first[k])},
                       {"total", IndexJson(indices.total[k])}});
    }
    Json pairs = Json::array();
    for (const PairIndex& pair : PairsOf(factors, indices)) {
      pairs.push_back({{"factors", {pair.first, pair.second}},
                       {"second", IndexJson(pair.index)}});
    }
    return {{"sobol", std::move(array)},
            {"pairs", std::move(pairs)},
            {"mean", NumberOrNull(indices.mean)},
            {"variance", NumberOrNull(indices.variance)},
            {"samples", indices.samples},
            {"missing", indices.missing}};
  }
};

Json SensitivityJson(const std::vector<NumberSensitivity>& sensitivities) {
  Json array = Json::array();
  for (const NumberSensitivity& of : sensitivities) {
    Json json = {{"number", of.number},
                 {"varies", HasVaried(of)},
                 {"missing_runs", of.missing}};
    json.update(std::visit(Members{of.factors}, of.effects));
    array.push_back(std::move(json));
  }
  return array;
}

}  // namespace

std::string JsonReport(const ManyRunsReport& report) {
  const RunTable& table = report.table;
  const auto count = [&](RunStatus status) {
    return std::ranges::count(table.status, status);
  };
  Json columns = Json::array();
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    columns.push_back(ColumnAsJson(
        table.columns[k], table.values[k], report.are_independent));
    if (!report.has_values) {
      columns.back().erase("values");
    }
  }
  Json failures = Json::array();
  for (const RunFailure& failure : report.failures) {
    failures.push_back(
        {{"run", failure.run + 1}, {"message", failure.message}});
  }
  Json json = {{"status", report.is_interrupted ? "interrupted" : "completed"},
               {"message", ""},
               {"model", report.model},
               {"runs",
                {{"asked", table.status.size()},
                 {"completed", count(RunStatus::kCompleted)},
                 {"failed", count(RunStatus::kFailed)},
                 {"missing", count(RunStatus::kMissing)}}},
               {"run_ms", report.run_ms},
               {"columns", std::move(columns)},
               {"failures", std::move(failures)},
               {"diagnostics", DiagnosticsAsJson(report.warnings)}};
  if (report.replications > 1) {
    json["replications"] = report.replications;
    json["means"] = MeansAsJson(MeansOf(table, report.replications));
  }
  if (!report.sensitivities.empty()) {
    json["sensitivities"] = SensitivityJson(report.sensitivities);
  }
  return Print(json);
}

SweepDocument StoredSweep(ExperimentStore& store,
                          const ExperimentRecord& record) {
  SweepDocument document = SweepDocumentFromJson(record.document);
  document.run.files = StoredFiles(store, record);
  return document;
}

ManyRunsReport ReadManyRuns(ExperimentStore& store,
                            const ExperimentRecord& record) {
  const ExperimentId id = record.info.id;
  ManyRunsReport report{
      .model = record.info.model,
      .table = store.ReadRuns(id),
      .failures = store.ReadFailures(
          id, static_cast<std::size_t>(record.info.runs.failed)),
      .warnings = StoredWarnings(record.summary),
      .sensitivities = {},
      .is_interrupted = record.info.status == ExperimentStatus::kInterrupted};
  if (record.info.type == kReplications) {
    report.is_drawn = true;
    report.are_independent = true;
  } else if (record.info.type != kOptimization) {
    const SweepDocument document = StoredSweep(store, record);
    report.sensitivities = SensitivitiesOf(document, report.table);
    report.replications = RunsOfPoint(document);
    report.is_drawn = IsDrawn(document);
    report.are_independent = AreIndependent(document);
  }
  return report;
}

bool HasWholeReport(const ExperimentRecord& record) {
  return !record.summary.empty() && record.info.type != kSweep &&
         record.info.type != kSensitivity;
}

}  // namespace orrery
