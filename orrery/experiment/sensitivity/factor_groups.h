#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/statistics/correlation.h"

namespace orrery {

/// Factors that a sensitivity analysis moves together, like one factor. Plain
/// data.
struct FactorGroup {
  std::string name;
  std::vector<std::size_t> factors;  ///< Their numbers, in ascending order; not
                                     ///< empty.

  friend bool operator==(const FactorGroup&, const FactorGroup&) = default;
};

/// Returns the groups of factors, in the order of the first factor of each.
/// Each factor is in one group; a factor that no text names is a group by
/// itself, with its own name. Factors that correlate belong to one group, since
/// one does not move without the other: Jacques, Lavergne & Devictor,
/// "Sensitivity analysis in presence of model uncertainty and correlated
/// inputs", Reliab. Eng. Syst. Saf. 91 (2006) 1126-1134.
/// @param source the option that messages name: `--group`.
/// @param texts NAME=FACTOR,FACTOR,...
/// @throws Error kInvalidArgument for a text of another form, one that names no
///     factor, a factor of another group, or a group's name again; for factors
///     that correlate and are in several groups.
[[nodiscard]] std::vector<FactorGroup> GroupsOf(
    std::span<const Factor> factors,
    std::string_view source,
    std::span<const std::string> texts,
    std::span<const Correlation> correlations);

namespace experiment::internal {

/// By factor, the number of its group.
/// @param groups empty: each factor is a group by itself.
[[nodiscard]] std::vector<std::size_t> GroupNumbers(
    std::span<const FactorGroup> groups, std::size_t factors);

}  // namespace experiment::internal

}  // namespace orrery
