#include "orrery/compile/emit/polynomial_motion.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery::compile::internal {
namespace {

// Upper bounds for the degrees of quantities as polynomials in time; 0 for a
// quantity that does not change.
class Degrees {
 public:
  explicit Degrees(const Program& program)
      : program_(program), of_(program.tape->memory_size()) {
    of_[program.time_slot] = 1;
  }

  // Follows the derivatives again and again. The degrees of the states grow
  // each time, and soon exceed the bound where states depend on themselves.
  // @returns true if all states are polynomials.
  bool FindOfStates() {
    for (int i = 0; i <= kMost + 1; ++i) {
      if (!Follow(program_.derivatives)) {
        return false;
      }
      if (!IntegrateStates()) {
        return AreKnown(program_.state_slots);
      }
    }
    return false;
  }

  // @returns false if a value of the schedule is not known before it runs.
  bool Follow(std::span<const ScheduleStep> schedule) {
    return std::ranges::all_of(schedule, [this](const ScheduleStep& step) {
      return step.kind == ScheduleStep::Kind::kSection &&
             FollowSection(step.index);
    });
  }

  bool FollowSection(std::size_t section) {
    return std::ranges::all_of(
        program_.tape->CodeOf(section), [this](const Tape::Instruction& i) {
          if (i.op == TapeOp::kReturn) {
            return true;
          }
          if (!IsElementwise(i.op) && i.op != TapeOp::kCopy) {
            return false;
          }
          of_[i.target] = std::min(After(i), kMost + 1);
          return true;
        });
  }

  [[nodiscard]] bool IsKnown(std::uint32_t slot) const {
    return of_[slot] <= kMost;
  }

  [[nodiscard]] int MostOfStates() const {
    int most = 0;
    for (const std::uint32_t slot : program_.state_slots) {
      most = std::max(most, of_[slot]);
    }
    return most;
  }

 private:
  // Steps of order 5, and their dense output, follow such polynomials exactly.
  static constexpr int kMost = 4;

  [[nodiscard]] bool AreKnown(std::span<const std::uint32_t> slots) const {
    return std::ranges::all_of(
        slots, [this](std::uint32_t slot) { return IsKnown(slot); });
  }

  // @returns true if this changes a degree.
  bool IntegrateStates() {
    bool changes = false;
    for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
      int& degree = of_[program_.state_slots[i]];
      const int after =
          std::min(of_[program_.derivatives_at[i].slot], kMost) + 1;
      changes = changes || after != degree;
      degree = after;
    }
    return changes;
  }

  [[nodiscard]] int After(const Tape::Instruction& i) const {
    const int a = of_[i.a];
    if (i.op == TapeOp::kCopy) {
      return a;
    }
    const auto op = static_cast<Op>(i.op);
    const int b = op < Op::kAdd ? 0 : of_[i.b];
    const int c = op < Op::kSelect ? 0 : of_[i.c];
    switch (op) {
      case Op::kNegate:
        return a;
      case Op::kAdd:
      case Op::kSubtract:
        return std::max(a, b);
      case Op::kMultiply:
        return a + b;
      case Op::kMultiplyAdd:
      case Op::kMultiplySubtract:
      case Op::kSubtractProduct:
        return std::max(a + b, c);
      case Op::kDivide:
        return b == 0 ? a : kMost + 1;
      case Op::kSelect:
        return a == 0 ? std::max(b, c) : kMost + 1;
      default:
        return a == 0 && b == 0 && c == 0 ? 0 : kMost + 1;
    }
  }

  const Program& program_;
  std::vector<int> of_;  // By address.
};

}  // namespace

std::optional<int> DegreeOfMotion(const Program& program) {
  if (!program.input_slots.empty() || !program.delays.empty() ||
      !program.constraints.constraints.empty()) {
    return std::nullopt;
  }
  Degrees degrees(program);
  const EventProgram& events = program.events;
  const bool are_followed =
      degrees.FindOfStates() &&
      (events.watch_section ? degrees.FollowSection(*events.watch_section)
                            : degrees.Follow(events.watch_schedule));
  const bool are_known =
      are_followed &&
      std::ranges::all_of(events.relations, [&](const auto& relation) {
        return degrees.IsKnown(relation.left_slot) &&
               degrees.IsKnown(relation.right_slot);
      });
  return are_known ? std::optional(degrees.MostOfStates()) : std::nullopt;
}

}  // namespace orrery::compile::internal
