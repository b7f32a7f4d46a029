#include "orrery/cli/experiment_reports/sensitivity_text.h"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/run_reports/text_report.h"
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
    for (const PairIndex& pair : PairsOf(factors, indices)) {
      rows.push_back(
          {pair.first + ", " + pair.second, IndexText(pair.index), ""});
    }
    return rows;
  }
};

}  // namespace

std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities) {
  std::string text;
  for (const NumberSensitivity& of : sensitivities) {
    if (!HasVaried(of)) {
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

}  // namespace orrery::cli
