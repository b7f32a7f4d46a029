#include "orrery/sdk/experiments/sensitivity_analysis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <span>

#include "orrery/sim/types/sensitivity.h"

namespace orrery {
namespace {

std::vector<LocalEffect> LocalEffects(const RunTable& table,
                                      const NumberSensitivity& of) {
  std::vector<LocalEffect> effects;
  const double value = ColumnOf(table, of.number).front();
  for (const std::string& factor : of.factors) {
    const double derivative =
        ColumnOf(table, SensitivityName(of.number, factor)).front();
    const double at = ColumnOf(table, factor).front();
    effects.push_back(
        {.derivative = derivative,
         .elasticity = value == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : derivative * at / value});
  }
  return effects;
}

using Effects = decltype(NumberSensitivity::effects);

// Returns the estimator of a design, which needs the outputs of all its runs.
std::function<Effects(std::span<const double>)> EstimatorOf(
    const SweepDocument& document) {
  if (document.sensitivity == SensitivityMethod::kMorris) {
    return [design = MorrisDesignOf(document)](
               std::span<const double> outputs) -> Effects {
      return design.Estimate(outputs);
    };
  }
  return [design = SaltelliDesignOf(document)](
             std::span<const double> outputs) -> Effects {
    return design.Estimate(outputs);
  };
}

struct VariedEffects {
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

}  // namespace

std::vector<NumberSensitivity> SensitivitiesOf(const SweepDocument& document,
                                               const RunTable& table) {
  std::vector<NumberSensitivity> all;
  if (!document.sensitivity) {
    return all;
  }
  std::vector<std::string> factors;
  for (const RunColumn& column : table.columns) {
    if (column.role == RunColumn::Role::kVaried) {
      factors.push_back(column.name);
    }
  }
  const std::size_t num_factors = factors.size();
  if (document.sensitivity != SensitivityMethod::kLocal) {
    factors.clear();
    for (const FactorGroup& group : GroupsOf(document)) {
      factors.push_back(group.name);
    }
  }
  const bool is_local = document.sensitivity == SensitivityMethod::kLocal;
  const auto estimate = is_local
                            ? std::function<Effects(std::span<const double>)>()
                            : EstimatorOf(document);
  // In a local analysis, the derivatives follow after all measures.
  const std::size_t kept = table.columns.size() - num_factors;
  const std::size_t numbers = is_local ? kept / (1 + num_factors) : kept;
  for (std::size_t k = 0; k < numbers; ++k) {
    const std::size_t column = num_factors + k;
    NumberSensitivity& of =
        all.emplace_back(NumberSensitivity{.number = table.columns[column].name,
                                           .factors = factors,
                                           .effects = {}});
    const std::vector<double>& outputs = table.values[column];
    of.runs = std::ssize(outputs);
    of.missing = std::ranges::count_if(
        outputs, [](double output) { return !std::isfinite(output); });
    of.effects =
        estimate ? estimate(outputs) : Effects(LocalEffects(table, of));
  }
  return all;
}

bool HasVaried(const NumberSensitivity& sensitivity) {
  return std::visit(VariedEffects(), sensitivity.effects);
}

// In the order of SobolIndices::second.
std::vector<PairIndex> PairsOf(const std::vector<std::string>& factors,
                               const SobolIndices& indices) {
  std::vector<PairIndex> pairs;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    for (std::size_t j = i + 1;
         j < factors.size() && pairs.size() < indices.second.size();
         ++j) {
      pairs.push_back({.first = factors[i],
                       .second = factors[j],
                       .index = indices.second[pairs.size()]});
    }
  }
  return pairs;
}

}  // namespace orrery
