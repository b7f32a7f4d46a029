#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/experiment_reports/experiment_reports.h"
#include "orrery/cli/run_reports/reports.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

// With four decimals; -0 has no sign.
std::string FourDecimals(double value) {
  constexpr double kPart = 1e4;
  return fmt::format("{:.4f}", std::round(value * kPart) / kPart + 0.0);
}

// "0.3140 (0.2900 to 0.3400)"
std::string IndexText(const SobolIndex& index) {
  return fmt::format("{} ({} to {})",
                     FourDecimals(index.value),
                     FourDecimals(index.interval.low),
                     FourDecimals(index.interval.high));
}

Json IndexJson(const SobolIndex& index) {
  return {{"value", NumberOrNull(index.value)},
          {"low", NumberOrNull(index.interval.low)},
          {"high", NumberOrNull(index.interval.high)}};
}

// Calls `act` with the names of each pair of factors and its index, in the
// order of SobolIndices::second.
template <typename Act>
void ForEachPair(const std::vector<std::string>& factors,
                 const SobolIndices& indices,
                 Act act) {
  std::size_t pair = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    for (std::size_t j = i + 1;
         j < factors.size() && pair < indices.second.size();
         ++j) {
      act(factors[i], factors[j], indices.second[pair++]);
    }
  }
}

// True if a number varied with the factors at all, or if it is missing.
struct HasVaried {
  bool operator()(const std::vector<LocalEffect>& effects) const {
    return std::ranges::any_of(
        effects, [](double d) { return d != 0; }, &LocalEffect::derivative);
  }

  bool operator()(const std::vector<MorrisEffect>& effects) const {
    return std::ranges::any_of(
        effects,
        [](double m) { return m != 0; },
        &MorrisEffect::mean_magnitude);
  }

  bool operator()(const SobolIndices& indices) const {
    return indices.variance != 0;
  }
};

// The rows of a number's table.
struct RowsOfEffects {
  const std::vector<std::string>& factors;

  std::vector<Row> operator()(const std::vector<LocalEffect>& effects) const {
    std::vector<Row> rows = {{"", "derivative", "% by 1 %"}};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      rows.push_back({factors[k],
                      NumberText(effects[k].derivative),
                      NumberText(effects[k].elasticity)});
    }
    return rows;
  }

  std::vector<Row> operator()(const std::vector<MorrisEffect>& effects) const {
    std::vector<Row> rows = {{"", "mu*", "mu", "sigma"}};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      rows.push_back({factors[k],
                      NumberText(effects[k].mean_magnitude),
                      NumberText(effects[k].mean),
                      NumberText(effects[k].deviation)});
    }
    return rows;
  }

  std::vector<Row> operator()(const SobolIndices& indices) const {
    std::vector<Row> rows = {
        {"", "by itself (95 % interval)", "with others (95 % interval)"}};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      rows.push_back({factors[k],
                      IndexText(indices.first[k]),
                      IndexText(indices.total[k])});
    }
    ForEachPair(factors,
                indices,
                [&](const std::string& a,
                    const std::string& b,
                    const SobolIndex& index) {
                  rows.push_back({a + ", " + b, IndexText(index), ""});
                });
    return rows;
  }
};

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
    ForEachPair(
        factors,
        indices,
        [&](const std::string& a,
            const std::string& b,
            const SobolIndex& index) {
          pairs.push_back({{"factors", {a, b}}, {"second", IndexJson(index)}});
        });
    return {{"sobol", std::move(array)},
            {"pairs", std::move(pairs)},
            {"mean", NumberOrNull(indices.mean)},
            {"variance", NumberOrNull(indices.variance)},
            {"samples", indices.samples},
            {"missing", indices.missing}};
  }
};

}  // namespace

std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities) {
  std::string text;
  for (const NumberSensitivity& of : sensitivities) {
    if (!std::visit(HasVaried(), of.effects)) {
      text += fmt::format(
          "  {} does not vary with {}: keep another number, or vary more\n",
          of.number,
          fmt::join(of.factors, ", "));
      continue;
    }
    std::vector<Row> rows = std::visit(RowsOfEffects{of.factors}, of.effects);
    rows[0][0] = of.number;
    text += InColumns(rows);
    if (of.missing > 0) {
      text += fmt::format(
          "  note: {} of {} came to no {}: the effects are of the others "
          "alone, and not of all of the ranges\n",
          of.missing,
          Counted(of.runs, "run", "runs"),
          of.number);
    }
  }
  return text;
}

Json SensitivityJson(const std::vector<NumberSensitivity>& sensitivities) {
  Json array = Json::array();
  for (const NumberSensitivity& of : sensitivities) {
    Json json = {{"number", of.number},
                 {"varies", std::visit(HasVaried(), of.effects)},
                 {"missing_runs", of.missing}};
    json.update(std::visit(Members{of.factors}, of.effects));
    array.push_back(std::move(json));
  }
  return array;
}

}  // namespace orrery::cli
