#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/program_ode.h"
#include "orrery/solver/problem/dae.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// True if some of a program's loops depend on its states, so that its implicit
/// form differs from x' = f(t, x).
[[nodiscard]] bool HasImplicitForm(const Program& program);

/// A program's implicit form, in which those loops are left open. The unknowns
/// are the states x and then the unknowns z of the loops,
///
///     x' - f(t, x, z) = 0,   r(t, x, z) = 0.
///
/// Assignments stay. The matrix is exact: directional derivatives of groups of
/// columns.
class ProgramDae final : public DaeProblem {
 public:
  /// All must outlive the problem. The program has an implicit form.
  /// @param ode of the same evaluator; it remembers failures.
  ProgramDae(ProgramEvaluator& evaluator,
             InputSignals& inputs,
             ProgramOde& ode);

  [[nodiscard]] int dimension() const override { return pattern_.rows; }

  Evaluation Residual(double t,
                      std::span<const double> y,
                      std::span<const double> yp,
                      std::span<double> residual) override;

  [[nodiscard]] std::span<const std::uint8_t> differential() const override {
    return differential_;
  }

  Evaluation GuessSlope(double t,
                        std::span<const double> y,
                        std::span<double> yp) override;

  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override {
    return &pattern_;
  }

  [[nodiscard]] bool has_jacobian() const override { return true; }

  Evaluation Jacobian(double t,
                      double cj,
                      std::span<const double> y,
                      std::span<const double> yp,
                      std::span<double> values) override;

  /// Takes z from the evaluator's memory.
  void GetLoops(std::span<double> y) const noexcept;

  /// Writes z to the evaluator's memory.
  void SetLoops(std::span<const double> y) noexcept;

  /// Typical sizes of z.
  [[nodiscard]] std::vector<double> LoopNominals() const;

 private:
  bool Evaluate(double t, std::span<const double> y);
  bool RunTangents();
  void CollectRows();

  [[nodiscard]] const TangentProgram& tangent() const noexcept {
    return evaluator_.program().tangent;
  }

  ProgramEvaluator& evaluator_;
  InputSignals& inputs_;
  ProgramOde& ode_;
  std::size_t num_states_;
  const SparsityPattern& pattern_;
  std::vector<std::vector<int>> groups_;
  std::vector<std::uint8_t> differential_;
  std::vector<bool> is_open_;              // By block of the program.
  std::vector<std::uint32_t> loop_slots_;  // z
  std::vector<std::uint32_t> residual_slots_;
  std::vector<std::uint32_t> tangent_slots_;  // x, then z
  std::vector<double> row_tangents_;
};

/// IDA on the implicit form of a program, as an integrator of its states. After
/// each step the evaluator's loops are those of the step's end.
/// @param options with the states' tolerances.
/// @param absolute_tolerance of z, in units of their typical sizes.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeImplicitIntegrator(
    ProgramEvaluator& evaluator,
    InputSignals& inputs,
    ProgramOde& ode,
    const SolverOptions& options,
    double absolute_tolerance);

}  // namespace orrery::sim::internal
