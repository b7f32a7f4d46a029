#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "orrery/experiment/runs/run_table.h"
#include "orrery/experiment/sensitivity/morris.h"
#include "orrery/experiment/sensitivity/sobol_indices.h"
#include "orrery/sdk/experiments/sweep_document.h"

namespace orrery {

/// The effect of a small change of one factor on a number. Plain data.
struct LocalEffect {
  double derivative = 0;
  /// The relative change of the number over that of the factor: the per cent of
  /// change for 1 %. NaN if the number is 0.
  double elasticity = 0;

  friend bool operator==(const LocalEffect&, const LocalEffect&) = default;
};

/// The effects of the varied quantities on a measure of runs. Plain data.
struct NumberSensitivity {
  std::string number;
  std::vector<std::string> factors;  ///< Or groups of them.
  /// One effect for each factor; or the indices of all.
  std::
      variant<std::vector<LocalEffect>, std::vector<MorrisEffect>, SobolIndices>
          effects;
  /// Number of runs that failed or lack the number, and are left out. The
  /// effects apply to the region of the other runs.
  std::int64_t missing = 0;
  std::int64_t runs = 0;  ///< All of them.
};

/// Computes the results of a sensitivity analysis; nothing for other sweeps.
/// @param table of runs of `document`.
[[nodiscard]] std::vector<NumberSensitivity> SensitivitiesOf(
    const SweepDocument& document, const RunTable& table);

/// True if the number varied with the factors at all, or if it is missing.
[[nodiscard]] bool HasVaried(const NumberSensitivity& sensitivity);

/// The index of a pair of factors.
struct PairIndex {
  std::string first;
  std::string second;
  SobolIndex index;
};

/// The indices of all pairs of factors, by name.
[[nodiscard]] std::vector<PairIndex> PairsOf(
    const std::vector<std::string>& factors, const SobolIndices& indices);

}  // namespace orrery
