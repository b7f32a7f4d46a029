#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_types.h>

#include "orrery/solver/algebra/band_linear_solver.h"
#include "orrery/solver/algebra/linear_solver.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::solver::internal {

static_assert(sizeof(realtype) == sizeof(double));

/// A SUNDIALS context, one per integrator: nothing is shared between threads.
class SundialsContext {
 public:
  SundialsContext();

  ~SundialsContext() { SUNContext_Free(&context_); }

  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;

  [[nodiscard]] SUNContext get() const noexcept { return context_; }

 private:
  SUNContext context_ = nullptr;
};

/// A vector for both SUNDIALS and our code.
class SundialsVector {
 public:
  /// Makes a vector of `size` zeros.
  SundialsVector(int size, const SundialsContext& context);

  ~SundialsVector() { N_VDestroy(vector_); }

  SundialsVector(const SundialsVector&) = delete;
  SundialsVector& operator=(const SundialsVector&) = delete;

  [[nodiscard]] N_Vector get() const noexcept { return vector_; }

  [[nodiscard]] std::span<double> values() const noexcept;

 private:
  N_Vector vector_;
};

/// The elements of a vector that SUNDIALS hands to a call-back.
[[nodiscard]] std::span<double> Elements(N_Vector vector) noexcept;

/// A matrix with its linear solver, chosen by the pattern: dense, or our band
/// or sparse solver.
class SundialsLinearSolver {
 public:
  /// kComplete if a sparse matrix needs room for its whole diagonal, as for
  /// CVODE, which adds the identity. Otherwise that could destroy its sparsity.
  enum class Diagonal : std::uint8_t { kComplete, kAsInPattern };

  SundialsLinearSolver(const SundialsVector& prototype,
                       const SparsityPattern* pattern,
                       LinearSolverKind kind,
                       Diagonal diagonal,
                       const SundialsContext& context);
  ~SundialsLinearSolver();
  SundialsLinearSolver(const SundialsLinearSolver&) = delete;
  SundialsLinearSolver& operator=(const SundialsLinearSolver&) = delete;

  [[nodiscard]] SUNMatrix matrix() const noexcept { return matrix_; }

  [[nodiscard]] SUNLinearSolver solver() const noexcept { return solver_; }

  /// Writes `values`, which are in the pattern's order or by columns, to
  /// `matrix`, which has the shape of matrix().
  void Fill(std::span<const double> values, SUNMatrix matrix) const;

 private:
  int dimension_;
  const SparsityPattern* pattern_;
  LinearSolverKind kind_;
  SparsityPattern full_;  // Pattern of a matrix that is not dense.
  std::vector<std::size_t>
      places_;  // Positions of the pattern's elements in it.
  std::optional<LinearSolver> own_;  // For a sparse matrix.
  std::optional<BandLinearSolver> band_;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

/// An exception of the problem, carried through the C code of SUNDIALS.
class CaughtException {
 public:
  /// Calls `function`, which returns an Evaluation, and returns the code of
  /// SUNDIALS: 0 success, 1 recoverable failure, -1 unrecoverable failure.
  template <typename Function>
  int Call(Function function) noexcept {
    try {
      switch (function()) {
        case Evaluation::kOk:
          return 0;
        case Evaluation::kRetry:
          return 1;
        case Evaluation::kFail:
          return -1;
      }
    } catch (...) {
      exception_ = std::current_exception();
    }
    return -1;
  }

  /// Rethrows the caught exception, if any.
  void Rethrow() {
    if (exception_ != nullptr) {
      std::rethrow_exception(std::exchange(exception_, nullptr));
    }
  }

 private:
  std::exception_ptr exception_;
};

/// The time of SUNDIALS, which adds up its steps. It starts at zero at each
/// restart: far from zero each step would be rounded, but x would not.
class OwnTime {
 public:
  /// Sets it to zero at time `t`.
  void Begin(double t) noexcept { begin_ = t; }

  [[nodiscard]] double Of(double t) const noexcept { return t - begin_; }

  /// Converts a time of SUNDIALS to the time of the model.
  [[nodiscard]] double Model(double own) const noexcept { return begin_ + own; }

 private:
  double begin_ = 0;
};

/// Writes the absolute tolerances for a multistep method to `absolute` and
/// returns the relative one. They are a tenth of the requested ones, unless
/// rounding forbids: such a method meets its tolerances in each step, but the
/// errors of its steps, all of one sign, add up to 10 or 100 times as much.
double SetMultistepTolerances(const Tolerances& tolerances,
                              std::span<double> absolute);

/// Returns the length below which steps from `t` make no progress.
[[nodiscard]] double LeastStep(double t) noexcept;

/// Returns the shortest first step at `t`. SUNDIALS would take a tiny one if
/// states are 0, their tolerances tight and their slopes large.
[[nodiscard]] double LeastFirstStep(double min_step,
                                    double max_step,
                                    double t) noexcept;

/// Sets `dense` from a Taylor polynomial about the end of a step.
///
/// @param taylor taylor[k * n + i] = h^k / k! times derivative k of state i at
///     t_begin + h, for k = 0 to degree; room for one k more.
/// @param x_begin the states at the begin of the step. The polynomial differs
///     from them there by an error within the tolerance. A term in (1 -
///     s)^(degree + 1) removes it, so that dense output is continuous.
void SetTaylor(int degree,
               std::span<const double> x_begin,
               std::span<double> taylor,
               DenseOutput& dense);

}  // namespace orrery::solver::internal
