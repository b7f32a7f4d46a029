#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/base/system/attendant.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/loop_equations.h"
#include "orrery/sim/machine/loop_matrix.h"
#include "orrery/solver/algebra/newton.h"

namespace orrery::sim::internal {

/// The outcome of solving an algebraic loop.
enum class LoopResult : std::uint8_t {
  kSolved,
  kSingular,       ///< Its matrix is singular.
  kNoConvergence,  ///< Newton's method found no solution.
  kNotFinite,      ///< Its equations have no finite value at the start.
  kTape            ///< An assertion or the like ended the evaluation.
};

/// The point where a nonlinear loop that failed came nearest to a solution.
struct LoopMiss {
  std::vector<double> z;     ///< Empty: no residual was finite.
  std::size_t equation = 0;  ///< The one with the largest residual.
  double residual = 0;       ///< Its magnitude.
};

/// The first time at which a loop left unknowns free.
struct LoopFreedom {
  double t = 0;                       ///< s
  std::vector<std::size_t> unknowns;  ///< Indices in z.
};

/// Solves one algebraic loop r(z) = 0 of a program, in the memory of a run.
///
/// A linear loop is solved directly, from z = 0, so that its solution depends
/// on its coefficients alone. If its matrix is singular and it has solutions
/// (the temperature of a fluid at rest), the one nearest to that of the last
/// accepted step is taken. A nonlinear loop is solved by the damped Newton
/// method with exact Jacobian, from the solution of the last accepted step. If
/// its equations come to leave unknowns free there, these stay, too.
class LoopSolver final {
 public:
  /// @param program must outlive the solver, as must `sections`.
  /// @param block index in `Program::blocks`.
  /// @param sections runs the program's tape.
  /// @param first_start where the block's z begin in `Context::loop_starts`.
  /// @param attendant of the run; may be null or become so. Must outlive the
  ///     solver.
  LoopSolver(const Program& program,
             std::size_t block,
             SectionRunner& sections,
             std::size_t first_start,
             const std::shared_ptr<Attendant>& attendant);

  /// Leaves a solution in the slots of z, starting at the accepted one. If
  /// plain iterations fail, as where the slope is 0, and z is one unknown,
  /// looks for a sign change of the residual.
  LoopResult Solve(Context& context);

  /// Leaves a solution in the slots of z, starting at the values there.
  /// Discrete values may have changed since the last one. If plain iterations
  /// fail, tempers the exponentials (`RunTempered`) and makes them exact step
  /// by step; then follows the Newton homotopy r(z) = (1 - s) r(z0), s = 0 ...
  /// 1; then tries other starts, which are always the same. Source: Allgower
  /// and Georg, Introduction to Numerical Continuation Methods, chapter 1.
  LoopResult SolveAtStart(Context& context);

  /// As `SolveAtStart`, but evaluates the relations between members at each z.
  /// Their values in memory become those at the solution, or stay if there is
  /// none.
  LoopResult SolveWithPresentTruths(Context& context);

  /// True if a nonlinear loop's z in memory is not near the accepted one.
  [[nodiscard]] bool HasLeft(Context& context) const;

  /// Finds a solution that is not near the accepted one, leaves it in the slots
  /// of z and accepts it.
  /// @returns false if none is found; then nothing has changed.
  bool SolveElsewhere(Context& context);

  /// Sets the relations between members to their values at the z in memory.
  void TakeTruths(Context& context);

  /// Accepts the z in memory: solutions are searched from there. They solve the
  /// loop, if it has been solved yet.
  void Accept(Context& context);

  /// Searches solutions from the z in memory.
  void BeginAtMemory(Context& context) const;

  /// Evaluates and factors dr/dz at the values in memory.
  /// @returns true if it is regular; then `SolveTangent` may be called.
  bool Linearize(double* memory);

  /// Replaces `rhs` by the solution x of dr/dz x = rhs.
  void SolveTangent(std::span<double> rhs);

  /// Drops the factors: parameters or held quantities have changed.
  void Forget() noexcept { has_factors_ = false; }

  /// Drops all that may influence a bit of later results.
  void ForgetAll() noexcept {
    Forget();
    solution_.clear();
    matrix_.ForgetPivots();
    newton_.ForgetPivots();
  }

  /// Writes what later results depend on, or reads it. The memory of the run
  /// is that of the state.
  void Transfer(StateStream& stream, Context& context);

  /// Set if the loop left unknowns free, and they were kept.
  [[nodiscard]] const std::optional<LoopFreedom>& freedom() const noexcept {
    return freedom_;
  }

  /// The miss of the last solve, if it failed.
  [[nodiscard]] const LoopMiss& miss() const noexcept { return miss_; }

  /// True if a solution has been found and accepted.
  [[nodiscard]] bool was_accepted() const noexcept { return was_accepted_; }

  [[nodiscard]] std::int64_t iterations() const noexcept { return iterations_; }

  /// Factorizations of dr/dz, without those of Newton's method.
  [[nodiscard]] std::int64_t factorizations() const noexcept {
    return factorizations_;
  }

 private:
  LoopResult SolveLinear(Context& context);
  LoopResult SolveSingular(Context& context, std::span<const double> constant);
  [[nodiscard]] bool IsSolved(std::span<const double> start,
                              std::span<const double> constant) const;
  void NoteFreedom();
  LoopResult SolveByAllMeans(Context& context);

  LoopResult Noted(LoopResult result) noexcept {
    was_solved_ = was_solved_ || result == LoopResult::kSolved;
    return result;
  }

  [[nodiscard]] bool HoldsStill(double* memory, std::span<const double> z);
  void NoteSolution(double* memory);
  [[nodiscard]] bool AreApart(std::span<const double> z,
                              std::span<const double> start) const;
  LoopResult NewtonNear(double* memory, std::span<const double> start);
  LoopResult NewtonFar(double* memory, std::span<const double> start);
  [[nodiscard]] bool AreStartsGiven() const;
  LoopResult Newton(double* memory, std::span<const double> start);
  bool TakeWithoutSlope();
  [[nodiscard]] std::vector<std::size_t> FindFree();
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

  SectionRunner& sections_;
  const Program& program_;
  const ResidualBlock& block_;
  const std::shared_ptr<Attendant>& attendant_;
  LoopPattern pattern_;
  LoopMatrix matrix_;
  NewtonSolver newton_;
  LoopEquations equations_;
  bool has_factors_ = false;
  bool was_solved_ = false;
  bool was_accepted_ = false;
  std::int64_t iterations_ = 0;
  std::int64_t factorizations_ = 0;
  bool failed_at_start_ = false;  // Newton's method, at its first point.
  std::size_t first_start_;
  std::vector<double> z_;
  std::vector<double> residual_;
  // The last solution by all means, and its residuals; empty: none.
  std::vector<double> solution_;
  std::vector<double> solution_residual_;
  LoopMiss miss_;
  std::optional<LoopFreedom> freedom_;
};

}  // namespace orrery::sim::internal
