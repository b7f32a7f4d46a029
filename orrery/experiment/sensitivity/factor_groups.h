#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/statistics/correlation.h"

namespace orrery {

/// Factors that a sensitivity analysis moves together, as if they were one.
/// Plain data.
struct FactorGroup {
  std::string name;
  std::vector<std::size_t> factors;  ///< Their numbers, in order; some.

  friend bool operator==(const FactorGroup&, const FactorGroup&) = default;
};

/// The groups of factors, each factor in one, in the order of the first factor
/// of each. Factors that correlate are in one group, as they do not move one
/// without the other: Jacques, Lavergne & Devictor, "Sensitivity analysis in
/// presence of model uncertainty and correlated inputs", Reliab. Eng. Syst.
/// Saf. 91 (2006) 1126-1134. What is in no group of `texts` is one by itself,
/// with its own name.
/// @param source what messages call the texts: the option, `--group`.
/// @param texts NAME=FACTOR,FACTOR,...
/// @throws Error kInvalidArgument for a text that is none, names no factor, one
///     of another group, or a group's name again; for factors that correlate
///     and are in several of these groups.
[[nodiscard]] std::vector<FactorGroup> GroupsOf(
    std::span<const Factor> factors,
    std::string_view source,
    std::span<const std::string> texts,
    std::span<const Correlation> correlations);

namespace internal {

/// By factor, the number of its group.
/// @param groups empty: each is one by itself.
[[nodiscard]] std::vector<std::size_t> GroupNumbers(
    std::span<const FactorGroup> groups, std::size_t factors);

}  // namespace internal

}  // namespace orrery
