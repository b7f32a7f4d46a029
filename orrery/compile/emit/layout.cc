#include "orrery/compile/emit/layout.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/tape_builder.h"

namespace orrery::compile::internal {

std::uint32_t Layout::Place(Expr symbol) {
  const std::uint32_t ordinal = graph_.SymbolOrdinal(symbol);
  if (ordinal >= slots_.size()) {
    slots_.resize(graph_.num_symbols(), TapeBuilder::kNoSlot);
  }
  if (slots_[ordinal] == TapeBuilder::kNoSlot) {
    slots_[ordinal] = next_;
    next_ += static_cast<std::uint32_t>(NumElements(symbol.shape()));
  }
  return slots_[ordinal];
}

bool Layout::Has(Expr symbol) const {
  const std::uint32_t ordinal = graph_.SymbolOrdinal(symbol);
  return ordinal < slots_.size() && slots_[ordinal] != TapeBuilder::kNoSlot;
}

std::uint32_t Layout::SlotOf(Expr symbol) const {
  ORRERY_CHECK(Has(symbol));
  return slots_[graph_.SymbolOrdinal(symbol)];
}

Reference Layout::PlaceOf(const System& system, std::uint32_t scalar) const {
  const Alias alias = system.aliases[scalar];
  const Scalar& kept = system.scalars[alias.scalar];
  return {.slot = SlotOf(kept.symbol) + kept.element,
          .sign = alias.sign > 0 ? 1.0F : -1.0F};
}

Reference Layout::PlaceOf(const System& system,
                          std::uint32_t scalar,
                          std::uint32_t element) const {
  Reference place = PlaceOf(system, scalar);
  place.slot += element - system.scalars[scalar].element;
  return place;
}

std::vector<std::uint32_t> Layout::Slots() const {
  std::vector<std::uint32_t> slots = slots_;
  slots.resize(graph_.num_symbols(), TapeBuilder::kNoSlot);
  return slots;
}

namespace {

// Returns the ranges of adjacent marked slots.
std::vector<SlotRange> RangesOf(const std::vector<bool>& is_marked) {
  std::vector<SlotRange> ranges;
  for (std::uint32_t slot = 0; slot < is_marked.size(); ++slot) {
    if (!is_marked[slot]) {
      continue;
    }
    if (slot == 0 || !is_marked[slot - 1]) {
      ranges.push_back({.begin = slot});
    }
    ranges.back().end = slot + 1;
  }
  return ranges;
}

}  // namespace

void FindSlotsOfVariables(Program& program) {
  std::vector<bool> is_constant(program.initial_memory.size());
  std::vector<bool> varies(program.initial_memory.size());
  for (const ProgramVariable& variable : program.variables) {
    const auto references =
        std::span(program.references)
            .subspan(variable.first_reference,
                     static_cast<std::size_t>(NumElements(variable.shape)));
    for (const Reference& at : references) {
      if (variable.kind <= VariableKind::kParameter) {
        is_constant[at.slot] = true;
      } else if (!std::isnan(program.initial_memory[at.slot])) {
        varies[at.slot] = true;
      }
    }
    program.has_integers =
        program.has_integers || variable.type == ValueType::kInteger;
  }
  program.constant_slots = RangesOf(is_constant);
  program.varying_slots = RangesOf(varies);
}

}  // namespace orrery::compile::internal
