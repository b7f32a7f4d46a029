#include "orrery/fmi/exchange/changed_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "orrery/fmi/message_log.h"

namespace orrery::fmi {
void CheckFits(const Description& its,
               VariableIndex index,
               std::span<const double> values) {
  const Variable& variable = its.variables[index];
  const auto limits = WholeLimits(its, variable);
  for (const double value : values) {
    const bool is_whole = value == std::floor(value);  // False for NaN.
    if (limits &&
        !(is_whole && value >= limits->first && value <= limits->second)) {
      throw CallFailure(
          fmt::format("cannot give '{}' of {} the value {}: it takes whole "
                      "numbers from {} to {}",
                      variable.name,
                      its.model_name,
                      value,
                      limits->first,
                      limits->second),
          CallStatus::kError);
    }
  }
}

void SetChanged(const Description& its,
                Instance& instance,
                const VariableRow& row,
                std::span<const double> values,
                std::vector<double>& before) {
  if (std::ranges::equal(values, before)) {
    return;
  }
  for (std::size_t k = 0; k < row.variables().size(); ++k) {
    const std::size_t place = row.place(k);
    if (!std::ranges::equal(
            values.subspan(place, row.count(k)),
            std::span<const double>(before).subspan(place, row.count(k)))) {
      CheckFits(its, row.variables()[k], values.subspan(place, row.count(k)));
      instance.SetNumbers(row.group(k), values);
    }
  }
  before.assign(values.begin(), values.end());
}

void SetTunable(const Description& its,
                Instance& instance,
                const VariableRow& row,
                std::span<const double> values,
                std::vector<double>& before) {
  if (std::ranges::equal(values, before)) {
    return;
  }
  const std::span<const double> old = before;
  for (std::size_t k = 0; k < row.variables().size(); ++k) {
    const Variable& variable = its.variables[row.variables()[k]];
    const std::size_t place = row.place(k);
    if (variable.variability != Variability::kTunable &&
        !std::ranges::equal(values.subspan(place, row.count(k)),
                            old.subspan(place, row.count(k)))) {
      throw CallFailure(
          fmt::format("cannot set '{}' in a run: its variability is fixed; it "
                      "can be set before the run only",
                      variable.name),
          CallStatus::kError);
    }
  }
  SetChanged(its, instance, row, values, before);
}

}  // namespace orrery::fmi
