#pragma once

#include <cstddef>
#include <span>

namespace orrery {

/// An explicit Runge-Kutta method of s stages: k_i = f(t + c_i h, x + h sum
/// over j < i of a_ij k_j), then x_new = x + (h unit) sum of b_i k_i. Sums
/// begin at the first weight that is not zero, and skip zero weights. Refers to
/// constants.
struct ExplicitTableau {
  std::span<const double> nodes;    ///< c; s of them, the first 0.
  std::span<const double> matrix;   ///< a, row by row, s * s.
  std::span<const double> weights;  ///< b, in units of `unit`: short numbers.
  double unit = 1;
  /// True if f at x_new is a further stage k_s, which the error estimate needs.
  bool has_end_slope = false;

  [[nodiscard]] std::size_t stages() const noexcept { return nodes.size(); }

  /// Row i of the matrix.
  [[nodiscard]] std::span<const double> Row(std::size_t i) const noexcept {
    return matrix.subspan(i * stages(), i);
  }
};

}  // namespace orrery
