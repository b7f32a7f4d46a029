// The search in parts of a step: by bounds of the operands, or by samples where
// they have none.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/sim/crossings/crossing_search.h"
#include "orrery/sim/types/polynomial_bounds.h"

namespace orrery::sim::internal {
namespace {

// Searches with this many parts without bounds are given up in favour of
// samples.
constexpr int kMaxUnbounded = 100;

// Least number of parts that a search may try, and how many more it may try
// after one that was not given up: if bounds are too wide in many steps, those
// of all others pay for little more than these.
constexpr int kMinJudgements = 8;
constexpr int kMoreJudgements = 8;

// True if a difference may be rounding: operands are equal, or nearly so. False
// without finite bounds, as for 1/x around 0 or exp(x) of any x.
bool IsRounding(Interval difference, const Bounds& a, const Bounds& b) {
  const double size =
      std::max({-a.value.lower, a.value.upper, -b.value.lower, b.value.upper});
  const double largest = std::max(-difference.lower, difference.upper);
  return std::isfinite(largest) && largest <= kRoundingOfOperands * size;
}

}  // namespace

// Inputs are linear in time over a step, if a table gives them.
void CrossingSearch::BoundInputs(StepPart part) {
  if (list_.inputs == nullptr) {
    return;
  }
  list_.inputs->Apply(part.begin, memory_);
  list_.inputs->Slopes(part.begin, input_slopes_);
  for (std::size_t i = 0; i < list_.input_slots.size(); ++i) {
    const double value = memory_[list_.input_slots[i]];
    const double change = input_slopes_[i] * (part.end - part.begin);
    bounds_->Set(list_.input_slots[i],
                 {.value = {std::min(value, value + change),
                            std::max(value, value + change)},
                  .slope = Interval::Point(input_slopes_[i])});
  }
  for (const InputSignals::Driven& driven : list_.inputs->driven()) {
    if (driven.is_on) {
      bounds_->Set(driven.slot, driven.curve.Over(part.begin, part.end));
    }
  }
}

void CrossingSearch::BoundDelays(StepPart part) {
  if (list_.delays == nullptr) {
    return;
  }
  const std::span<const Delay> delays = list_.delays->delays();
  for (std::size_t i = 0; i < delays.size(); ++i) {
    bounds_->Set(delays[i].value_slot,
                 list_.delays->Bound(i, part.begin, part.end));
  }
}

bool CrossingSearch::RunBounds() {
  return std::ranges::all_of(*list_.sections, [this](std::size_t section) {
    return bounds_->Run(section);
  });
}

Bounds CrossingSearch::BoundOfRight(std::size_t k, StepPart part) const {
  return list_.bounds.empty() ? bounds_->Get(pairs_[k].right)
                              : list_.bounds[k].Over(part.begin, part.end);
}

// Adds the relation to the candidates unless it surely stays. So a formula that
// rattles by rounding, though its bounds tell that it moves away, does not
// change.
Verdict CrossingSearch::JudgeRelation(std::size_t k, StepPart part) {
  if (is_ignored_[k] != 0) {
    return Verdict::kNone;
  }
  Bounds high = bounds_->Get(pairs_[k].left);
  Bounds low = BoundOfRight(k, part);
  if (truths_[k] == 0) {
    std::swap(high, low);
  }
  if (high.value.upper < low.value.lower) {
    return Verdict::kNone;
  }
  Bounds excess = BoundOp(Op::kSubtract, high, low, {});
  if (is_noise_[k] != 0) {
    const double rounding = RoundingOf(k);  // Near the part.
    excess.value = {excess.value.lower - rounding,
                    excess.value.upper - rounding};
  }
  if (!HasCrossed(k, excess.value.upper) || excess.slope.upper < 0) {
    return Verdict::kNone;
  }
  candidates_.push_back(k);
  if (HasCrossed(k, excess.value.lower)) {
    return Verdict::kCrossed;
  }
  return excess.slope.lower > 0 || IsRounding(excess.value, high, low)
             ? Verdict::kNone
             : Verdict::kUndecided;
}

Verdict CrossingSearch::Judge(StepPart part) {
  ++evaluations_;
  if (!bounds_) {
    bounds_.emplace(list_.runner->tape());
  }
  bounds_->Begin(memory_);
  bounds_->Set(list_.time_slot,
               {.value = {part.begin, part.end}, .slope = Interval::Point(1)});
  for (std::size_t i = 0; i < watched_states_.size(); ++i) {
    if (watched_states_[i] != 0) {
      bounds_->Set(
          list_.state_slots[i],
          BoundState(*dense_, static_cast<int>(i), part.begin, part.end));
    }
  }
  BoundInputs(part);
  BoundDelays(part);
  if (!RunBounds()) {
    ++num_unbounded_;
    candidates_ = others_;
    return Verdict::kUndecided;
  }
  candidates_.clear();
  auto verdict = Verdict::kNone;
  for (const std::size_t k : others_) {
    verdict = std::max(verdict, JudgeRelation(k, part));
  }
  return verdict == Verdict::kNone && !candidates_.empty() &&
                 HasCrossedAt(part.end)
             ? Verdict::kCrossed
             : verdict;
}

double CrossingSearch::SearchByBounds(StepPart step) {
  struct Bounded {
    CrossingSearch& search;

    [[nodiscard]] Verdict Judge(StepPart part) const {
      return search.Judge(part);
    }

    [[nodiscard]] bool HasCrossedAt(double t) const {
      return search.HasCrossedAt(t);
    }

    [[nodiscard]] double LocateIn(StepPart part) const {
      return search.LocateIn(part);
    }

    [[nodiscard]] bool GivesUp() const {
      return search.num_unbounded_ == kMaxUnbounded;
    }
  };

  num_unbounded_ = 0;
  Bounded bounded{*this};
  std::optional<StepPart> given_up;
  const double found =
      SearchParts(step, max_judgements_, bounded, parts_, given_up);
  // Bounds that were too wide in this step, as those of the equations of state
  // of a medium are, are so in the next one, too.
  max_judgements_ =
      given_up ? std::max(max_judgements_ / 2, kMinJudgements)
               : std::min(max_judgements_ + kMoreJudgements, kMaxJudgements);
  return given_up ? SearchBySamples(*given_up) : found;
}

// Samples -------------------------------------------------------------------

namespace {

constexpr int kSamples = 16;
constexpr int kFewSamples = 4;
constexpr int kRefinements = 40;
// Between samples, a top rises by at most this many times its rise above the
// samples around it.
constexpr double kWithinReach = 16;

}  // namespace

// Few samples do while no relation is within reach of a change, as that of a
// flow that is far from turning round.
double CrossingSearch::SearchBySamples(StepPart step) {
  candidates_ = others_;
  if (is_far_ && IsFarIn(step)) {
    return kNever;
  }
  const auto time = [&](int i) {
    return i == kSamples ? step.end
                         : step.begin + (step.end - step.begin) * i / kSamples;
  };
  BeginRange();
  std::ranges::fill(before_, kNaN);  // No top before the third sample.
  std::ranges::fill(between_, kNaN);
  for (int i = 0; i <= kSamples; ++i) {
    if (i == 0) {
      Evaluate(time(i));
    } else if (HasCrossedAt(time(i))) {
      return LocateIn({time(i - 1), time(i)});
    }
    WidenRange();
    const StepPart around = {time(std::max(i - 2, 0)), time(i)};
    if (const double crossed = ClimbTops(around); crossed < kNever) {
      return LocateIn({around.begin, crossed});
    }
  }
  is_far_ = IsOutOfReach();
  return kNever;
}

bool CrossingSearch::IsFarIn(StepPart step) {
  BeginRange();
  for (int i = 0; i <= kFewSamples; ++i) {
    Evaluate(i == kFewSamples
                 ? step.end
                 : step.begin + (step.end - step.begin) * i / kFewSamples);
    WidenRange();
  }
  is_far_ = IsOutOfReach();
  return is_far_;
}

void CrossingSearch::BeginRange() {
  std::ranges::fill(lowest_, std::numeric_limits<double>::infinity());
  std::ranges::fill(highest_, -std::numeric_limits<double>::infinity());
}

// Takes the present excesses as further samples.
void CrossingSearch::WidenRange() {
  for (const std::size_t k : others_) {
    const double excess = ExcessOf(k);
    lowest_[k] = std::min(lowest_[k], excess);
    highest_[k] = std::max(highest_[k], excess);
  }
}

// True if no top between the samples can be a change.
bool CrossingSearch::IsOutOfReach() const {
  return std::ranges::all_of(others_, [this](std::size_t k) {
    return is_ignored_[k] != 0 ||
           highest_[k] + kWithinReach * (highest_[k] - lowest_[k]) < 0;
  });
}

// Takes the present excesses as the next sample, and climbs the tops between
// the last sample but one and this one.
double CrossingSearch::ClimbTops(StepPart around) {
  for (const std::size_t k : others_) {
    const double excess = ExcessOf(k);
    const double before = std::exchange(before_[k], between_[k]);
    const double between = std::exchange(between_[k], excess);
    const double rise = between - std::min(before, excess);
    is_top_[k] = between >= before && between >= excess && rise > 0 &&
                         -between <= kWithinReach * rise
                     ? 1
                     : 0;
  }
  for (const std::size_t k : others_) {
    if (is_top_[k] != 0) {
      if (const double crossed = Climb(k, around); crossed < kNever) {
        return crossed;
      }
    }
  }
  return kNever;
}

// Golden section search for a time at which relation `k` has changed.
double CrossingSearch::Climb(std::size_t k, StepPart part) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  const auto excess_at = [&](double t) {
    Evaluate(t);
    return ExcessOf(k);
  };
  double left = part.end - ratio * (part.end - part.begin);
  double right = part.begin + ratio * (part.end - part.begin);
  double at_left = excess_at(left);
  double at_right = excess_at(right);
  for (int i = 0; i < kRefinements; ++i) {
    if (HasCrossed(k, at_left)) {
      return left;
    }
    if (HasCrossed(k, at_right)) {
      return right;
    }
    if (at_left > at_right) {
      part.end = std::exchange(right, left);
      at_right = at_left;
      left = part.end - ratio * (part.end - part.begin);
      at_left = excess_at(left);
    } else {
      part.begin = std::exchange(left, right);
      at_left = at_right;
      right = part.begin + ratio * (part.end - part.begin);
      at_right = excess_at(right);
    }
  }
  return kNever;
}

}  // namespace orrery::sim::internal
