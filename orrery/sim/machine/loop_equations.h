#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/base/system/attendant.h"
#include "orrery/program/native_code.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/loop_matrix.h"
#include "orrery/solver/algebra/newton.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::sim::internal {

/// The equations r(z) = 0 of an algebraic loop and their slopes, evaluated in
/// the memory of a run.
///
/// They may be changed on the way to a solution: by a shift, r(z) = shift; by a
/// bound above which exponentials are tempered; by relations that are evaluated
/// at each z instead of being held.
class LoopEquations final : public NewtonProblem {
 public:
  /// @param block, sections, pattern must outlive the equations.
  /// @param attendant of the run; may be null or become so. Must outlive them,
  ///     too.
  LoopEquations(const ResidualBlock& block,
                SectionRunner& sections,
                const LoopPattern& pattern,
                const std::shared_ptr<Attendant>& attendant)
      : sections_(sections),
        block_(block),
        pattern_(pattern),
        attendant_(attendant),
        residual_(block.unknown_slots.size()),
        shift_(block.unknown_slots.size()) {}

  /// Evaluates in this memory from now on.
  void Enter(double* memory) noexcept { memory_ = memory; }

  [[nodiscard]] double* memory() const noexcept { return memory_; }

  Evaluation Residual(std::span<const double> z,
                      std::span<double> residual) override;
  Evaluation Jacobian(std::span<const double> z,
                      std::span<double> values) override;

  /// Leaves z in its slots.
  void Put(double* memory, std::span<const double> z) const;

  /// True if an assertion or the like ended the last evaluation.
  [[nodiscard]] bool has_failed() const noexcept { return tape_failed_; }

  void ForgetFailure() noexcept { tape_failed_ = false; }

  /// As has_failed(), which is false then.
  bool TakeFailure() noexcept { return std::exchange(tape_failed_, false); }

  [[nodiscard]] const std::vector<double>& shift() const noexcept {
    return shift_;
  }

  std::vector<double>& shift() noexcept { return shift_; }

  /// Exponentials above it are tempered; none: they are exact.
  [[nodiscard]] const std::optional<double>& bound() const noexcept {
    return bound_;
  }

  void Temper(std::optional<double> bound) noexcept { bound_ = bound; }

  /// Evaluates relations between members at each z, or holds them.
  void UsePresentTruths(bool are_used) noexcept {
    has_present_truths_ = are_used;
  }

  /// The sign change of the single residual on one side of `start`, if the
  /// residual comes ever nearer to zero on the way there.
  [[nodiscard]] std::optional<double> FindCrossing(double start, double side);

  /// The nearest of some points about `start` at which the residuals are
  /// finite.
  /// @param nearest of the distances that are tried, each `growth` times the
  ///     last.
  [[nodiscard]] std::optional<std::vector<double>> FindEvaluable(
      std::span<const double> start,
      double nearest,
      double farthest,
      double growth);

 private:
  void TakeSecants(std::span<const double> z, std::span<double> values);
  std::optional<std::vector<double>> EvaluableAlong(
      std::span<const double> start,
      std::span<const double> direction,
      double way);
  void RunTruths();
  [[nodiscard]] Tape::Outcome RunResidual();
  [[nodiscard]] Tape::Outcome RunJacobian();

  SectionRunner& sections_;
  const ResidualBlock& block_;
  const LoopPattern& pattern_;
  const std::shared_ptr<Attendant>& attendant_;
  double* memory_ = nullptr;
  bool tape_failed_ = false;
  bool has_present_truths_ = false;
  std::optional<double> bound_;
  std::vector<double> residual_;
  std::vector<double> shift_;
};

}  // namespace orrery::sim::internal
