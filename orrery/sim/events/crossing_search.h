#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/direct_relations.h"
#include "orrery/sim/machine/delay_lines.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/types/curve.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/tape/tape_bounds.h"

namespace orrery::internal {

/// What is watched over a step, and how its operands follow from time, inputs
/// and states.
struct WatchList {
  SectionRunner* runner = nullptr;
  /// Leave the operands in their slots, one section after the other...
  std::optional<std::vector<std::size_t>> sections;
  std::function<void()> evaluate;  ///< ...or, where none can, this does.
  /// Then the code of these computes the operands of relations that follow from
  /// no algebraic loop, whose unknowns are in `loop_slots`.
  std::vector<std::size_t> other_sections;
  std::vector<std::uint32_t> loop_slots;
  std::uint32_t time_slot = 0;
  std::vector<std::uint32_t> state_slots;  ///< By state.
  InputSignals* inputs = nullptr;          ///< Null: they stand still.
  std::vector<std::uint32_t> input_slots;
  DelayLines* delays = nullptr;  ///< Null: there are none.
  std::vector<WatchedRelation> relations;
  /// By relation what stands on its right, instead of a slot; or empty.
  std::vector<Curve> bounds;
};

/// Finds the first time in a step at which a watched relation changes.
///
/// The states move along the step's polynomials, so all operands have bounds
/// over any part of the step. Where the bounds of an operand pair leave the
/// relation no choice, it does not change; where they do, but the pair's
/// distance is monotonic, its ends decide; else the part is halved. So no
/// change is missed, however short, down to 2^-40 of the step. What cannot be
/// bounded (opaque functions, algebraic loops) is sampled, and refined where it
/// comes near to a change: the best that can be done.
///
/// Belongs to one run. Allocates when it is made, then never.
class CrossingSearch {
 public:
  explicit CrossingSearch(WatchList list);

  /// Looks for these instead, in the order of `truths`. Allocates.
  void Watch(std::vector<WatchedRelation> relations,
             std::vector<Curve> bounds,
             std::optional<std::vector<std::size_t>> sections);

  /// The first time in (begin, end] at which some relation is not as in
  /// `truths`; it differs there, and does not at a time just before.
  ///
  /// @param dense covers [begin, end].
  /// @param truths of those that re-arm before, if they may, becomes so.
  /// @param memory of the run; time, states and what the section assigns are
  ///     changed.
  /// @returns kNever if there is none.
  [[nodiscard]] double First(const DenseOutput& dense,
                             double begin,
                             double end,
                             std::span<std::uint8_t> truths,
                             std::span<double> memory);

  /// Goes to a time in the step of the last search, for IsDifferent.
  void LookAt(double t) { Evaluate(t); }

  /// Whether a relation is not as in the truths of the last search.
  [[nodiscard]] bool IsDifferent(std::size_t relation) const noexcept {
    return HasCrossed(relation, ExcessOf(relation));
  }

  /// Whether it is no change where relations only re-arm.
  void LetRearm(bool may_rearm) noexcept { may_rearm_ = may_rearm; }

  /// Those that did in the last search.
  [[nodiscard]] std::span<const Rearmed> rearmed() const noexcept {
    return rearmed_;
  }

  /// Does not look for changes of these relations, until the next call.
  void Ignore(std::span<const std::size_t> relations);

  /// Nor for those of these, ever.
  void GiveUp(std::span<const std::size_t> relations);

  /// Takes no change of this one for any before its operands have been further
  /// apart than those of a tie are.
  void Calm(std::size_t relation);

  /// How often the operands were computed: on bounds and on numbers.
  [[nodiscard]] std::int64_t evaluations() const noexcept {
    return evaluations_ + direct_.evaluations();
  }

 private:
  // Of a relation, what the search looks at over and over.
  struct Pair {
    std::uint32_t left;   // Into memory.
    std::uint32_t right;  // Into `rights_`.
    bool is_strict;
  };

  void MakeRoom();
  void PartRelations();
  void FindStatesRead();
  [[nodiscard]] bool RunBounds();
  [[nodiscard]] Bounds BoundOfRight(std::size_t k, StepPart part) const;
  [[nodiscard]] Verdict Judge(StepPart part);
  Verdict JudgeRelation(std::size_t k, StepPart part);
  [[nodiscard]] double ExcessOf(std::size_t k) const noexcept;
  [[nodiscard]] double DistanceOf(std::size_t k) const noexcept;
  [[nodiscard]] double RoundingOf(std::size_t k) const noexcept;
  [[nodiscard]] bool HasCrossed(std::size_t k, double excess) const noexcept;
  void Evaluate(double t);
  [[nodiscard]] bool HasCrossedAt(double t);
  [[nodiscard]] double LocateIn(StepPart part);
  void BoundInputs(StepPart part);
  void BoundDelays(StepPart part);
  [[nodiscard]] double FirstOfOthers(StepPart part, double direct);
  [[nodiscard]] bool IsNoise(StepPart part);
  void ForgetNoiseAt(double t);
  bool RearmOthers(double t);
  [[nodiscard]] double SearchByBounds(StepPart step);
  [[nodiscard]] double SearchBySamples(StepPart step);
  [[nodiscard]] double ClimbTops(StepPart around);
  [[nodiscard]] double Climb(std::size_t k, StepPart part);

  WatchList list_;
  std::optional<TapeBounds> bounds_;  // From the first search on.
  std::vector<std::uint8_t> watched_states_;
  std::vector<double> input_slopes_;
  std::vector<Pair> pairs_;  // By relation.
  DirectRelations direct_;
  std::vector<std::size_t> others_;      // Relations that are not direct.
  std::vector<double> bound_values_;     // At the last evaluation.
  std::vector<std::size_t> candidates_;  // That may change in the part at hand.
  std::vector<StepPart> parts_;
  std::vector<double> before_;  // Excesses at samples.
  std::vector<double> between_;
  std::vector<std::uint8_t> is_top_;
  std::vector<std::uint8_t> is_ignored_;
  std::vector<std::uint8_t> is_given_up_;
  std::vector<std::uint8_t> is_noise_;  // Has changed by rounding alone.
  bool has_noise_ = false;
  std::vector<std::uint8_t> is_calmed_;  // Of those, what is not to flicker.
  std::vector<Rearmed> rearmed_;
  bool may_rearm_ = false;
  std::int64_t evaluations_ = 0;
  int num_unbounded_ = 0;  // Parts over which a section could not be followed.

  // Of the search at hand.
  const DenseOutput* dense_ = nullptr;
  std::span<std::uint8_t> truths_;
  std::span<double> memory_;
  const double* rights_ = nullptr;  // Memory, or `bound_values_`.
};

}  // namespace orrery::internal
