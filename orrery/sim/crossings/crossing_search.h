#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/sim/crossings/direct_relations.h"
#include "orrery/sim/machine/delay_lines.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/types/curve.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/tape/tape_bounds.h"

namespace orrery::sim::internal {

/// Relations to watch over a step, and the code that computes their operands
/// from time, inputs and states.
struct WatchList {
  SectionRunner* runner = nullptr;
  /// Sections that leave the operands in their slots, in order. None:
  /// `evaluate` does.
  std::optional<std::vector<std::size_t>> sections;
  std::function<void()> evaluate;  ///< Used without `sections`.
  /// Without `sections`: code that computes the operands of relations that
  /// depend on no algebraic loop. The loops' unknowns are in `loop_slots`.
  std::vector<std::size_t> other_sections;
  std::vector<std::uint32_t> loop_slots;
  std::uint32_t time_slot = 0;
  std::vector<std::uint32_t> state_slots;  ///< By state.
  InputSignals* inputs = nullptr;          ///< Null: inputs are constant.
  std::vector<std::uint32_t> input_slots;
  DelayLines* delays = nullptr;  ///< Null: there are none.
  std::vector<WatchedRelation> relations;
  /// By relation: a curve that replaces its right operand; or empty.
  std::vector<Curve> bounds;
};

/// Finds the first time in a step at which a watched relation changes.
///
/// The states move along the step's polynomials, so all operands have bounds
/// over any part of the step. If the bounds of an operand pair leave the
/// relation no choice, it does not change there. If the pair's distance is
/// monotonic, its ends decide. Else the part is halved, down to 2^-40 of the
/// step, so no change is missed, however short. Operands without bounds (opaque
/// functions, algebraic loops) are sampled, with refinement near a change. So
/// are those with bounds too wide to decide in many parts; the next search then
/// tries fewer.
///
/// Belongs to one run. Allocates when it is made, then never.
class CrossingSearch {
 public:
  explicit CrossingSearch(WatchList list);

  /// Watches these relations instead, in the order of `truths`. Allocates.
  void Watch(std::vector<WatchedRelation> relations,
             std::vector<Curve> bounds,
             std::optional<std::vector<std::size_t>> sections);

  /// The first time in (begin, end] at which some relation differs from
  /// `truths`; just before it none does.
  ///
  /// @param dense covers [begin, end].
  /// @param truths takes the new values of relations that re-arm before that
  ///     time, if they may.
  /// @param memory of the run; time, states and the results of the sections are
  ///     changed.
  /// @returns kNever if there is none.
  [[nodiscard]] double First(const DenseOutput& dense,
                             double begin,
                             double end,
                             std::span<std::uint8_t> truths,
                             std::span<double> memory);

  /// Evaluates the operands at a time in the last step, for IsDifferent.
  void LookAt(double t) { Evaluate(t); }

  /// True if a relation differs from the truths of the last search.
  [[nodiscard]] bool IsDifferent(std::size_t relation) const noexcept {
    return HasCrossed(relation, ExcessOf(relation));
  }

  /// Sets whether relations may re-arm, which is no change then.
  void LetRearm(bool may_rearm) noexcept { may_rearm_ = may_rearm; }

  /// The relations that re-armed in the last search.
  [[nodiscard]] std::span<const Rearmed> rearmed() const noexcept {
    return rearmed_;
  }

  /// Ignores changes of these relations until the next call.
  void Ignore(std::span<const std::size_t> relations);

  /// Ignores changes of these relations for ever.
  void GiveUp(std::span<const std::size_t> relations);

  /// Ignores changes of this relation until its operands have been further
  /// apart than those of a tie.
  void Calm(std::size_t relation);

  /// Writes which relations are ignored or noise and how closely to search, or
  /// reads it.
  void Transfer(StateStream& stream);

  /// Number of evaluations of the operands, as bounds or as numbers.
  [[nodiscard]] std::int64_t evaluations() const noexcept {
    return evaluations_ + direct_.evaluations();
  }

 private:
  // A relation, as the search reads it over and over.
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
  [[nodiscard]] bool IsFarIn(StepPart step);
  void BeginRange();
  void WidenRange();
  [[nodiscard]] bool IsOutOfReach() const;
  [[nodiscard]] double ClimbTops(StepPart around);
  [[nodiscard]] double Climb(std::size_t k, StepPart part);

  WatchList list_;
  std::optional<TapeBounds> bounds_;  // Made by the first search.
  std::vector<std::uint8_t> watched_states_;
  std::vector<double> input_slopes_;
  std::vector<Pair> pairs_;  // By relation.
  DirectRelations direct_;
  std::vector<std::size_t> others_;      // Relations that are not direct.
  std::vector<double> bound_values_;     // `list_.bounds` at the time
                                         // evaluated last.
  std::vector<std::size_t> candidates_;  // Relations that may change in this
                                         // part.
  std::vector<StepPart> parts_;
  std::vector<double> before_;  // Excesses at samples.
  std::vector<double> between_;
  std::vector<double> lowest_;  // Excesses in this search.
  std::vector<double> highest_;
  bool is_far_ = false;  // No sample of the last search was within reach of a
                         // change.
  std::vector<std::uint8_t> is_top_;
  std::vector<std::uint8_t> is_ignored_;
  std::vector<std::uint8_t> is_given_up_;
  std::vector<std::uint8_t> is_noise_;  // Has changed by rounding alone.
  bool has_noise_ = false;
  std::vector<std::uint8_t> is_calmed_;  // Noise that must not flicker.
  std::vector<Rearmed> rearmed_;
  bool may_rearm_ = false;
  std::int64_t evaluations_ = 0;
  int num_unbounded_ = 0;  // Parts in which a section had no bounds.
  // A search that needs more parts is given up in favour of samples: that of an
  // operand pair that is equal but for rounding all along, for example.
  static constexpr int kMaxJudgements = 4000;
  int max_judgements_ = kMaxJudgements;

  // The search at hand.
  const DenseOutput* dense_ = nullptr;
  std::span<std::uint8_t> truths_;
  std::span<double> memory_;
  const double* rights_ = nullptr;  // Memory, or `bound_values_`.
};

}  // namespace orrery::sim::internal
