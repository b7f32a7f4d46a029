#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// The operation of a tape's instruction. The elementwise operations:
/// memory[target] = op(memory[a], memory[b], memory[c]), see `EvaluateOp`.
///
/// Fields are addresses in memory unless said otherwise. index(x) is the 64-bit
/// integer whose bits memory[x] holds. Jumps are signed distances from the
/// instruction itself.
enum class TapeOp : std::uint8_t {
  // The elementwise operations, numbered as in `Op`.
  kNegate = static_cast<std::uint8_t>(Op::kNegate),
  kNot,
  kAbs,
  kSign,
  kSqrt,
  kExp,
  kLog,
  kLog10,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kFloor,
  kCeil,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kAtan2,
  kMin,
  kMax,
  kMod,
  kRem,
  kQuotient,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kSelect,
  kMultiplyAdd,
  kMultiplySubtract,
  kSubtractProduct,
  kCopy = kNumOps,  ///< memory[target] = memory[a].
  kCopyInteger,  ///< Likewise; ends the run with kTooLarge unless it is at most
                 ///< kMaxInteger in size, and so exact.
  kCopyArray,    ///< memory[target + k] = memory[a + k], 0 <= k < c (number).
  kFillArray,    ///< memory[target + k] = memory[a], 0 <= k < c (number).
  kLoad,         ///< memory[target] = memory[a + index(b)].
  kStore,        ///< memory[target + index(b)] = memory[a].
  kIndexZero,    ///< index(target) = 0.
  kIndexScale,   ///< index(target) = index(a) * int32(b).
  kIndexAdd,     ///< index(target) = index(a) * int32(b) + index(c).
  kToIndex,     ///< index(target) = memory[a] - 1; ends the run with kSubscript
                ///< unless 1 <= memory[a] <= c (number).
  kFromIndex,   ///< memory[target] = index(a).
  kLoop,        ///< index(target) = 0. The body follows, to its kNext; it runs
                ///< a (number, >= 1) times; c is its length with the kNext.
  kNext,        ///< ++index(target); if it is below a (number), jump by b.
  kJump,        ///< Jump by a.
  kJumpUnless,  ///< Jump by b if memory[a] is 0.
  kCountPass,   ///< ++index(target); ends the run beyond kMaxPasses.
  kAssert,      ///< Ends the run with message number c if memory[a] is 0.
  kCall,    ///< Runs function number a, whose variables have fixed addresses.
  kOpaque,  ///< memory[target...] = opaque function number b of memory[a...].
  kPush,    ///< Saves memory[a + k], 0 <= k < c (number), on the stack.
  kPop,     ///< Restores the values of the matching kPush.
  kReturn,  ///< The end of a section or function.
};

static_assert(static_cast<int>(TapeOp::kSubtractProduct) ==
              static_cast<int>(Op::kSubtractProduct));

[[nodiscard]] constexpr TapeOp ToTapeOp(Op op) noexcept {
  return static_cast<TapeOp>(op);
}

[[nodiscard]] constexpr bool IsElementwise(TapeOp op) noexcept {
  return op < TapeOp::kCopy;
}

/// True if it copies one number.
[[nodiscard]] constexpr bool IsCopy(TapeOp op) noexcept {
  return op == TapeOp::kCopy || op == TapeOp::kCopyInteger;
}

/// Compiled assignments: straight-line code, loops, branches and calls over one
/// array of doubles, which holds the variables' slots, then the constants, the
/// frames of functions, and scratch. It defines the meaning of a Program's
/// formulas and is the source of native code. Immutable; shared by threads.
///
/// If exactly one operand of a sum or difference is a product, the two are one
/// operation, rounded once. (With two products a*b - b*a would not be 0.) This
/// depends on the formula alone, never on the processor.
///
/// A sum, difference or product of Integers that is not known to be exact, see
/// `kMaxInteger`, is checked where an Integer is taken or assigned. A formula
/// of Reals takes it rounded.
///
/// Both branches of a select are evaluated and one is dropped, unless a branch
/// contains an operation that may end the run or never end (a call, a subscript
/// or Integer that is not known to be in bounds): then only the branch taken is
/// evaluated. Operands of `and` and `or` are always evaluated.
class Tape {
 public:
  struct Instruction {
    TapeOp op = TapeOp::kReturn;
    std::uint32_t target = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
  };

  /// The outcome of a run of a section.
  enum class Outcome : std::uint8_t {
    kDone,
    kAssertion,          ///< An assert statement failed.
    kSubscript,          ///< A subscript was out of bounds.
    kTooLarge,           ///< An Integer was too large to be exact.
    kTooManyIterations,  ///< A while-loop did not end within kMaxPasses.
    kTooDeep,            ///< A recursive function ran out of stack.
    kException           ///< An opaque function threw.
  };

  static constexpr std::int64_t kMaxPasses = 100'000'000;

  /// The stack of recursive functions, in doubles; there is none without them.
  static constexpr std::size_t kStackSize = 1U << 16U;

  /// Least stack space of a call, for the sake of the machine's stack.
  static constexpr std::int64_t kLeastPush = 16;

  /// The first operation of a section whose result was not finite although its
  /// operands were, or the operation that ended the run of the section.
  struct Fault {
    std::size_t assignment = 0;    ///< Position in the section.
    std::uint32_t node = 0;        ///< The formula's id in its graph.
    std::string function;          ///< The function of the formula, if any.
    std::vector<double> operands;  ///< Their values.
    double result = 0;
    std::string message;  ///< "sqrt(-4) is not a real number", ...
  };

  /// All of a run's memory, constants in place, variables and scratch zero.
  [[nodiscard]] std::vector<double> NewMemory() const;

  [[nodiscard]] std::size_t memory_size() const noexcept {
    return memory_size_;
  }

  [[nodiscard]] std::size_t num_slots() const noexcept { return num_slots_; }

  [[nodiscard]] std::size_t num_sections() const noexcept {
    return sections_.size();
  }

  /// The number of instructions of a section.
  [[nodiscard]] std::size_t size(std::size_t section) const noexcept {
    return sections_[section].size - 1;
  }

  /// Runs a section's assignments in order. Allocates nothing, except in opaque
  /// functions that allocate.
  /// @param memory made by `NewMemory`; slots may have been changed.
  Outcome Run(std::size_t section, double* memory) const noexcept;

  /// Runs the section again on a copy of `memory`, watching each operation.
  /// Ignores results that reach no variable.
  /// @param memory as it was when the section was run.
  [[nodiscard]] std::optional<Fault> FindFault(
      std::size_t section, std::span<const double> memory) const;

  /// Returns the assignment of the section that an instruction is part of.
  [[nodiscard]] std::size_t AssignmentOf(
      std::size_t section, std::size_t instruction) const noexcept;

  // For generators of native code -------------------------------------------

  /// Returns the code including the final kReturn.
  [[nodiscard]] std::span<const Instruction> CodeOf(
      std::size_t section) const noexcept {
    return std::span(code_).subspan(sections_[section].begin,
                                    sections_[section].size);
  }

  [[nodiscard]] std::size_t num_functions() const noexcept {
    return functions_.size();
  }

  [[nodiscard]] std::span<const Instruction> FunctionCode(
      std::size_t function) const noexcept {
    return std::span(code_).subspan(functions_[function].begin,
                                    functions_[function].size);
  }

  [[nodiscard]] const OpaqueFunction& opaque(
      std::size_t number) const noexcept {
    return *opaques_[number];
  }

  /// Stored from address `num_slots()`.
  [[nodiscard]] std::span<const double> constants() const noexcept {
    return constants_;
  }

  /// First address of scratch: from here up to `stack()` no section or function
  /// leaves anything for another one.
  [[nodiscard]] std::size_t scratch() const noexcept { return scratch_; }

  /// First address of the stack of recursive functions, 0 if there is none. The
  /// first entry is the index of the next free one after it.
  [[nodiscard]] std::size_t stack() const noexcept { return stack_; }

 private:
  friend class TapeBuilder;
  friend class TapeBytes;

  struct Block {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::string name;
    std::vector<std::size_t> assignments;  // Begin of each, from `begin`.
  };

  class Watcher;

  Tape() = default;
  Outcome RunFrom(const Instruction* code, double* memory) const noexcept;

  std::vector<Instruction> code_;
  std::vector<std::uint32_t> nodes_;  // The formula behind each instruction.
  std::vector<Block> sections_;
  std::vector<Block> functions_;
  std::vector<double> constants_;
  std::vector<std::shared_ptr<const OpaqueFunction>> opaques_;
  std::vector<std::string> messages_;
  std::size_t num_slots_ = 0;
  std::size_t memory_size_ = 0;
  std::size_t scratch_ = 0;
  std::size_t stack_ = 0;
};

}  // namespace orrery
