#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The correlation of two random factors. Plain data.
struct Correlation {
  std::string first;
  std::string second;
  /// Coefficient of their normal scores (see DesignOptions), between -1 and 1.
  double coefficient = 0;

  friend bool operator==(const Correlation&, const Correlation&) = default;
};

/// Reads correlations, each `NAME,NAME=COEFFICIENT`.
/// @param source the option that messages name: `--correlate`.
/// @throws Error kInvalidArgument with a diagnostic for each text that cannot
///     be read.
[[nodiscard]] std::vector<Correlation> ParseCorrelations(
    std::string_view source, std::span<const std::string> texts);

/// Returns the lower triangular matrix L, row by row, of the correlation matrix
/// L L'. It gives independent standard normal variables these correlations.
/// @param names of all variables.
/// @throws Error kInvalidArgument for a name that is not known, a pair that
///     comes twice, a coefficient out of range, or a variable whose
///     correlations contradict those of the variables before it: the matrix is
///     not positive definite.
[[nodiscard]] std::vector<double> CorrelationFactor(
    std::span<const std::string> names,
    std::span<const Correlation> correlations);

}  // namespace orrery
