#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/internal/program_series.h"
#include "orrery/solver/ode.h"

namespace orrery::internal {

/// A program's derivatives as the solvers want them, with the exact Jacobian
/// by directional derivatives of groups of columns; through algebraic loops by
/// the implicit function theorem. Just so the derivative by time, inputs that
/// change with it included.
class ProgramOde final : public OdeProblem {
 public:
  /// All must outlive the problem. The program has at least one state.
  ProgramOde(Machine& machine, InputSignals& inputs);
  ProgramOde(const ProgramOde&) = delete;
  ProgramOde& operator=(const ProgramOde&) = delete;
  ~ProgramOde() override;

  [[nodiscard]] int dimension() const override;
  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override;
  void OnNotFinite(double t, std::span<const double> x) override;

  /// As Derivative; also leaves everything that `Program::derivatives` computes
  /// in memory.
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

  /// Others than the program change states or inputs.
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

  /// Whether memory holds that, as far as the caller has not changed it since.
  [[nodiscard]] bool is_evaluated() const noexcept { return is_evaluated_; }

  /// Something else is in memory now.
  void ForgetEvaluation() noexcept { is_evaluated_ = false; }

  /// Leaves everything that `Program::derivatives` computes in memory.
  std::optional<Failure> Evaluate(double t, std::span<const double> x);

  /// The point of the last evaluation that failed or gave a value that is not
  /// finite; empty if there was none since `ForgetFailure`.
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

  [[nodiscard]] double failed_t() const noexcept { return failed_t_; }

  [[nodiscard]] std::span<const double> failed_x() const noexcept {
    return failed_x_;
  }

  /// Remembers that the equations could not be evaluated there.
  /// @returns kRetry.
  Evaluation Fail(double t, std::span<const double> x);

  void ForgetFailure() noexcept { has_failed_ = false; }

  /// A step was accepted: its last solutions of loops are the ones to go on
  /// from, if they are still at hand.
  void Accept();

 private:
  ProgramSeries& TheSeries();
  [[nodiscard]] bool HasSlopes();
  void FindSlopes();
  [[nodiscard]] const NativeSteps* Steps(const ExplicitTableau& tableau);
  void TellRuns() noexcept;

  bool LinearizeLoops(const TangentProgram& tangent);
  bool RunTangents(const TangentProgram& tangent);

  Machine& machine_;
  InputSignals& inputs_;
  // Native code that may run as long as what is held is of this age.
  NativeSlopes::Function slopes_ = nullptr;
  std::int64_t age_of_slopes_ = -1;
  std::uint64_t runs_ = 0;  // Without such code, since somebody was told.
  // By `tableau_` and `method_`, likewise.
  const NativeSteps* steps_ = nullptr;
  const ExplicitTableau* tableau_ = nullptr;
  const NativeAdaptiveSteps* adaptive_steps_ = nullptr;
  unsigned num_slopes_ = 0;  // That were computed by native code.
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

}  // namespace orrery::internal
