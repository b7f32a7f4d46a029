#include "orrery/symbolic/tape/tape_bounds.h"

#include <algorithm>
#include <bit>

#include "orrery/base/error.h"

namespace orrery {

TapeBounds::TapeBounds(const Tape& tape)
    : tape_(tape),
      bounds_(tape.memory_size()),
      rounds_(tape.memory_size(), 0) {}

void TapeBounds::Begin(std::span<const double> memory) noexcept {
  memory_ = memory;
  if (++round_ == 0) {
    std::ranges::fill(rounds_, 0U);
    round_ = 1;
  }
}

void TapeBounds::Set(std::uint32_t slot, const Bounds& bounds) noexcept {
  bounds_[slot] = bounds;
  rounds_[slot] = round_;
}

Bounds TapeBounds::Get(std::uint32_t slot) const noexcept {
  return rounds_[slot] == round_ ? bounds_[slot] : Bounds::Point(memory_[slot]);
}

bool TapeBounds::Run(std::size_t section) noexcept {
  ORRERY_CHECK(memory_.size() == bounds_.size());
  return RunFrom(tape_.CodeOf(section).data());
}

// An index is kept in the bits of a point.
std::int64_t TapeBounds::IndexAt(std::uint32_t address) const noexcept {
  return std::bit_cast<std::int64_t>(Get(address).value.lower);
}

void TapeBounds::SetIndex(std::uint32_t address, std::int64_t index) noexcept {
  Set(address, Bounds::Point(std::bit_cast<double>(index)));
}

bool TapeBounds::RunFrom(const Tape::Instruction* code) noexcept {
  for (const Tape::Instruction* next = code; next->op != TapeOp::kReturn;
       ++next) {
    switch (next->op) {
      case TapeOp::kNext:
      case TapeOp::kJump:
      case TapeOp::kJumpUnless:
        next = Branch(next);
        if (next == nullptr) {
          return false;
        }
        break;
      case TapeOp::kCall:
        if (!RunFrom(tape_.FunctionCode(next->a).data())) {
          return false;
        }
        break;
      default:
        if (RunOne(*next) == Flow::kLost) {
          return false;
        }
    }
  }
  return true;
}

// Returns the instruction before the next one; null if the branch is uncertain.
const Tape::Instruction* TapeBounds::Branch(
    const Tape::Instruction* at) noexcept {
  const auto jump = [at](std::uint32_t distance) {
    return at + static_cast<std::int32_t>(distance) - 1;
  };
  if (at->op == TapeOp::kJump) {
    return jump(at->a);
  }
  if (at->op == TapeOp::kNext) {
    const std::int64_t passes = IndexAt(at->target) + 1;
    SetIndex(at->target, passes);
    return passes < std::int64_t{at->a} ? jump(at->b) : at;
  }
  const Interval condition = Get(at->a).value;
  if (condition == Interval::Point(0)) {
    return jump(at->b);
  }
  return condition.Contains(0) ? nullptr : at;
}

TapeBounds::Flow TapeBounds::RunOne(const Tape::Instruction& i) noexcept {
  if (IsElementwise(i.op)) {
    Set(i.target, BoundOp(static_cast<Op>(i.op), Get(i.a), Get(i.b), Get(i.c)));
    return Flow::kNext;
  }
  switch (i.op) {
    case TapeOp::kCopy:
    case TapeOp::kCopyInteger:
      Set(i.target, Get(i.a));
      return Flow::kNext;
    case TapeOp::kCopyArray:
      for (std::uint32_t k = 0; k < i.c; ++k) {
        Set(i.target + k, Get(i.a + k));
      }
      return Flow::kNext;
    case TapeOp::kFillArray:
      for (std::uint32_t k = 0; k < i.c; ++k) {
        Set(i.target + k, Get(i.a));
      }
      return Flow::kNext;
    case TapeOp::kLoad:
      Set(i.target, Get(i.a + static_cast<std::uint32_t>(IndexAt(i.b))));
      return Flow::kNext;
    case TapeOp::kStore:
      Set(i.target + static_cast<std::uint32_t>(IndexAt(i.b)), Get(i.a));
      return Flow::kNext;
    case TapeOp::kIndexZero:
    case TapeOp::kLoop:
      SetIndex(i.target, 0);
      return Flow::kNext;
    case TapeOp::kIndexScale:
      SetIndex(i.target, IndexAt(i.a) * static_cast<std::int32_t>(i.b));
      return Flow::kNext;
    case TapeOp::kIndexAdd:
      SetIndex(i.target,
               IndexAt(i.a) * static_cast<std::int32_t>(i.b) + IndexAt(i.c));
      return Flow::kNext;
    case TapeOp::kToIndex: {
      const Interval subscript = Get(i.a).value;
      if (!subscript.is_point() || subscript.lower < 1 ||
          subscript.lower > i.c) {
        return Flow::kLost;
      }
      SetIndex(i.target, static_cast<std::int64_t>(subscript.lower) - 1);
      return Flow::kNext;
    }
    case TapeOp::kFromIndex:
      Set(i.target, Bounds::Point(static_cast<double>(IndexAt(i.a))));
      return Flow::kNext;
    case TapeOp::kCountPass:
      SetIndex(i.target, IndexAt(i.target) + 1);
      return IndexAt(i.target) > Tape::kMaxPasses ? Flow::kLost : Flow::kNext;
    case TapeOp::kAssert:
      return Flow::kNext;
    default:
      return Flow::kLost;
  }
}

}  // namespace orrery
