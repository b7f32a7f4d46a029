#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/containers/sparsity_pattern.h"
#include "orrery/base/error.h"
#include "orrery/solver/problem/step_taker.h"

namespace orrery {

/// The result of a call of a user's function.
enum class Evaluation : std::uint8_t {
  kOk,     ///< The outputs are written.
  kRetry,  ///< Outside its domain, or an inner loop did not converge: a shorter
           ///< step may succeed. The outputs are meaningless.
  kFail,   ///< No step can succeed: stop the run.
};

/// The kind of Taylor series that a problem gives for its solution.
enum class SeriesKind : std::uint8_t {
  kNone,
  kPiecewise,  ///< Beyond a kink or jump of f it belongs to another function.
  kSmooth,
};

/// Estimated cost of f and of a series, in ns. The same on all machines, so
/// that choices by it are the same, too.
struct SeriesCost {
  double derivative = 0;
  double series = 0;
};

/// The coefficients of a series: c_k of state i is at begin[k * stride + i].
struct SeriesRows {
  const double* begin = nullptr;
  std::size_t stride = 0;
};

/// An initial value problem x' = f(t, x), x in R^n.
///
/// An instance belongs to one run: its methods may keep guesses and scratch
/// memory. They are called from the thread that steps the integrator. An
/// exception that a method throws leaves `TimeIntegrator::Step` unchanged,
/// whatever the method of integration; a point that cannot be evaluated is no
/// exception but `Evaluation::kRetry`.
class OdeProblem : public StepTaker {
 public:
  /// n, the number of states; at least 1.
  [[nodiscard]] virtual int dimension() const = 0;

  /// Writes f(t, x) to `dx`; both have n elements and do not overlap. A value
  /// that is not finite counts as kRetry.
  virtual Evaluation Derivative(double t,
                                std::span<const double> x,
                                std::span<double> dx) = 0;

  /// Called when `Derivative` gave a value that is not finite.
  virtual void OnNotFinite(double /*t*/, std::span<const double> /*x*/) {}

  /// True if `TakeSteps` is worth an attempt now.
  [[nodiscard]] virtual bool CanTakeSteps() { return false; }

  /// True if events may change states or equations; called at each restart. A
  /// step as long as a series allows may lead far past an event after which
  /// other equations hold, and its rounding hides events that follow each other
  /// ever faster.
  [[nodiscard]] virtual bool HasEvents() const { return false; }

  /// Greatest degree of the solution as polynomials in time from each restart
  /// to the next; none if it is not known to be polynomial.
  [[nodiscard]] virtual std::optional<int> degree() const {
    return std::nullopt;
  }

  /// The kind of series that `Series` gives. The first call may take some time.
  [[nodiscard]] virtual SeriesKind series() { return SeriesKind::kNone; }

  /// Returns the reason why there is no series, for a message.
  [[nodiscard]] virtual std::string WhyNoSeries() {
    return "the problem gives no Taylor series";
  }

  /// The cost of `Derivative` and `Series`, if there is a series.
  [[nodiscard]] virtual SeriesCost CostOfSeries(int /*order*/) { return {}; }

  /// Computes the Taylor series of the solution through x at t, x(t + theta h)
  /// = sum_k c_k theta^k, up to k = order >= 1. The coefficients need not be
  /// finite.
  /// @param rows gets their place, valid until the next call.
  virtual Evaluation Series(double /*t*/,
                            std::span<const double> /*x*/,
                            double /*h*/,
                            int /*order*/,
                            SeriesRows& /*rows*/) {
    ORRERY_CHECK(series() != SeriesKind::kNone);
    return Evaluation::kFail;
  }

  /// Pattern of df/dx (n by n); null: full. Must not change, and must live as
  /// long as the problem.
  [[nodiscard]] virtual const SparsityPattern* jacobian_pattern() const {
    return nullptr;
  }

  /// True if `Jacobian` is implemented. Else the Jacobian is formed by
  /// differences, with one evaluation of f for each colour of the pattern.
  [[nodiscard]] virtual bool has_jacobian() const { return false; }

  /// True if `Jacobian` gives df/dx exactly. An approximation suffices for
  /// Newton's iterations, but not for the Rosenbrock method.
  [[nodiscard]] virtual bool is_jacobian_exact() const { return true; }

  /// Writes df/dx at (t, x) to `values`, in the pattern's order; all n * n
  /// column by column without a pattern. If a value is not finite, as the slope
  /// of a root at zero, a method may use differences instead.
  virtual Evaluation Jacobian(double /*t*/,
                              std::span<const double> /*x*/,
                              std::span<double> /*values*/) {
    ORRERY_CHECK(has_jacobian());
    return Evaluation::kFail;
  }

  /// True if `TimeDerivative` is implemented; else it is formed by a
  /// difference.
  [[nodiscard]] virtual bool has_time_derivative() const { return false; }

  /// Writes df/dt at (t, x) to `dfdt` (n elements); zeros if f does not depend
  /// on t. For the Rosenbrock method.
  virtual Evaluation TimeDerivative(double /*t*/,
                                    std::span<const double> /*x*/,
                                    std::span<double> /*dfdt*/) {
    ORRERY_CHECK(has_time_derivative());
    return Evaluation::kFail;
  }

  /// 1 for a state whose derivative is another state (a position), 0 for the
  /// others (velocities); n elements. Symplectic Euler needs it. Empty:
  /// unknown.
  [[nodiscard]] virtual std::span<const std::uint8_t> positions() const {
    return {};
  }
};

}  // namespace orrery
