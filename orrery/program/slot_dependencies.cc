#include "orrery/program/slot_dependencies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

namespace orrery {
namespace {

using Knowns = SlotDependencies::Knowns;

constexpr std::size_t kMost = 20'000'000;  // Numbers in all sets.

// Follows knowns through the code until no set grows.
class Follower {
 public:
  Follower(const Program& program,
           std::span<const std::uint32_t> given,
           bool is_at_start)
      : program_(program),
        knowns_(program.tape->memory_size()),
        is_at_start_(is_at_start) {
    std::uint32_t number = 0;
    for (const std::uint32_t slot : given) {
      knowns_[slot].push_back(number++);
    }
    if (!is_at_start) {
      fixed_.assign(given.begin(), given.end());
      std::ranges::sort(fixed_);
    }
  }

  // False if there is code that cannot be followed.
  bool Run() {
    do {
      has_grown_ = false;
      if (is_at_start_) {
        FollowStart();
      }
      FollowAll();
    } while (has_grown_ && can_follow_ && count_ <= kMost);
    return can_follow_ && count_ <= kMost;
  }

  [[nodiscard]] std::vector<Knowns>& knowns() noexcept { return knowns_; }

 private:
  void FollowStart() {
    for (const auto* bindings :
         {&program_.parameter_bindings, &program_.start_bindings}) {
      for (const ParameterBinding& binding : *bindings) {
        Follow(binding.section);
      }
    }
    for (const StartValue& start : program_.starts) {
      Merge(start.target, knowns_[start.slot]);
    }
    Follow(program_.initialization);
    Follow(program_.events.initial_iterates);
    if (program_.homotopy) {
      Follow(program_.homotopy->schedule);
      Follow(program_.homotopy->iterates);
    }
    for (const StateReset& reset : program_.events.resets) {
      Merge(reset.state.slot, knowns_[reset.value_slot]);
      Merge(reset.state.slot, knowns_[reset.condition_slot]);
    }
  }

  void FollowAll() {
    const EventProgram& events = program_.events;
    if (events.watch_section) {
      Follow(*events.watch_section);
    }
    Follow(events.watch_schedule);
    for (const WatchedRelation& relation : events.relations) {
      if (relation.truth_slot) {
        Merge(*relation.truth_slot, knowns_[relation.left_slot]);
        Merge(*relation.truth_slot, knowns_[relation.right_slot]);
      }
    }
    Follow(program_.derivatives);
    Follow(program_.outputs);
    Follow(events.schedule);
    Follow(events.rearming);
    Follow(events.iterates);
    for (const PreValues& pre : events.pre) {
      for (std::uint32_t i = 0; i < pre.count; ++i) {
        Merge(pre.slot + i, knowns_[pre.of_slot + i]);
      }
    }
    for (const Handler& handler : events.handlers) {
      if (handler.section) {
        Follow(*handler.section);
      }
      for (const Handler::Assignment& assignment : handler.assignments) {
        Merge(assignment.target.slot, knowns_[assignment.value_slot]);
        Merge(assignment.target.slot, knowns_[handler.condition_slot]);
      }
    }
  }

  void Follow(const std::vector<Iterate>& iterates) {
    for (const Iterate& iterate : iterates) {
      Merge(iterate.slot, knowns_[iterate.result_slot]);
    }
  }

  void Follow(const Schedule& schedule) {
    for (const ScheduleStep& step : schedule) {
      if (step.kind == ScheduleStep::Kind::kSection) {
        Follow(step.index);
      } else {
        Follow(program_.blocks[step.index]);
      }
    }
  }

  // Each unknown of a loop depends on what its residuals depend on.
  void Follow(const ResidualBlock& block) {
    if (block.truth_section) {
      Follow(*block.truth_section);
    }
    Follow(block.residual_section);
    Knowns all;
    for (const std::uint32_t slot : block.residual_slots) {
      all = Union(all, knowns_[slot]);
    }
    for (const std::uint32_t slot : block.unknown_slots) {
      Merge(slot, all);
    }
  }

  void Follow(std::size_t section) {
    scratch_.clear();
    conditions_.clear();
    is_conditional_ = false;
    for (const Tape::Instruction& i : program_.tape->CodeOf(section)) {
      switch (i.op) {
        case TapeOp::kCopyArray:
        case TapeOp::kFillArray:
          for (std::uint32_t k = 0; k < i.c; ++k) {
            Assign(i.target + k,
                   Of(i.op == TapeOp::kFillArray ? i.a : i.a + k));
          }
          break;
        case TapeOp::kCopy:
        case TapeOp::kCopyInteger:
          Assign(i.target, Of(i.a));
          break;
        case TapeOp::kJumpUnless:
          conditions_ = Union(conditions_, Of(i.a));
          is_conditional_ = true;
          break;
        case TapeOp::kJump:
        case TapeOp::kAssert:
        case TapeOp::kReturn:
          break;
        default:
          if (!IsElementwise(i.op)) {
            can_follow_ = false;
            return;
          }
          Assign(i.target, OfOperands(i));
          break;
      }
    }
  }

  [[nodiscard]] Knowns OfOperands(const Tape::Instruction& i) const {
    const auto operands =
        static_cast<std::size_t>(ElementwiseOperands(static_cast<Op>(i.op)));
    const std::array places = {i.a, i.b, i.c};
    Knowns all;
    for (const std::uint32_t place : std::span(places).first(operands)) {
      all = Union(all, Of(place));
    }
    return all;
  }

  [[nodiscard]] Knowns Of(std::uint32_t place) const {
    if (place < program_.tape->scratch()) {
      return knowns_[place];
    }
    const auto found = scratch_.find(place);
    return found == scratch_.end() ? Knowns() : found->second;
  }

  // An assignment in a branch may be left out. Scratch is used for one thing
  // after the other.
  void Assign(std::uint32_t target, Knowns knowns) {
    knowns = Union(knowns, conditions_);
    if (target < program_.tape->scratch()) {
      Merge(target, knowns);
      return;
    }
    Knowns& its = scratch_[target];
    its = !is_conditional_ ? std::move(knowns) : Union(its, knowns);
  }

  [[nodiscard]] static Knowns Union(const Knowns& a, const Knowns& b) {
    Knowns all;
    std::ranges::set_union(a, b, std::back_inserter(all));
    return all;
  }

  // Adds to a set. What is fixed stays itself.
  void Merge(std::uint32_t target, const Knowns& knowns) {
    Knowns& its = knowns_[target];
    if (count_ > kMost || std::ranges::includes(its, knowns) ||
        std::ranges::binary_search(fixed_, target)) {
      return;
    }
    Knowns all = Union(its, knowns);
    count_ += all.size() - its.size();
    its = std::move(all);
    has_grown_ = true;
  }

  const Program& program_;
  std::vector<Knowns> knowns_;
  bool is_at_start_;
  std::vector<std::uint32_t> fixed_;  // Slots of states and inputs, ascending.
  std::unordered_map<std::uint32_t, Knowns> scratch_;  // Values of one section.
  Knowns conditions_;            // Values of branches so far in it.
  bool is_conditional_ = false;  // There were such.
  std::size_t count_ = 0;
  bool has_grown_ = false;
  bool can_follow_ = true;
};

}  // namespace

std::optional<SlotDependencies> SlotDependencies::Of(const Program& program) {
  std::vector<std::uint32_t> given = program.state_slots;
  given.insert(
      given.end(), program.input_slots.begin(), program.input_slots.end());
  return Following(program, given, /*is_at_start=*/false);
}

std::optional<SlotDependencies> SlotDependencies::AtStart(
    const Program& program, std::span<const std::uint32_t> given) {
  return Following(program, given, /*is_at_start=*/true);
}

std::optional<SlotDependencies> SlotDependencies::Following(
    const Program& program,
    std::span<const std::uint32_t> given,
    bool is_at_start) {
  if (!program.delays.empty()) {
    return std::nullopt;
  }
  Follower follower(program, given, is_at_start);
  if (!follower.Run()) {
    return std::nullopt;
  }
  return SlotDependencies(std::move(follower.knowns()));
}

}  // namespace orrery
