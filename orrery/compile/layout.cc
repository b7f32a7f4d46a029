#include "orrery/base/error.h"
#include "orrery/compile/internal/emit.h"

namespace orrery::internal {

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

std::vector<std::uint32_t> Layout::Slots() const {
  std::vector<std::uint32_t> slots = slots_;
  slots.resize(graph_.num_symbols(), TapeBuilder::kNoSlot);
  return slots;
}

std::size_t SectionWriter::Add(std::vector<TapeAssignment> assignments,
                               std::vector<ScheduledEquation> equations) {
  sections_.push_back(std::move(assignments));
  program_.section_equations.push_back(std::move(equations));
  return sections_.size() - 1;
}

void SectionWriter::Finish(const Layout& layout) {
  TapeBuilder builder(system_.graph, layout.Slots(), layout.num_slots());
  for (const auto& section : sections_) {
    builder.AddSection(section);
  }
  program_.tape = std::make_shared<const Tape>(std::move(builder).Finish());
}

}  // namespace orrery::internal
