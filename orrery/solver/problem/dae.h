#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "orrery/base/error.h"
#include "orrery/solver/problem/ode.h"

namespace orrery {

/// An implicit initial value problem F(t, y, y') = 0 of index 1, y in R^n. It
/// is semi-explicit: F contains no derivatives of algebraic unknowns, and can
/// be solved for those of the others.
///
/// An instance belongs to one run, as an `OdeProblem` does.
class DaeProblem {
 public:
  DaeProblem() = default;
  DaeProblem(const DaeProblem&) = delete;
  DaeProblem& operator=(const DaeProblem&) = delete;
  virtual ~DaeProblem() = default;

  /// n, the number of unknowns and of equations; at least 1.
  [[nodiscard]] virtual int dimension() const = 0;

  /// Writes F(t, y, yp) to `residual`; all have n elements, none overlap. A
  /// value that is not finite counts as kRetry.
  virtual Evaluation Residual(double t,
                              std::span<const double> y,
                              std::span<const double> yp,
                              std::span<double> residual) = 0;

  /// 1 for an unknown whose derivative occurs in F, 0 for an algebraic one; n
  /// elements.
  [[nodiscard]] virtual std::span<const std::uint8_t> differential() const = 0;

  /// Writes a guess of y' at (t, y) to `yp`, from which the consistent y' is
  /// found. Zeros if not overridden.
  virtual Evaluation GuessSlope(double /*t*/,
                                std::span<const double> /*y*/,
                                std::span<double> yp) {
    std::ranges::fill(yp, 0.0);
    return Evaluation::kOk;
  }

  /// Pattern of dF/dy + cj dF/dy' (n by n); null: full.
  [[nodiscard]] virtual const SparsityPattern* jacobian_pattern() const {
    return nullptr;
  }

  /// True if `Jacobian` is implemented. Else the Jacobian is formed by
  /// differences, with one evaluation of F for each colour of the pattern.
  [[nodiscard]] virtual bool has_jacobian() const { return false; }

  /// Writes dF/dy + cj dF/dy' at (t, y, yp) to `values`, in the pattern's
  /// order; all n * n column by column without a pattern.
  virtual Evaluation Jacobian(double /*t*/,
                              double /*cj*/,
                              std::span<const double> /*y*/,
                              std::span<const double> /*yp*/,
                              std::span<double> /*values*/) {
    ORRERY_CHECK(has_jacobian());
    return Evaluation::kFail;
  }
};

}  // namespace orrery
