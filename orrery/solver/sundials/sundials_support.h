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

namespace orrery::internal {

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

/// A vector that SUNDIALS and we can both look at.
class SundialsVector {
 public:
  /// `size` zeros.
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

/// A matrix with its linear solver, by the pattern: dense, or our band or
/// sparse one.
class SundialsLinearSolver {
 public:
  /// Whether a sparse matrix needs room for all of its diagonal, as CVODE does,
  /// which adds the identity. Elsewhere that may be the ruin of its sparsity.
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
  SparsityPattern full_;  // Of the matrix if it is not dense.
  std::vector<std::size_t>
      places_;  // Where the pattern's elements stand in it.
  std::optional<LinearSolver> own_;  // Sparse.
  std::optional<BandLinearSolver> band_;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

/// An exception of the problem, carried through the C code of SUNDIALS.
class CaughtException {
 public:
  /// Calls `function`, which returns an Evaluation, and translates that to what
  /// SUNDIALS understands: 0 success, 1 recoverable, -1 not.
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

  /// Throws on what was caught, if anything.
  void Rethrow() {
    if (exception_ != nullptr) {
      std::rethrow_exception(std::exchange(exception_, nullptr));
    }
  }

 private:
  std::exception_ptr exception_;
};

/// The time of SUNDIALS, which adds up its steps: far from zero each of them
/// would be rounded, as x is not, so that it begins anew with each restart.
class OwnTime {
 public:
  /// It is zero at time `t`.
  void Begin(double t) noexcept { begin_ = t; }

  [[nodiscard]] double Of(double t) const noexcept { return t - begin_; }

  /// The other way around.
  [[nodiscard]] double Model(double own) const noexcept { return begin_ + own; }

 private:
  double begin_ = 0;
};

/// Writes the absolute tolerances that a multistep method is given to
/// `absolute` and returns the relative one. They are a tenth of what is asked
/// for, unless rounding forbids: such a method keeps to them in each step, but
/// the errors of its steps, all of one sign, add up to 10 or 100 times as much.
double SetMultistepTolerances(const Tolerances& tolerances,
                              std::span<double> absolute);

/// Steps from `t` that are shorter than this do not make progress.
[[nodiscard]] double LeastStep(double t) noexcept;

/// The shortest step to begin with at `t`: SUNDIALS would take one that hardly
/// moves where states are 0, their tolerances tight and their slopes large.
[[nodiscard]] double LeastFirstStep(double min_step,
                                    double max_step,
                                    double t) noexcept;

/// Sets `dense` from a Taylor polynomial about the end of a step.
///
/// @param taylor taylor[k * n + i] = h^k / k! times derivative k of state i at
///     t_begin + h, for k = 0 to degree; room for one k more.
/// @param x_begin the states where the step began. What the polynomial differs
///     from them there, an error within the tolerance, is taken off by a term
///     in (1 - s)^(degree + 1), so that dense output is continuous.
void SetTaylor(int degree,
               std::span<const double> x_begin,
               std::span<double> taylor,
               DenseOutput& dense);

}  // namespace orrery::internal
