#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// One assignment to be compiled: target := value, for every combination of the
/// iterators' values (first iterator outermost).
struct TapeAssignment {
  Expr target;  ///< A symbol (whole, if an array) or kIndex of a symbol.
  Expr value;   ///< Of the target's shape.
  std::vector<Expr> iterators;
};

/// What a tape's instruction does: elementwise operations on doubles, moves,
/// loops, indexed loads and stores, jumps, calls.
enum class TapeOp : std::uint8_t;

/// Compiled assignments: straight-line code, loops, branches and calls over one
/// array of doubles, which holds the variables' slots, then the constants, then
/// scratch. It is the reference meaning of a Program's formulas and the form
/// that native code is generated from. Immutable; shared by threads.
class Tape {
 public:
  struct Instruction {
    TapeOp op;
    std::uint32_t target = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
  };

  /// What became of a run of a section.
  enum class Outcome : std::uint8_t {
    kDone,
    kAssertion,         ///< An assert statement failed.
    kSubscript,         ///< A subscript was out of bounds.
    kTooManyIterations  ///< A while-loop did not end within 10^8 passes.
  };

  /// The first operation of a section whose result was not finite although its
  /// operands were, or the statement that ended the section.
  struct Fault {
    std::size_t assignment = 0;    ///< Of the section.
    std::uint32_t node = 0;        ///< The formula's id in the graph.
    std::vector<double> operands;  ///< Their values.
    double result = 0;
    std::string message;  ///< "sqrt(-4) is not a real number", "1/0", ...
  };

  /// All of a run's memory, constants in place, variables and scratch zero.
  [[nodiscard]] std::vector<double> NewMemory() const;

  [[nodiscard]] std::size_t memory_size() const noexcept;
  [[nodiscard]] std::size_t num_sections() const noexcept;

  /// The number of instructions of a section.
  [[nodiscard]] std::size_t size(std::size_t section) const noexcept;

  /// Runs a section's assignments in order. Allocates nothing (but for calls of
  /// users' functions with local arrays, from a stack in `memory`).
  /// @param memory as `NewMemory` made it; slots may have been changed.
  Outcome Run(std::size_t section, double* memory) const noexcept;

  /// Runs the section again on a copy of `memory`, watching each operation.
  [[nodiscard]] std::optional<Fault> FindFault(
      std::size_t section, std::span<const double> memory) const;

 private:
  friend class TapeBuilder;
  // ... up to the implementer
};

/// Compiles assignments to a Tape.
class TapeBuilder {
 public:
  /// @param slots for each symbol, by ordinal, its first slot (arrays are
  ///     row-major and contiguous), or kNoSlot for one that is never read.
  /// @param num_slots the size of the variables' part of the memory.
  TapeBuilder(const ExprGraph& graph,
              std::vector<std::uint32_t> slots,
              std::size_t num_slots);

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  /// Appends a section and returns its number. Parts that formulas share are
  /// computed once in a section: a slot must not be read before the
  /// section assigns it and also after.
  std::size_t AddSection(std::span<const TapeAssignment> assignments);

  [[nodiscard]] Tape Finish() &&;
};

}  // namespace orrery
