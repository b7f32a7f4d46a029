#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/program_series.h"
#include "orrery/solver/problem/ode.h"

namespace orrery::sim::internal {

/// A program's derivatives for the solvers, with the exact Jacobian by
/// directional derivatives of groups of columns; through algebraic loops by the
/// implicit function theorem. Likewise the derivative by time, with inputs that
/// change with it.
class ProgramOde final : public OdeProblem {
 public:
  /// All must outlive the problem. The program has at least one state.
  ProgramOde(ProgramEvaluator& evaluator, InputSignals& inputs);
  ProgramOde(const ProgramOde&) = delete;
  ProgramOde& operator=(const ProgramOde&) = delete;
  ~ProgramOde() override;

  [[nodiscard]] int dimension() const override;
  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override;
  void OnNotFinite(double t, std::span<const double> x) override;

  /// As Derivative; also leaves all results of `Program::derivatives` in
  /// memory.
  Evaluation DerivativeInMemory(double t,
                                std::span<const double> x,
                                std::span<double> dx);

  [[nodiscard]] bool CanTakeSteps() override;
  [[nodiscard]] bool NeedsTimes(const ExplicitTableau& tableau) override;

  bool TakeSteps(const ExplicitTableau& tableau,
                 std::span<const double> times,
                 std::int64_t count,
                 double h,
                 std::span<double> x,
                 std::span<double> work) override;
  bool TakeSteps(const EmbeddedMethod& method,
                 const EmbeddedSteps& steps) override;
  bool TakeSteps(int order, const TaylorSteps& steps) override;
  [[nodiscard]] std::optional<int> degree() const override;
  [[nodiscard]] SeriesKind series() override;
  [[nodiscard]] SeriesCost CostOfSeries(int order) override;
  [[nodiscard]] bool HasEvents() const override;

  /// Tells that others than the program change states or inputs.
  void ExpectEvents() noexcept { has_events_ = true; }

  [[nodiscard]] std::string WhyNoSeries() override;
  Evaluation Series(double t,
                    std::span<const double> x,
                    double h,
                    int order,
                    SeriesRows& rows) override;
  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override;
  [[nodiscard]] bool has_jacobian() const override;
  Evaluation Jacobian(double t,
                      std::span<const double> x,
                      std::span<double> values) override;
  [[nodiscard]] bool has_time_derivative() const override;
  Evaluation TimeDerivative(double t,
                            std::span<const double> x,
                            std::span<double> dfdt) override;
  [[nodiscard]] std::span<const std::uint8_t> positions() const override;

  /// True if memory holds the results of the last evaluation, as far as the
  /// caller has not changed it since.
  [[nodiscard]] bool is_evaluated() const noexcept { return is_evaluated_; }

  /// Memory holds something else now.
  void ForgetEvaluation() noexcept { is_evaluated_ = false; }

  /// Leaves all results of `Program::derivatives` in memory.
  std::optional<Failure> Evaluate(double t, std::span<const double> x);

  /// True if an evaluation since `ForgetFailure` failed or gave a value that is
  /// not finite; `failed_t` and `failed_x` are the point of the last one.
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

  [[nodiscard]] double failed_t() const noexcept { return failed_t_; }

  [[nodiscard]] std::span<const double> failed_x() const noexcept {
    return failed_x_;
  }

  /// Remembers that the equations could not be evaluated there.
  /// @returns kRetry.
  Evaluation Fail(double t, std::span<const double> x);

  void ForgetFailure() noexcept { has_failed_ = false; }

  /// Writes its state, or reads it together with that of the evaluator.
  void Transfer(StateStream& stream);

  /// Tells that a step was accepted: loops go on from its last solutions, if
  /// these are still in memory.
  void Accept();

 private:
  ProgramSeries& TheSeries();
  [[nodiscard]] bool HasSlopes();
  void FindSlopes();
  [[nodiscard]] const NativeSteps* Steps(const ExplicitTableau& tableau);
  void TellRuns() noexcept;

  bool LinearizeLoops(const TangentProgram& tangent);
  bool RunTangents(const TangentProgram& tangent);

  ProgramEvaluator& evaluator_;
  InputSignals& inputs_;
  // Native code; valid while the held values have this age.
  NativeSlopes::Function slopes_ = nullptr;
  std::int64_t age_of_slopes_ = -1;
  std::uint64_t runs_ = 0;  // Evaluations without it that were not reported.
  // Likewise, for `tableau_` and `method_`.
  const NativeSteps* steps_ = nullptr;
  const ExplicitTableau* tableau_ = nullptr;
  const NativeAdaptiveSteps* adaptive_steps_ = nullptr;
  unsigned num_slopes_ = 0;  // Evaluations by native code.
  const EmbeddedMethod* method_ = nullptr;
  std::unique_ptr<ProgramSeries> series_;  // Made when it is asked for.
  const SparsityPattern& pattern_;
  std::vector<std::vector<int>> groups_;
  std::vector<double> loop_rhs_;
  std::vector<double> input_slopes_;
  bool has_events_ = false;
  bool is_evaluated_ = false;
  bool has_failed_ = false;
  double failed_t_ = 0;
  std::vector<double> failed_x_;
};

}  // namespace orrery::sim::internal
