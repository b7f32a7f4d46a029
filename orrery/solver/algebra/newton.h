#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/solver/algebra/linear_solver.h"
#include "orrery/solver/problem/ode.h"

namespace orrery {

/// A system of equations F(z) = 0, F and z in R^n, such as an algebraic loop.
class NewtonProblem {
 public:
  NewtonProblem() = default;
  NewtonProblem(const NewtonProblem&) = delete;
  NewtonProblem& operator=(const NewtonProblem&) = delete;
  virtual ~NewtonProblem() = default;

  /// Writes F(z) to `residual`; both have n elements and do not overlap. A
  /// value that is not finite counts as kRetry: a shorter step is tried.
  virtual Evaluation Residual(std::span<const double> z,
                              std::span<double> residual) = 0;

  /// Writes dF/dz at `z` to `values`, in the order of the solver's pattern; all
  /// n * n column by column without a pattern.
  virtual Evaluation Jacobian(std::span<const double> z,
                              std::span<double> values) = 0;
};

/// The outcome of a solve.
enum class NewtonOutcome : std::uint8_t {
  kConverged,
  kSingular,          ///< The Jacobian is singular at the last iterate.
  kNoConvergence,     ///< No step improves the iterate, or too many steps.
  kEvaluationFailed,  ///< F or its Jacobian cannot be evaluated.
};

/// The result of a solve.
struct NewtonResult {
  NewtonOutcome outcome = NewtonOutcome::kConverged;
  /// The equation to blame if it did not converge: the one with the largest
  /// residual, relative to the largest element of its row of the scaled
  /// Jacobian; -1 if unknown.
  int equation = -1;
  double miss = 0;  ///< That residual, in the same units.
  /// The unknown whose column makes the Jacobian singular; else -1.
  int unknown = -1;
  int iterations = 0;
};

/// Settings of `NewtonSolver`.
struct NewtonOptions {
  /// Tolerance of corrections to the unknowns. Convergence is quadratic, so
  /// that the solution is exact up to rounding once corrections are this small.
  double relative_tolerance = 1e-9;
  int max_iterations = 400;  ///< Exponentials need many from far away.
  /// dF/dz costs more than F: a step that converges fast lends its factors to
  /// the next, as it always does with sparse matrices.
  bool has_costly_jacobian = false;

  friend bool operator==(const NewtonOptions&, const NewtonOptions&) = default;
};

/// Solves F(z) = 0 by a damped Newton method: it shortens steps until
/// Deuflhard's natural monotonicity test holds, which does not depend on the
/// scaling of the equations. Converges quadratically down to rounding. Scales
/// rows and columns of the Jacobian before factoring it.
///
/// Holds the workspace: Solve allocates nothing unless dF/dz is sparse. Same
/// input, same bits. With sparse or costly matrices a step that converges fast
/// lends its factors to the next.
/// Source: P. Deuflhard, Newton Methods for Nonlinear Problems, Springer 2004,
/// 3.3 (NLEQ-ERR).
class NewtonSolver {
 public:
  /// @param dimension n of the problems to solve; at least 1.
  /// @param pattern of dF/dz, which decides between dense and sparse factors;
  ///     null: full.
  explicit NewtonSolver(int dimension,
                        NewtonOptions options = {},
                        const SparsityPattern* pattern = nullptr);

  /// @param z on entry the guess, on return the solution if it converged, else
  ///     the last iterate; n elements.
  /// @param nominal typical magnitudes of the unknowns, positive, below which a
  ///     value counts as near 0; n elements, or empty: 1 each.
  NewtonResult Solve(NewtonProblem& problem,
                     std::span<double> z,
                     std::span<const double> nominal = {});

  /// Makes the next solve independent, to the last bit, of earlier matrices.
  void ForgetPivots() noexcept { linear_.ForgetPivots(); }

  /// Writes or reads what earlier matrices leave for the next ones.
  void Transfer(StateStream& stream) { linear_.Transfer(stream); }

 private:
  struct Step;

  [[nodiscard]] const SparsityPattern* pattern() const {
    return pattern_ ? &*pattern_ : nullptr;
  }

  Evaluation EvaluateResidual(NewtonProblem& problem,
                              std::span<const double> z,
                              std::span<double> residual) const;
  NewtonOutcome Linearize(NewtonProblem& problem, std::span<const double> z);
  [[nodiscard]] bool FactorScaled(std::span<const double> z);
  void SolveScaled(std::span<const double> residual,
                   std::span<double> correction);
  [[nodiscard]] double Norm(std::span<const double> values) const;
  [[nodiscard]] bool IsMet(double tolerance) const;
  [[nodiscard]] double PredictedDamping(const Step& step) const;
  NewtonOutcome Damp(NewtonProblem& problem, std::span<double> z, Step& step);
  NewtonOutcome Advance(NewtonProblem& problem,
                        std::span<double> z,
                        Step& step);
  [[nodiscard]] bool GoOnWithFactors(NewtonProblem& problem,
                                     std::span<double> z,
                                     Step& step);
  static bool IsOneOfTinySteps(Step& step);
  [[nodiscard]] bool Finish(Step& step, std::span<double> z) const;
  [[nodiscard]] bool IsSolution() const;
  void BlameWorstEquation(NewtonResult& result) const;

  NewtonOptions options_;
  std::optional<SparsityPattern> pattern_;
  LinearSolver linear_;
  std::vector<double> nominal_;
  std::vector<double> column_scales_;
  std::vector<double> row_scales_;
  std::vector<double> residual_;
  std::vector<double> correction_;
  std::vector<double> trial_;
  std::vector<double> trial_residual_;
  std::vector<double> trial_correction_;
};

}  // namespace orrery
