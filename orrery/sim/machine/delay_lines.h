#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/delay_history.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/failure.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/recorded_polynomial.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::sim::internal {

class ProgramEvaluator;

/// Records the operands of a run's delays and writes the delayed values.
///
/// The operands are recorded over each accepted step, as polynomials through
/// samples along the step's dense output, in as many pieces as the tolerance
/// asks for. A jump or kink of an operand ends a piece. When the delay has
/// passed it is an event: the integration lands on it, so that no polynomial
/// and no step reaches across it. A step longer than a delay reads operands
/// beyond the record by extrapolation. It counts only if the extrapolation
/// proves right: see `Confirms`. Sources: Bellen and Zennaro, Numerical Methods
/// for Delay Differential Equations (2003), chapters 2 and 4; Shampine and
/// Thompson, Solving DDEs in MATLAB (2001).
///
/// A delay along a way records what enters as polynomials along the way, and
/// takes no step along the whole of it.
///
/// Its state is in the `DelayHistory` and the `profiles` of the run's context;
/// the rest is scratch.
class DelayLines {
 public:
  /// Tolerances: |error| <= relative * |value| + absolute.
  struct Accuracy {
    double relative = 1e-6;
    double absolute = 1e-9;
  };

  /// Serves the delays of the evaluator's program; `evaluator` must outlive it.
  explicit DelayLines(ProgramEvaluator& evaluator);

  [[nodiscard]] bool empty() const noexcept { return delays_.empty(); }

  /// Begins the record at `t`, with the values after the initialization.
  /// @param span length of the run in s, the scale of short times.
  std::optional<Failure> Start(double t, double span, Accuracy accuracy);

  /// Writes the delayed values at `t`; time, inputs and states are in memory.
  std::optional<Failure> Apply(double t);

  /// Fails if a delay time that was applied last is negative or too great.
  [[nodiscard]] std::optional<Failure> CheckTimes() const;

  /// Rates of the delayed values that were applied last, 1/s, with constant
  /// delay times.
  [[nodiscard]] std::span<const double> rates() const noexcept {
    return rates_;
  }

  /// Writes its state and that of the history, or reads them.
  void Transfer(StateStream& stream);

  // Steps ---------------------------------------------------------------------

  /// The first time after the last event at which a break of an operand
  /// arrives, for delay times that are constant between events; infinity if
  /// there is none.
  [[nodiscard]] double next_time() const;

  /// The greatest time to which a step from `t` may go.
  [[nodiscard]] double StepLimit(double t, const InputSignals& inputs);

  /// Compares the operands that were extrapolated in a step to `reached` with
  /// the step's own result. If it returns false, the step has to be taken
  /// again, and will be shorter. Memory is scratch.
  bool Confirms(const DenseOutput& dense, double reached, InputSignals& inputs);

  /// Records the operands up to `t`. Memory is scratch.
  std::optional<Failure> Record(const DenseOutput& dense,
                                double t,
                                InputSignals& inputs);

  // Events --------------------------------------------------------------------

  /// Begins an event at `t`: memory holds all left limits. Leaves the right
  /// limits of the delayed values there.
  std::optional<Failure> BeginEvent(double t);

  /// In an event, after all else was computed from the delayed values: true if
  /// these are still right. If not, apply them again.
  bool Agree(double t);

  /// Ends the event: memory holds all right limits.
  /// @param restarts whether the states have a kink for other reasons.
  /// @returns true if the integration has to begin anew because of delays.
  bool EndEvent(double t, bool restarts);

  /// Bounds of delayed value `i` over a part of a step.
  [[nodiscard]] Bounds Bound(std::size_t i, double begin, double end);

  [[nodiscard]] std::span<const Delay> delays() const noexcept {
    return delays_;
  }

 private:
  struct Part {
    double begin = 0;
    double end = 0;
  };

  using Polynomial = DelayHistory::Polynomial;

  [[nodiscard]] DelayHistory& history() noexcept;
  [[nodiscard]] const DelayHistory& history() const noexcept;
  [[nodiscard]] std::vector<TransportProfile>& profiles() noexcept;
  void StartWays();
  void Enter();
  void EnterByJumps();
  bool PassesInPart(const DenseOutput& dense,
                    double reached,
                    InputSignals& inputs);
  std::optional<Failure> EvaluateOperands(const DenseOutput& dense,
                                          double t,
                                          InputSignals& inputs);
  void EvaluateOperandsHere();
  void MoveTo(std::size_t i, double t);
  void PutValue(std::size_t i, double t, double value);
  void PutPart(std::size_t i, double rate, double begin, double end);
  [[nodiscard]] double NextKink(double t, const InputSignals& inputs) const;
  [[nodiscard]] bool IsNow(std::size_t i, double t) const noexcept;
  [[nodiscard]] int OrderAfterEvent(std::size_t i, bool restarts) const;
  void AddBreak(std::size_t i, int order);
  std::optional<Failure> Sample(const DenseOutput& dense,
                                Part part,
                                InputSignals& inputs);
  [[nodiscard]] bool IsFine() const noexcept;
  [[nodiscard]] double ExtrapolationError(std::size_t i) const noexcept;

  ProgramEvaluator& evaluator_;
  std::span<const Delay> delays_;
  Accuracy accuracy_;
  double span_ = 1;
  double most_ = 0;
  std::vector<std::uint8_t> is_read_;  // By state: operands depend on it.
  std::vector<double> used_;           // The delay times applied last.
  std::vector<double> rates_;
  double overrun_ = 0;  // Time read beyond the record in this step.
  // Bound on the length of a refused step that is taken again: a delay that
  // shrinks was longer at the step's begin than at its end.
  double longest_ = std::numeric_limits<double>::infinity();
  bool in_event_ = false;

  std::vector<int> incoming_;  // Orders of the breaks that an event passes.
  std::vector<double> left_;   // Operands before it.
  std::vector<double> left_values_;  // Delayed values and times before.
  std::vector<double> left_times_;
  std::vector<double> right_;  // Operands after it.
  std::vector<std::array<double, DelayHistory::kTerms>> samples_;
  std::vector<std::array<double, DelayHistory::kTerms>> positions_;  // On ways.
  std::vector<Polynomial> polynomials_;
  std::vector<AlongPolynomial> along_;  // On ways.
  std::vector<Part> parts_;
};

}  // namespace orrery::sim::internal
