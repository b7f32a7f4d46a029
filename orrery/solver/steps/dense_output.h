#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"

namespace orrery {

/// The solution over one step as polynomials, one per state:
///
///     x_i(t_begin + theta * h) = sum_k c[k * n + i] * theta^k,
///     theta in [0, 1]
///
/// Every integrator gives this form, so that its users (output points, events
/// bounded by interval arithmetic) depend on no method. It equals the
/// integrator's states at both ends of the step, up to rounding.
class DenseOutput {
 public:
  /// Makes room for polynomials of `degree` >= 1 in `dimension` states over
  /// [t_begin, t_begin + h], h > 0. The coefficients are undefined until the
  /// caller sets them. Allocates only if it needs more room than ever before.
  void Reset(int dimension, int degree, double t_begin, double h);

  [[nodiscard]] double t_begin() const noexcept { return t_begin_; }

  [[nodiscard]] double h() const noexcept { return h_; }

  [[nodiscard]] int degree() const noexcept { return degree_; }

  [[nodiscard]] int dimension() const noexcept { return dimension_; }

  /// All (degree + 1) * dimension coefficients, c[k * n + i].
  [[nodiscard]] std::span<const double> coefficients() const noexcept {
    return coefficients_;
  }

  /// The coefficients of theta^k, one per state.
  [[nodiscard]] std::span<double> coefficients(int k) noexcept {
    const auto n = static_cast<std::size_t>(dimension_);
    return std::span(coefficients_).subspan(static_cast<std::size_t>(k) * n, n);
  }

  [[nodiscard]] std::span<const double> coefficients(int k) const noexcept {
    const auto n = static_cast<std::size_t>(dimension_);
    return std::span(coefficients_).subspan(static_cast<std::size_t>(k) * n, n);
  }

  /// Writes all states at `t`, which should lie in the step, to `x`.
  void Evaluate(double t, std::span<double> x) const noexcept;

  /// Returns state `i` at `t`.
  [[nodiscard]] double Evaluate(int i, double t) const noexcept {
    const double theta = (t - t_begin_) / h_;
    const double* c = coefficients_.data() + degree_ * dimension_ + i;
    double x = *c;
    for (int row = degree_; row > 0; --row) {
      c -= dimension_;
      x = x * theta + *c;
    }
    return x;
  }

  /// Writes or reads the polynomials of `dimension` states.
  void Transfer(StateStream& stream, int dimension);

 private:
  double t_begin_ = 0;
  double h_ = 1;
  int degree_ = 0;
  int dimension_ = 0;
  std::vector<double> coefficients_;
};

/// Both ends of a step, for `SetHermite`. All spans have n elements.
struct StepEnds {
  std::span<const double> x_begin;
  std::span<const double> slope_begin;
  std::span<const double> x_end;
  std::span<const double> slope_end;
};

/// Sets `dense`, reset to a degree of at least 3, to the cubic with the given
/// values and slopes at the ends of its step.
void SetHermite(const StepEnds& ends, DenseOutput& dense) noexcept;

}  // namespace orrery
