#include "orrery/model/lower.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/model/diagram.h"

namespace orrery {
namespace {

/// One lowering. Blocks are met in the order of declaration, a diagram before
/// its parts; their symbols are made first, equations and connections then.
class Lowering {
 public:
  explicit Lowering(Block& top) : top_(top) {}

  FlatModel Run();

 private:
  struct Visit {
    Block* block;
    std::string prefix;  ///< Of its quantities' names: "" or "a.b.".
    std::size_t first;   ///< Of its symbols.
  };

  void Collect();
  void DeclareQuantities(Visit& visit);
  void DeclareQuantity(const Visit& visit, std::size_t index);
  void SetRole(Variable& variable, const Visit& visit, std::size_t index);
  [[nodiscard]] bool HasSource(const Block& block, std::size_t index) const;
  void Trace(const Visit& visit);
  void Connect(const Visit& visit, const Diagram& diagram);
  [[nodiscard]] std::string PathOf(const Variable& variable) const;
  [[nodiscard]] Expr Formula(const Declaration& quantity);
  [[nodiscard]] Expr Formula(std::optional<double> number);

  Block& top_;
  FlatModel flat_;
  std::vector<Visit> visits_;
  std::unordered_map<const Block*, std::size_t> first_symbol_;
  std::vector<Expr> symbols_;  // Of flat_.variables.
  Diagnostics diagnostics_;
};

FlatModel Lowering::Run() {
  flat_.name = top_.name();
  Collect();
  for (const Visit& visit : visits_) {
    if (const Diagram* const diagram = visit.block->AsDiagram()) {
      Connect(visit, *diagram);
    } else {
      Trace(visit);
    }
  }
  diagnostics_.ThrowIfErrors();
  return std::move(flat_);
}

void Lowering::Collect() {
  std::vector<Visit> pending;  // Next one last.
  pending.push_back({.block = &top_, .prefix = "", .first = 0});
  while (!pending.empty()) {
    Visit visit = std::move(pending.back());
    pending.pop_back();
    DeclareQuantities(visit);
    if (const Diagram* const diagram = visit.block->AsDiagram()) {
      const auto children = diagram->children();
      for (std::size_t i = children.size(); i-- > 0;) {
        pending.push_back({.block = children[i].get(),
                           .prefix = visit.prefix + children[i]->name() + ".",
                           .first = 0});
      }
    }
    visits_.push_back(std::move(visit));
  }
}

void Lowering::DeclareQuantities(Visit& visit) {
  visit.first = symbols_.size();
  first_symbol_.emplace(visit.block, visit.first);
  for (std::size_t i = 0; i < visit.block->quantities().size(); ++i) {
    DeclareQuantity(visit, i);
  }
}

void Lowering::DeclareQuantity(const Visit& visit, std::size_t index) {
  const Declaration& quantity = visit.block->quantities()[index];
  Variable variable;
  variable.symbol = flat_.graph->Symbol(
      {.name = visit.prefix + quantity.name, .shape = quantity.shape});
  const Attributes& attributes = quantity.attributes;
  variable.unit = attributes.unit;
  variable.description = attributes.description;
  variable.is_protected = attributes.is_protected;
  variable.min = Formula(attributes.min);
  variable.max = Formula(attributes.max);
  variable.nominal = Formula(attributes.nominal);
  SetRole(variable, visit, index);
  symbols_.push_back(variable.symbol);
  flat_.variables.push_back(std::move(variable));
}

void Lowering::SetRole(Variable& variable,
                       const Visit& visit,
                       std::size_t index) {
  const Declaration& quantity = visit.block->quantities()[index];
  const Attributes& attributes = quantity.attributes;
  const bool is_top = visit.block == &top_;
  switch (quantity.kind) {
    case QuantityKind::kParameter:
      variable.variability = Variability::kParameter;
      variable.binding = Formula(quantity);
      return;
    case QuantityKind::kState:
      variable.start = Formula(quantity);
      variable.fixed = attributes.fixed.value_or(true);
      return;
    case QuantityKind::kLocal:
      variable.start = Formula(quantity);
      variable.fixed = attributes.fixed;
      return;
    case QuantityKind::kOutput:
      variable.causality = is_top ? Causality::kOutput : Causality::kLocal;
      if (visit.block->AsDiagram() != nullptr &&
          visit.block->AsDiagram()->WireTo(
              {.quantity = static_cast<std::uint32_t>(index)}) == nullptr) {
        diagnostics_.Add({.message = "the output has no source",
                          .hint = "connect an output of a part to it",
                          .path = PathOf(variable)});
      }
      return;
    case QuantityKind::kInput:
      break;
  }
  variable.binding = Formula(attributes.default_value);
  if (is_top) {
    variable.causality = Causality::kInput;
  } else if (!HasSource(*visit.block, index)) {
    variable.variability = Variability::kParameter;
    if (!variable.binding) {
      diagnostics_.Add({.message = "the input is not connected",
                        .hint = "connect it or give it a default_value",
                        .path = PathOf(variable)});
    }
  } else {
    variable.binding = {};
  }
}

bool Lowering::HasSource(const Block& block, std::size_t index) const {
  return block.parent()->WireTo(
             {.part = static_cast<std::uint32_t>(block.position()),
              .quantity = static_cast<std::uint32_t>(index)}) != nullptr;
}

void Lowering::Trace(const Visit& visit) {
  const std::span<const Expr> symbols = std::span(symbols_).subspan(
      visit.first, visit.block->quantities().size());
  std::string path = visit.prefix.empty()
                         ? ""
                         : visit.prefix.substr(0, visit.prefix.size() - 1);
  EquationSet equations(*visit.block, symbols, std::move(path), flat_);
  try {
    visit.block->Trace(symbols, equations);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) {
      throw;
    }
    diagnostics_.Add({.message = error.what(), .path = visit.block->path()});
    return;
  }
  equations.Check(diagnostics_);
}

void Lowering::Connect(const Visit& visit, const Diagram& diagram) {
  const std::string path =
      visit.prefix.empty() ? ""
                           : visit.prefix.substr(0, visit.prefix.size() - 1);
  const auto place = [&](const Diagram::End& end) {
    return first_symbol_.at(&diagram.BlockAt(end)) + end.quantity;
  };
  for (const auto& [from, to] : diagram.wires()) {
    const std::size_t source = place(from);
    const std::size_t target = place(to);
    flat_.connections.push_back(
        {.a = {.variable = symbols_[source],
               .is_outside = from.part == Diagram::End::kSelf},
         .b = {.variable = symbols_[target],
               .is_outside = to.part == Diagram::End::kSelf},
         .path = path});
  }
}

std::string Lowering::PathOf(const Variable& variable) const {
  return top_.path() + "." + flat_.graph->InfoOf(variable.symbol).name;
}

Expr Lowering::Formula(const Declaration& quantity) {
  if (quantity.values.size() == 1) {
    return flat_.graph->Constant(quantity.values.front());
  }
  return flat_.graph->ArrayConstant(quantity.values, quantity.shape);
}

Expr Lowering::Formula(std::optional<double> number) {
  return number ? flat_.graph->Constant(*number) : Expr{};
}

}  // namespace

FlatModel Lower(Block& top) {
  return Lowering(top).Run();
}

}  // namespace orrery
