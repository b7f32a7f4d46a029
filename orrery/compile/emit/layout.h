#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Gives symbols their places in a run's memory.
class Layout {
 public:
  explicit Layout(const ExprGraph& graph) : graph_(graph) {}

  /// Places `symbol` at the next free slots, once.
  std::uint32_t Place(Expr symbol);

  [[nodiscard]] std::uint32_t SlotOf(Expr symbol) const;

  [[nodiscard]] bool Has(Expr symbol) const;

  /// Returns the slot and sign of a scalar, or of the first element of a slice,
  /// after alias elimination.
  [[nodiscard]] Reference PlaceOf(const System& system,
                                  std::uint32_t scalar) const;

  /// Likewise for an element of the scalar's symbol that the scalar contains.
  [[nodiscard]] Reference PlaceOf(const System& system,
                                  std::uint32_t scalar,
                                  std::uint32_t element) const;

  [[nodiscard]] std::uint32_t num_slots() const noexcept { return next_; }

  /// By symbol ordinal, as the tape wants it.
  [[nodiscard]] std::vector<std::uint32_t> Slots() const;

 private:
  const ExprGraph& graph_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t next_ = 0;
};

/// Finds the slots of constant and of varying quantities. Call when the rest of
/// the program is complete: a slot whose initial value is still NaN is in no
/// list.
void FindSlotsOfVariables(Program& program);

}  // namespace orrery::compile::internal
