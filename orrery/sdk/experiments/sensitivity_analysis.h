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

/// How a number answers to a small move of one factor. Plain data.
struct LocalEffect {
  double derivative = 0;
  /// In proportion to both: by how many per cent the number changes if the
  /// factor does by one. NaN where the number is 0.
  double elasticity = 0;

  friend bool operator==(const LocalEffect&, const LocalEffect&) = default;
};

/// How a number that is kept of runs answers to what varies. Plain data.
struct NumberSensitivity {
  std::string number;
  std::vector<std::string> factors;  ///< Or groups of them.
  /// One effect a factor; or the indices of all.
  std::
      variant<std::vector<LocalEffect>, std::vector<MorrisEffect>, SobolIndices>
          effects;
  /// Runs that failed or came to no such number, so that no effect is taken of
  /// them: what is told is of where the others are.
  std::int64_t missing = 0;
  std::int64_t runs = 0;  ///< All of them.
};

/// What the runs of a sensitivity analysis say; nothing of another sweep.
/// @param table of runs of `document`.
[[nodiscard]] std::vector<NumberSensitivity> SensitivitiesOf(
    const SweepDocument& document, const RunTable& table);

}  // namespace orrery
