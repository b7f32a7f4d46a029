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

/// What a function of the user says about a call.
enum class Evaluation : std::uint8_t {
  kOk,     ///< The outputs are written.
  kRetry,  ///< Outside its domain, or an inner loop did not converge: a
           ///< shorter step may succeed. The outputs are meaningless.
  kFail,   ///< No step can succeed: stop the run.
};

/// Whether a problem gives the Taylor series of its solution.
enum class SeriesKind : std::uint8_t {
  kNone,
  kPiecewise,  ///< Behind a kink or jump of f it is that of another function.
  kSmooth,
};

/// What f and a series take, in ns at a guess. It is the same on all machines,
/// as is what is chosen by it.
struct SeriesCost {
  double derivative = 0;
  double series = 0;
};

/// Where the coefficients of a series are: c_k of state i at begin[k * stride +
/// i].
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

  /// `Derivative` gave a value that is not finite there.
  virtual void OnNotFinite(double /*t*/, std::span<const double> /*x*/) {}

  /// Whether `TakeSteps` is worth an attempt now.
  [[nodiscard]] virtual bool CanTakeSteps() { return false; }

  /// Whether events may change states or equations; asked at each restart. A
  /// step as long as a series allows may lead far past one behind which other
  /// equations hold, and hides events that follow each other ever faster in its
  /// rounding.
  [[nodiscard]] virtual bool HasEvents() const { return false; }

  /// Of which degree, at most, the solution is as polynomials in time from each
  /// restart to the next; none if it is not known to be of any.
  [[nodiscard]] virtual std::optional<int> degree() const {
    return std::nullopt;
  }

  /// What `Series` is good for. May take some time when it is called first.
  [[nodiscard]] virtual SeriesKind series() { return SeriesKind::kNone; }

  /// Why there is no series, to stand in a message.
  [[nodiscard]] virtual std::string WhyNoSeries() {
    return "the problem gives no Taylor series";
  }

  /// What `Derivative` and `Series` cost, where there is a series.
  [[nodiscard]] virtual SeriesCost CostOfSeries(int /*order*/) { return {}; }

  /// Computes the Taylor series of the solution through x at t, x(t + theta h)
  /// = sum_k c_k theta^k, up to k = order >= 1. They may not be finite.
  /// @param rows is where they are until the next call.
  virtual Evaluation Series(double /*t*/,
                            std::span<const double> /*x*/,
                            double /*h*/,
                            int /*order*/,
                            SeriesRows& /*rows*/) {
    ORRERY_CHECK(series() != SeriesKind::kNone);
    return Evaluation::kFail;
  }

  /// Where df/dx (n by n) may be nonzero; null: anywhere. Must not change, and
  /// live as long as the problem.
  [[nodiscard]] virtual const SparsityPattern* jacobian_pattern() const {
    return nullptr;
  }

  /// Whether `Jacobian` is implemented. If not, the Jacobian is formed by
  /// differences, in as many evaluations of f as the pattern needs colours.
  [[nodiscard]] virtual bool has_jacobian() const { return false; }

  /// Whether `Jacobian` gives df/dx, or only what is near enough to it for
  /// Newton's iterations; the Rosenbrock method needs more.
  [[nodiscard]] virtual bool is_jacobian_exact() const { return true; }

  /// Writes df/dx at (t, x) to `values`, in the pattern's order; without a
  /// pattern all n * n of them, column by column. Where one is not finite, as
  /// the slope of a root at zero, a method may take differences instead.
  virtual Evaluation Jacobian(double /*t*/,
                              std::span<const double> /*x*/,
                              std::span<double> /*values*/) {
    ORRERY_CHECK(has_jacobian());
    return Evaluation::kFail;
  }

  /// Whether `TimeDerivative` is implemented; if not, it is a difference.
  [[nodiscard]] virtual bool has_time_derivative() const { return false; }

  /// Writes df/dt at (t, x) to `dfdt` (n elements); zeros where f does not
  /// depend on t. For the Rosenbrock method.
  virtual Evaluation TimeDerivative(double /*t*/,
                                    std::span<const double> /*x*/,
                                    std::span<double> /*dfdt*/) {
    ORRERY_CHECK(has_time_derivative());
    return Evaluation::kFail;
  }

  /// 1 for a state whose derivative is another state (a position), 0 for the
  /// others (velocities); n elements. Symplectic Euler needs it. Empty: not
  /// known.
  [[nodiscard]] virtual std::span<const std::uint8_t> positions() const {
    return {};
  }
};

}  // namespace orrery
