#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <span>

#include "orrery/symbolic/op.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::symbolic::internal {

[[nodiscard]] inline std::int64_t IndexAt(const double& number) noexcept {
  return std::bit_cast<std::int64_t>(number);
}

inline void SetIndex(double& number, std::int64_t index) noexcept {
  number = std::bit_cast<double>(index);
}

/// A watch that does nothing and costs nothing.
struct NoWatch {
  void Elementwise(const Tape::Instruction& /*instruction*/,
                   const double* /*memory*/,
                   double /*result*/) const noexcept {}

  void Copied(const Tape::Instruction& /*instruction*/,
              std::size_t /*target*/,
              std::size_t /*source*/,
              double /*value*/) const noexcept {}

  void Counted(const Tape::Instruction& /*instruction*/) const noexcept {}

  void Moved(std::size_t /*target*/,
             std::size_t /*source*/,
             std::size_t /*count*/) const noexcept {}

  void Called(const Tape::Instruction& /*instruction*/,
              const double* /*memory*/) const noexcept {}

  void Enter(const Tape::Instruction& /*instruction*/) const noexcept {}

  void Leave() const noexcept {}

  void Ended(const Tape::Instruction& /*instruction*/,
             const double* /*memory*/) const noexcept {}

  void Threw(const char* /*what*/) const noexcept {}
};

/// The interpreter: one pass over the instructions, with calls of `Watch` for
/// each. If the watch has `Replace`, its value replaces a result.
template <typename Watch>
class TapeRunner {
 public:
  TapeRunner(const Tape& tape, double* memory, Watch& watch) noexcept
      : tape_(tape), memory_(memory), watch_(watch) {}

  /// Runs from `code` to the kReturn.
  Tape::Outcome Run(const Tape::Instruction* code) const noexcept;

 private:
  using Instruction = Tape::Instruction;
  using Outcome = Tape::Outcome;

  static const Instruction* Jump(const Instruction* from,
                                 std::uint32_t distance) noexcept {
    return from + static_cast<std::int32_t>(distance);
  }

  void Elementwise(const Instruction& i, double result) const noexcept {
    watch_.Elementwise(i, memory_, result);
    if constexpr (requires { watch_.Replace(i, memory_, result); }) {
      memory_[i.target] = watch_.Replace(i, memory_, result);
    } else {
      memory_[i.target] = result;
    }
  }

  void Move(const Instruction& i,
            std::size_t target,
            std::size_t source) const noexcept {
    watch_.Copied(i, target, source, memory_[source]);
    memory_[target] = memory_[source];
  }

  [[nodiscard]] std::int64_t Index(std::uint32_t address) const noexcept {
    return IndexAt(memory_[address]);
  }

  // Runs instructions beyond the plain dispatch. kDone lets the run go on.
  [[nodiscard]] Outcome RunRare(const Instruction& i) const noexcept;
  void MoveArray(const Instruction& i) const noexcept;
  [[nodiscard]] Outcome CallOpaque(const Instruction& i) const noexcept;
  [[nodiscard]] Outcome Push(const Instruction& i) const noexcept;
  void Pop(const Instruction& i) const noexcept;

  [[nodiscard]] Outcome End(const Instruction& i,
                            Outcome outcome) const noexcept {
    watch_.Ended(i, memory_);
    return outcome;
  }

  const Tape& tape_;
  double* memory_;
  Watch& watch_;
};

template <typename Watch>
// The hot operations, one case each, become one jump table.
// NOLINTNEXTLINE(readability-function-size,readability-function-cognitive-complexity)
Tape::Outcome TapeRunner<Watch>::Run(const Instruction* code) const noexcept {
  double* const m = memory_;
  for (const Instruction* next = code;; ++next) {
    const Instruction& i = *next;
    switch (i.op) {
      case TapeOp::kAdd:
        Elementwise(i, m[i.a] + m[i.b]);
        break;
      case TapeOp::kSubtract:
        Elementwise(i, m[i.a] - m[i.b]);
        break;
      case TapeOp::kMultiply:
        Elementwise(i, m[i.a] * m[i.b]);
        break;
      case TapeOp::kDivide:
        Elementwise(i, m[i.a] / m[i.b]);
        break;
      case TapeOp::kNegate:
        Elementwise(i, -m[i.a]);
        break;
      case TapeOp::kSqrt:
        Elementwise(i, std::sqrt(m[i.a]));
        break;
      case TapeOp::kLess:
        Elementwise(i, m[i.a] < m[i.b] ? 1 : 0);
        break;
      case TapeOp::kSelect:
        Elementwise(i, m[i.a] != 0 ? m[i.b] : m[i.c]);
        break;
      case TapeOp::kMultiplyAdd:
        Elementwise(i, std::fma(m[i.a], m[i.b], m[i.c]));
        break;
      case TapeOp::kMultiplySubtract:
        Elementwise(i, std::fma(m[i.a], m[i.b], -m[i.c]));
        break;
      case TapeOp::kSubtractProduct:
        Elementwise(i, std::fma(-m[i.a], m[i.b], m[i.c]));
        break;
      case TapeOp::kCopy:
        Move(i, i.target, i.a);
        break;
      case TapeOp::kLoad:
        Move(i, i.target, i.a + static_cast<std::size_t>(Index(i.b)));
        break;
      case TapeOp::kStore:
        Move(i, i.target + static_cast<std::size_t>(Index(i.b)), i.a);
        break;
      case TapeOp::kIndexAdd:
        SetIndex(m[i.target],
                 Index(i.a) * static_cast<std::int32_t>(i.b) + Index(i.c));
        break;
      case TapeOp::kLoop:
        SetIndex(m[i.target], 0);
        break;
      case TapeOp::kNext: {
        const std::int64_t passes = Index(i.target) + 1;
        SetIndex(m[i.target], passes);
        if (passes < std::int64_t{i.a}) {
          next = Jump(next, i.b) - 1;
        }
        break;
      }
      case TapeOp::kJump:
        next = Jump(next, i.a) - 1;
        break;
      case TapeOp::kJumpUnless:
        if (m[i.a] == 0) {
          next = Jump(next, i.b) - 1;
        }
        break;
      case TapeOp::kReturn:
        return Outcome::kDone;
      default: {
        const Outcome outcome = RunRare(i);
        if (outcome != Outcome::kDone) {
          return outcome;
        }
      }
    }
  }
}

template <typename Watch>
Tape::Outcome TapeRunner<Watch>::RunRare(const Instruction& i) const noexcept {
  double* const m = memory_;
  if (IsElementwise(i.op)) {
    Elementwise(i, EvaluateOp(static_cast<Op>(i.op), m[i.a], m[i.b], m[i.c]));
    return Outcome::kDone;
  }
  switch (i.op) {
    case TapeOp::kIndexZero:
      SetIndex(m[i.target], 0);
      return Outcome::kDone;
    case TapeOp::kIndexScale:
      SetIndex(m[i.target], Index(i.a) * static_cast<std::int32_t>(i.b));
      return Outcome::kDone;
    case TapeOp::kToIndex:
      if (!(m[i.a] >= 1 && m[i.a] <= i.c)) {
        return End(i, Outcome::kSubscript);
      }
      SetIndex(m[i.target], static_cast<std::int64_t>(m[i.a]) - 1);
      return Outcome::kDone;
    case TapeOp::kCopyInteger:
      if (!(std::abs(m[i.a]) <= kMaxInteger)) {
        return End(i, Outcome::kTooLarge);
      }
      Move(i, i.target, i.a);
      return Outcome::kDone;
    case TapeOp::kFromIndex:
      watch_.Counted(i);
      m[i.target] = static_cast<double>(Index(i.a));
      return Outcome::kDone;
    case TapeOp::kCountPass:
      SetIndex(m[i.target], Index(i.target) + 1);
      return Index(i.target) > Tape::kMaxPasses
                 ? End(i, Outcome::kTooManyIterations)
                 : Outcome::kDone;
    case TapeOp::kAssert:
      return m[i.a] == 0 ? End(i, Outcome::kAssertion) : Outcome::kDone;
    case TapeOp::kCall: {
      watch_.Enter(i);
      const Outcome outcome = Run(tape_.FunctionCode(i.a).data());
      watch_.Leave();
      return outcome;
    }
    case TapeOp::kOpaque:
      return CallOpaque(i);
    case TapeOp::kPush:
      return Push(i);
    case TapeOp::kPop:
      Pop(i);
      return Outcome::kDone;
    default:
      MoveArray(i);
      return Outcome::kDone;
  }
}

template <typename Watch>
void TapeRunner<Watch>::MoveArray(const Instruction& i) const noexcept {
  const std::size_t step = i.op == TapeOp::kCopyArray ? 1 : 0;
  for (std::size_t k = 0; k < i.c; ++k) {
    Move(i, i.target + k, i.a + k * step);
  }
}

template <typename Watch>
Tape::Outcome TapeRunner<Watch>::CallOpaque(
    const Instruction& i) const noexcept {
  const OpaqueFunction& function = tape_.opaque(i.b);
  try {
    function.evaluate(std::span(memory_ + i.a, function.num_inputs),
                      std::span(memory_ + i.target, function.num_outputs));
  } catch (const std::exception& exception) {
    watch_.Threw(exception.what());
    return End(i, Outcome::kException);
  } catch (...) {
    return End(i, Outcome::kException);
  }
  watch_.Called(i, memory_);
  return Outcome::kDone;
}

template <typename Watch>
Tape::Outcome TapeRunner<Watch>::Push(const Instruction& i) const noexcept {
  double* const stack = memory_ + tape_.stack();
  const std::int64_t top = IndexAt(stack[0]);
  const std::int64_t size = std::max<std::int64_t>(i.c, Tape::kLeastPush);
  if (top + size > static_cast<std::int64_t>(Tape::kStackSize)) {
    return End(i, Outcome::kTooDeep);
  }
  watch_.Moved(tape_.stack() + 1 + static_cast<std::size_t>(top), i.a, i.c);
  std::copy_n(memory_ + i.a, i.c, stack + 1 + top);
  SetIndex(stack[0], top + size);
  return Outcome::kDone;
}

template <typename Watch>
void TapeRunner<Watch>::Pop(const Instruction& i) const noexcept {
  double* const stack = memory_ + tape_.stack();
  const std::int64_t top =
      IndexAt(stack[0]) - std::max<std::int64_t>(i.c, Tape::kLeastPush);
  watch_.Moved(i.a, tape_.stack() + 1 + static_cast<std::size_t>(top), i.c);
  std::copy_n(stack + 1 + top, i.c, memory_ + i.a);
  SetIndex(stack[0], top);
}

}  // namespace orrery::symbolic::internal
