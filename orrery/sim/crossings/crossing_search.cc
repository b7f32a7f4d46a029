#include "orrery/sim/crossings/crossing_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/sim/crossings/part_search.h"
#include "orrery/solver/steps/crossing.h"

namespace orrery::sim::internal {
namespace {

// Halving to 2^-40 leaves one pending part per level.
constexpr std::size_t kMaxParts = 64;

// Marks the addresses that the code may read.
// @returns false if only a run can tell them.
bool MarkReads(std::span<const Tape::Instruction> code,
               std::vector<std::uint8_t>& is_read) {
  for (const Tape::Instruction& i : code) {
    if (!IsElementwise(i.op) && i.op != TapeOp::kCopy &&
        i.op != TapeOp::kReturn) {
      return false;
    }
    for (const std::uint32_t address : {i.a, i.b, i.c}) {
      is_read[address] = 1;
    }
  }
  return true;
}

std::optional<bool> TruthOfRearming(const WatchedRelation& relation) {
  return relation.rearming ? std::optional(relation.rearming->truth)
                           : std::nullopt;
}

}  // namespace

CrossingSearch::CrossingSearch(WatchList list)
    : list_(std::move(list)),
      watched_states_(list_.state_slots.size(), 1),
      input_slopes_(list_.input_slots.size()) {
  parts_.reserve(kMaxParts);
  MakeRoom();
}

void CrossingSearch::Watch(std::vector<WatchedRelation> relations,
                           std::vector<Curve> bounds,
                           std::optional<std::vector<std::size_t>> sections) {
  ORRERY_CHECK(bounds.empty() || bounds.size() == relations.size());
  list_.relations = std::move(relations);
  list_.bounds = std::move(bounds);
  list_.sections = std::move(sections);
  MakeRoom();
}

void CrossingSearch::MakeRoom() {
  const std::size_t size = list_.relations.size();
  before_.resize(size);
  between_.resize(size);
  lowest_.resize(size);
  highest_.resize(size);
  is_far_ = false;
  is_top_.resize(size);
  is_ignored_.assign(size, 0);
  is_given_up_.assign(size, 0);
  is_noise_.assign(size, 0);
  is_calmed_.assign(size, 0);
  candidates_.reserve(size);
  rearmed_.reserve(size);
  bound_values_.resize(list_.bounds.size());
  pairs_.clear();
  for (std::size_t k = 0; k < size; ++k) {
    const WatchedRelation& relation = list_.relations[k];
    pairs_.push_back({.left = relation.left_slot,
                      .right = list_.bounds.empty()
                                   ? relation.right_slot
                                   : static_cast<std::uint32_t>(k),
                      .is_strict = relation.is_strict});
  }
  PartRelations();
  FindStatesRead();
}

// Splits off the relations between direct operands, for DirectRelations.
void CrossingSearch::PartRelations() {
  direct_ = DirectRelations();
  others_.resize(list_.relations.size());
  std::iota(others_.begin(), others_.end(), std::size_t{0});
  const bool has_delayed = !list_.sections && list_.delays != nullptr;
  if (!list_.bounds.empty() || has_delayed) {
    return;
  }
  std::vector<std::uint32_t> moving = list_.input_slots;
  moving.push_back(list_.time_slot);
  moving.insert(moving.end(), list_.loop_slots.begin(), list_.loop_slots.end());
  if (list_.delays != nullptr) {
    for (const Delay& delay : list_.delays->delays()) {
      moving.push_back(delay.value_slot);
    }
  }
  const Tape& tape = list_.runner->tape();
  DirectOperands operands(tape.memory_size(), list_.state_slots, moving);
  for (const std::size_t section :
       list_.sections ? *list_.sections : list_.other_sections) {
    if (!operands.Follow(tape.CodeOf(section))) {
      return;
    }
  }
  std::vector<DirectRelation> direct;
  std::erase_if(others_, [&](std::size_t k) {
    const WatchedRelation& relation = list_.relations[k];
    const auto left = operands.At(relation.left_slot);
    const auto right = operands.At(relation.right_slot);
    if (left && right) {
      direct.push_back({.number = k,
                        .left = *left,
                        .right = *right,
                        .is_strict = relation.is_strict,
                        .rearms_to = TruthOfRearming(relation)});
    }
    return left && right;
  });
  direct_ = DirectRelations(std::move(direct));
}

// Marks the states that are operands or that the sections may read; all states
// if only a run can tell.
void CrossingSearch::FindStatesRead() {
  if (!list_.sections) {
    std::ranges::fill(watched_states_, std::uint8_t{1});
    return;
  }
  std::vector<std::uint8_t> is_read(list_.runner->tape().memory_size(), 0);
  for (const std::size_t k : others_) {
    is_read[list_.relations[k].left_slot] = 1;
    if (list_.bounds.empty()) {
      is_read[list_.relations[k].right_slot] = 1;
    }
  }
  const bool is_static =
      std::ranges::all_of(*list_.sections, [&](std::size_t section) {
        return MarkReads(list_.runner->tape().CodeOf(section), is_read);
      });
  for (std::size_t i = 0; i < watched_states_.size(); ++i) {
    watched_states_[i] =
        is_static ? is_read[list_.state_slots[i]] : std::uint8_t{1};
  }
}

double CrossingSearch::First(const DenseOutput& dense,
                             double begin,
                             double end,
                             std::span<std::uint8_t> truths,
                             std::span<double> memory) {
  ORRERY_CHECK(truths.size() == list_.relations.size());
  dense_ = &dense;
  truths_ = truths;
  memory_ = memory;
  rights_ = list_.bounds.empty() ? memory.data() : bound_values_.data();
  rearmed_.clear();
  double first = direct_.First(dense,
                               {begin, end},
                               truths,
                               is_ignored_,
                               memory,
                               may_rearm_ ? &rearmed_ : nullptr);
  const bool has_others = std::ranges::any_of(
      others_, [this](std::size_t k) { return is_ignored_[k] == 0; });
  if (has_others) {
    first =
        std::min(first, FirstOfOthers({begin, std::min(first, end)}, first));
    if (has_noise_) {
      ForgetNoiseAt(std::min(first, end));
    }
  }
  std::erase_if(rearmed_,
                [first](const Rearmed& one) { return one.t >= first; });
  for (const Rearmed& one : rearmed_) {
    truths[one.relation] = list_.relations[one.relation].rearming->truth;
  }
  return first;
}

// @param direct time at which direct relations change: the part's end; or
//     kNever.
double CrossingSearch::FirstOfOthers(StepPart part, double direct) {
  while (part.begin < part.end) {
    const double found =
        list_.sections ? SearchByBounds(part) : SearchBySamples(part);
    if (found == kNever || found == direct ||
        !(IsNoise({part.begin, found}) || RearmOthers(found))) {
      return found;
    }
    part.begin = found;
  }
  return kNever;
}

// True if all relations that have changed at the part's end have distances that
// are rounding, there and in its middle, as that of sin(t)^2 + cos(t)^2 and 1.
// They are noise from then on: distances have to grow beyond rounding.
bool CrossingSearch::IsNoise(StepPart part) {
  Evaluate(part.end);
  candidates_.clear();
  for (const std::size_t k : others_) {
    if (HasCrossed(k, ExcessOf(k))) {
      candidates_.push_back(k);
    }
  }
  const auto is_rounding = [this](std::size_t k) {
    return std::abs(DistanceOf(k)) <= RoundingOf(k);
  };
  // A relation that is noise already and changes again is no noise.
  const bool any_new = std::ranges::any_of(
      candidates_, [this](std::size_t k) { return is_noise_[k] == 0; });
  if (!any_new || !std::ranges::all_of(candidates_, is_rounding)) {
    return false;
  }
  Evaluate(part.begin + (part.end - part.begin) / 2);
  if (!std::ranges::all_of(candidates_, is_rounding)) {
    return false;
  }
  for (const std::size_t k : candidates_) {
    is_noise_[k] = 1;
  }
  has_noise_ = true;
  return true;
}

// Called at the end of a search.
void CrossingSearch::ForgetNoiseAt(double t) {
  Evaluate(t);
  has_noise_ = false;
  for (const std::size_t k : others_) {
    if (is_noise_[k] != 0 && std::abs(DistanceOf(k)) > RoundingOf(k)) {
      is_noise_[k] = 0;
      is_calmed_[k] = 0;
    }
    has_noise_ = has_noise_ || is_noise_[k] != 0;
  }
}

// @returns true if all relations that have changed at `t` only re-arm.
bool CrossingSearch::RearmOthers(double t) {
  if (!may_rearm_) {
    return false;
  }
  Evaluate(t);
  candidates_.clear();
  for (const std::size_t k : others_) {
    if (!HasCrossed(k, ExcessOf(k))) {
      continue;
    }
    const auto& rearming = list_.relations[k].rearming;
    if (!rearming || rearming->truth == (truths_[k] != 0)) {
      return false;
    }
    candidates_.push_back(k);
  }
  for (const std::size_t k : candidates_) {
    truths_[k] ^= 1;
    rearmed_.push_back({.relation = k, .t = t});
  }
  return !candidates_.empty();
}

void CrossingSearch::Ignore(std::span<const std::size_t> relations) {
  is_ignored_ = is_given_up_;
  for (const std::size_t k : relations) {
    is_ignored_[k] = 1;
  }
}

void CrossingSearch::GiveUp(std::span<const std::size_t> relations) {
  for (const std::size_t k : relations) {
    is_given_up_[k] = 1;
    is_ignored_[k] = 1;
  }
}

void CrossingSearch::Transfer(StateStream& stream) {
  for (std::vector<std::uint8_t>* const marks :
       {&is_ignored_, &is_given_up_, &is_noise_, &is_calmed_}) {
    stream.SameTruths(*marks);
  }
  stream.Truth(has_noise_);
  stream.Truth(may_rearm_);
  stream.Truth(is_far_);
  stream.Number(max_judgements_);
}

void CrossingSearch::Calm(std::size_t relation) {
  is_noise_[relation] = 1;
  is_calmed_[relation] = 1;
  has_noise_ = true;
}

// The signed distance to a change, negative while the relation is as it was.
double CrossingSearch::ExcessOf(std::size_t k) const noexcept {
  if (is_ignored_[k] != 0) {
    return -std::numeric_limits<double>::infinity();
  }
  const double distance = DistanceOf(k);
  const double excess = truths_[k] != 0 ? -distance : distance;
  return is_noise_[k] == 0 ? excess : excess - RoundingOf(k);
}

double CrossingSearch::DistanceOf(std::size_t k) const noexcept {
  return rights_[pairs_[k].right] - memory_[pairs_[k].left];
}

// Operands may be remainders of greater terms, as 1 - cos(x). A kink between
// such operands matters to nobody.
double CrossingSearch::RoundingOf(std::size_t k) const noexcept {
  const double left = memory_[pairs_[k].left];
  const double right = rights_[pairs_[k].right];
  if (is_calmed_[k] != 0) {
    return TieBetween(left, right);
  }
  const double least = list_.relations[k].is_kink ? 1 : 0;
  return kRoundingOfOperands *
         std::max({std::abs(right), std::abs(left), least});
}

bool CrossingSearch::HasCrossed(std::size_t k, double excess) const noexcept {
  return HasChanged(excess, truths_[k] != 0, pairs_[k].is_strict);
}

void CrossingSearch::Evaluate(double t) {
  ++evaluations_;
  for (std::size_t k = 0; k < bound_values_.size(); ++k) {
    bound_values_[k] = list_.bounds[k].At(t);
  }
  memory_[list_.time_slot] = t;
  for (std::size_t i = 0; i < watched_states_.size(); ++i) {
    if (watched_states_[i] != 0) {
      memory_[list_.state_slots[i]] = dense_->Evaluate(static_cast<int>(i), t);
    }
  }
  if (list_.inputs != nullptr) {
    list_.inputs->Apply(t, memory_);
  }
  if (list_.delays != nullptr) {
    static_cast<void>(list_.delays->Apply(t));
  }
  if (!list_.sections) {
    list_.evaluate();
    return;
  }
  for (const std::size_t section : *list_.sections) {
    list_.runner->Run(section, memory_.data());
  }
}

bool CrossingSearch::HasCrossedAt(double t) {
  Evaluate(t);
  return std::ranges::any_of(candidates_, [this](std::size_t k) {
    return HasCrossed(k, ExcessOf(k));
  });
}

// Locates the change in a part: none at its begin, some at its end.
double CrossingSearch::LocateIn(StepPart part) {
  if (HasCrossedAt(part.begin)) {  // By rounding only, at the step's begin.
    return std::min(part.begin + Spacing(part.begin), part.end);
  }
  bool has_crossed = false;
  const auto excess = [&](double t) {
    Evaluate(t);
    has_crossed = false;
    double largest = -std::numeric_limits<double>::infinity();
    for (const std::size_t k : candidates_) {
      const double value = ExcessOf(k);
      has_crossed = has_crossed || HasCrossed(k, value);
      largest = std::max(largest, value);
    }
    return largest;
  };
  return LocateCrossing(part.begin,
                        part.end,
                        excess,
                        [&](double /*value*/) { return has_crossed; })
      .after;
}

}  // namespace orrery::sim::internal
