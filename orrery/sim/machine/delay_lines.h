#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/delay_history.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/failure.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::internal {

class Machine;

/// Keeps what the delays of a run look back to, and puts their values in place.
///
/// The operands are recorded over each accepted step, as polynomials through
/// samples along the step's dense output, in as many pieces as the tolerance
/// asks for. A jump or kink of an operand ends a piece and, when the delay has
/// passed, is an event: the integration lands on it. So no polynomial, and no
/// step, reaches across it. A step longer than a delay reads operands beyond
/// what is recorded; they are extrapolated, and the step counts only if they
/// come out so: see `Confirms`.
/// Sources: Bellen and Zennaro, Numerical Methods for Delay Differential
/// Equations (2003), chapters 2 and 4; Shampine and Thompson, Solving DDEs in
/// MATLAB (2001).
///
/// Its state is in the `DelayHistory` of the run's context; the rest is
/// scratch.
class DelayLines {
 public:
  /// What `Accuracy` is measured by: |error| <= relative * |value| + absolute.
  struct Accuracy {
    double relative = 1e-6;
    double absolute = 1e-9;
  };

  /// `machine` must outlive it; its program's delays are meant.
  explicit DelayLines(Machine& machine);

  [[nodiscard]] bool empty() const noexcept { return delays_.empty(); }

  /// The run starts at `t` from what the initialization left in memory.
  /// @param span of the run in s: what a short time is measured by.
  std::optional<Failure> Start(double t, double span, Accuracy accuracy);

  /// Writes the delayed values at `t`; time, inputs and states are in memory.
  std::optional<Failure> Apply(double t);

  /// A delay time that was applied last and is negative or too great.
  [[nodiscard]] std::optional<Failure> CheckTimes() const;

  /// How fast the values that were applied last change with time, 1/s, where
  /// the delays themselves do not change.
  [[nodiscard]] std::span<const double> rates() const noexcept {
    return rates_;
  }

  // Steps ---------------------------------------------------------------------

  /// The first time after the last event at which a break of an operand
  /// arrives whose delay is held; infinity if there is none.
  [[nodiscard]] double next_time() const;

  /// How far a step from `t` may go.
  [[nodiscard]] double StepLimit(double t, const InputSignals& inputs);

  /// Whether what was read beyond the record in a step to `reached` is what the
  /// step's own result says. If not, the step has to be taken again, and will
  /// be shorter. Memory is scratch for it.
  bool Confirms(const DenseOutput& dense, double reached, InputSignals& inputs);

  /// Records the operands up to `t`. Memory is scratch for it.
  std::optional<Failure> Record(const DenseOutput& dense,
                                double t,
                                InputSignals& inputs);

  // Events --------------------------------------------------------------------

  /// An event at `t` begins: memory holds all left limits. Leaves the right
  /// limits of the delayed values there.
  std::optional<Failure> BeginEvent(double t);

  /// In an event, after all else was computed from the delayed values: whether
  /// these are still right. If not, they are to be applied again.
  bool Agree(double t);

  /// The event ends: memory holds all right limits.
  /// @param restarts whether the states have a kink for other reasons.
  /// @returns whether the integration has to begin anew for what is delayed.
  bool EndEvent(double t, bool restarts);

  /// What delayed value `i` is over a part of a step.
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
  std::optional<Failure> EvaluateOperands(const DenseOutput& dense,
                                          double t,
                                          InputSignals& inputs);
  void EvaluateOperandsHere();
  void MoveTo(std::size_t i, double t);
  [[nodiscard]] double NextKink(double t, const InputSignals& inputs) const;
  [[nodiscard]] bool IsNow(std::size_t i, double t) const noexcept;
  [[nodiscard]] int OrderAfterEvent(std::size_t i, bool restarts) const;
  void AddBreak(std::size_t i, int order);
  std::optional<Failure> Sample(const DenseOutput& dense,
                                Part part,
                                InputSignals& inputs);
  [[nodiscard]] bool IsFine() const noexcept;
  [[nodiscard]] double ExtrapolationError(std::size_t i) const noexcept;

  Machine& machine_;
  std::span<const Delay> delays_;
  Accuracy accuracy_;
  double span_ = 1;
  double most_ = 0;
  std::vector<std::uint8_t> is_read_;  // By state: whether operands follow it.
  std::vector<double> used_;           // The delay times applied last.
  std::vector<double> rates_;
  double overrun_ = 0;  // How far was read beyond the record in this step.
  // A step that was refused may be no longer than this when it is taken again:
  // a delay that shrinks was longer at the step's begin than at its end.
  double longest_ = std::numeric_limits<double>::infinity();
  bool in_event_ = false;

  std::vector<int> incoming_;  // Orders of the breaks that an event passes.
  std::vector<double> left_;   // Operands before it...
  std::vector<double> left_values_;  // Delayed ones, and by how much.
  std::vector<double> left_times_;
  std::vector<double> right_;  // ...and after it.
  std::vector<std::array<double, DelayHistory::kTerms>> samples_;
  std::vector<Polynomial> polynomials_;
  std::vector<Part> parts_;
};

}  // namespace orrery::internal
