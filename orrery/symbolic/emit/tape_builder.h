#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// One assignment to be compiled: target := value, for every combination of the
/// iterators' values (first iterator outermost, in order).
struct TapeAssignment {
  Expr target;  ///< A symbol (whole, if an array) or kIndex of a symbol.
  Expr value;   ///< Has the target's shape.
  std::vector<Expr> iterators;
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
  ~TapeBuilder();
  TapeBuilder(const TapeBuilder&) = delete;
  TapeBuilder& operator=(const TapeBuilder&) = delete;
  TapeBuilder(TapeBuilder&&) noexcept;
  TapeBuilder& operator=(TapeBuilder&&) noexcept;

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  /// Says of an array, a parameter say, that it stays as it is while functions
  /// run: a long one is read where it stands, not copied for each call.
  void Settle(Expr symbol);

  /// Appends a section and returns its number. Parts that formulas share are
  /// computed once in a section: a slot must not be read before the
  /// section assigns it and also after.
  /// @throws Error kInternal for a symbol without a slot, an iterator outside
  ///     its loop, or a der().
  std::size_t AddSection(std::span<const TapeAssignment> assignments);

  [[nodiscard]] Tape Finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
