#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/system/attendant.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/loop_matrix.h"
#include "orrery/solver/algebra/newton.h"

namespace orrery::internal {

/// Why an algebraic loop was not solved.
enum class LoopResult : std::uint8_t {
  kSolved,
  kSingular,       ///< Its matrix is singular.
  kNoConvergence,  ///< Newton's method found no solution.
  kNotFinite,      ///< Its equations have no finite value at the start.
  kTape            ///< An assertion or the like ended the evaluation.
};

/// Where a nonlinear loop that was not solved came nearest to being so.
struct LoopMiss {
  std::vector<double> z;     ///< Empty: it was nowhere finite.
  std::size_t equation = 0;  ///< Whose residual is the largest there.
  double residual = 0;       ///< Its magnitude.
};

/// Where a linear loop first left some of its unknowns free.
struct LoopFreedom {
  double t = 0;                       ///< s
  std::vector<std::size_t> unknowns;  ///< Numbers in its z.
};

/// Solves one algebraic loop r(z) = 0 of a program, in the memory of a run.
///
/// A linear loop is solved directly, from z = 0, so that its solution depends
/// on nothing but its coefficients. Where its matrix is singular and it has
/// solutions, as of the temperature of what does not flow, the one nearest to
/// that of the last accepted step is taken. A nonlinear one by the damped
/// Newton method with exact Jacobian from the solution of the last accepted
/// step.
class LoopSolver final : private NewtonProblem {
 public:
  /// @param program and its `block`, and what runs the sections of its tape,
  ///     must outlive the solver.
  /// @param first_start where the block's z begin in `Context::loop_starts`.
  /// @param attendant of the run, or null, at each time; must outlive the
  ///     solver.
  LoopSolver(const Program& program,
             std::size_t block,
             SectionRunner& sections,
             std::size_t first_start,
             const std::shared_ptr<Attendant>& attendant);

  /// Leaves a solution in the slots of z, starting at the accepted one. Where
  /// plain iterations fail, as from where there is no slope, and z is one
  /// unknown, looks where its residual crosses zero.
  LoopResult Solve(Context& context);

  /// Leaves a solution in the slots of z, starting at what stands there; what
  /// is held may have changed since the last one. Where
  /// plain iterations fail, tempers the exponentials (`RunTempered`) and lets
  /// them become exact step by step; then follows the Newton homotopy
  /// r(z) = (1 - s) r(z0), s = 0 ... 1; then tries other starts, which are
  /// always the same. Source: Allgower and Georg, Introduction to Numerical
  /// Continuation Methods, chapter 1.
  LoopResult SolveAtStart(Context& context);

  /// As `SolveAtStart`, with relations as they are wherever it looks: what
  /// holds their truths is as the solution has it, and as before where there is
  /// none.
  LoopResult SolveWithPresentTruths(Context& context);

  /// Whether a nonlinear loop's solution in memory is not near the accepted
  /// one.
  [[nodiscard]] bool HasLeft(Context& context) const;

  /// Leaves a solution that is not near the accepted one in the slots of z, and
  /// accepts it.
  /// @returns false if none is found; then nothing has changed.
  bool SolveElsewhere(Context& context);

  /// What holds the truths of its relations becomes what they are with what
  /// stands in the slots of z.
  void TakeTruths(Context& context);

  /// Solutions are searched from what stands in the slots of z.
  void Accept(Context& context) const;

  /// Evaluates and factors dr/dz at what stands in memory.
  /// @returns whether it is regular; then `SolveTangent` may be called.
  bool Linearize(double* memory);

  /// Replaces `rhs` by the solution x of dr/dz x = rhs.
  void SolveTangent(std::span<double> rhs);

  /// What parameters and held quantities decide is to be evaluated anew.
  void Forget() noexcept { has_factors_ = false; }

  /// Nothing that was before decides a bit of what comes.
  void ForgetAll() noexcept {
    Forget();
    solution_.clear();
    matrix_.ForgetPivots();
    newton_.ForgetPivots();
  }

  /// Where it was linear and did not determine all of its unknowns.
  [[nodiscard]] const std::optional<LoopFreedom>& freedom() const noexcept {
    return freedom_;
  }

  /// Of the last solve, if it failed.
  [[nodiscard]] const LoopMiss& miss() const noexcept { return miss_; }

  /// Whether `Solve` has ever found a solution of nonlinear equations.
  [[nodiscard]] bool was_followed() const noexcept { return was_followed_; }

  [[nodiscard]] std::int64_t iterations() const noexcept { return iterations_; }

  /// Of dr/dz, but for those of Newton's method.
  [[nodiscard]] std::int64_t factorizations() const noexcept {
    return factorizations_;
  }

 private:
  Evaluation Residual(std::span<const double> z,
                      std::span<double> residual) override;
  Evaluation Jacobian(std::span<const double> z,
                      std::span<double> values) override;
  void TakeSecants(std::span<const double> z, std::span<double> values);

  [[nodiscard]] std::optional<double> FindCrossing(double start, double side);
  LoopResult SolveLinear(Context& context);
  LoopResult SolveSingular(Context& context, std::span<const double> constant);
  [[nodiscard]] bool IsSolved(std::span<const double> start,
                              std::span<const double> constant) const;
  void NoteFreedom();
  LoopResult SolveByAllMeans(Context& context);
  [[nodiscard]] bool HoldsStill(double* memory, std::span<const double> z);
  void NoteSolution(double* memory);
  [[nodiscard]] bool AreApart(std::span<const double> z,
                              std::span<const double> start) const;
  LoopResult NewtonNear(double* memory, std::span<const double> start);
  [[nodiscard]] std::optional<std::vector<double>> FindEvaluable(
      std::span<const double> start);
  LoopResult Newton(double* memory, std::span<const double> start);
  void NoteMiss();
  LoopResult FollowTempered(double* memory, std::span<const double> start);
  LoopResult FollowHomotopy(double* memory, std::span<const double> start);
  template <typename Suits>
  LoopResult TryOtherStarts(double* memory,
                            std::span<const double> start,
                            const Suits& suits);
  [[nodiscard]] std::span<double> StartIn(Context& context) const;
  LoopResult Factor(double* memory);

  [[nodiscard]] bool goes_on() const noexcept {
    return attendant_ == nullptr || attendant_->goes_on();
  }

  void RunTruths();
  [[nodiscard]] Tape::Outcome RunResidual();
  [[nodiscard]] Tape::Outcome RunJacobian();
  void Put(double* memory, std::span<const double> z) const;

  SectionRunner& sections_;
  const Program& program_;
  const ResidualBlock& block_;
  const std::shared_ptr<Attendant>& attendant_;
  LoopPattern pattern_;
  LoopMatrix matrix_;
  NewtonSolver newton_;
  bool has_factors_ = false;
  bool was_followed_ = false;
  std::int64_t iterations_ = 0;
  std::int64_t factorizations_ = 0;
  double* memory_ = nullptr;  // While Newton's method is at work.
  bool tape_failed_ = false;
  bool failed_at_start_ = false;     // Of Newton's method, the last time.
  bool has_present_truths_ = false;  // They follow from z.
  // Above which exponentials are tempered; none: they are as they are.
  std::optional<double> bound_;
  std::size_t first_start_;
  std::vector<double> z_;
  std::vector<double> residual_;
  std::vector<double> shift_;  // Solves r(z) = shift.
  // By all means, and the residuals there; empty: there was none.
  std::vector<double> solution_;
  std::vector<double> solution_residual_;
  LoopMiss miss_;
  std::optional<LoopFreedom> freedom_;
};

}  // namespace orrery::internal
