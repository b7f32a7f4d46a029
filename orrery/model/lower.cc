#include "orrery/model/lower.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/model/diagram.h"
#include "orrery/model/internal/flat_import.h"
#include "orrery/model/names.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery {

namespace internal = model::internal;

namespace {

/// Lowers one model. Visits blocks in the order of declaration, a diagram
/// before its parts. Makes all symbols first, then equations and connections.
class Lowering {
 public:
  explicit Lowering(Block& top) : top_(top) {}

  FlatModel Run();

 private:
  struct Visit {
    Block* block;
    std::string prefix;  ///< Begin of its quantities' names: "" or "a.b.".
    std::size_t first;   ///< Its first symbol.
    std::size_t parts;   ///< For a diagram: its parts' begin in first_of_part_.
  };

  // The path of the visited block in the model.
  static std::string PathOf(const Visit& visit) {
    return visit.prefix.substr(
        0, visit.prefix.size() - (visit.prefix.empty() ? 0 : 1));
  }

  void Collect();
  void Enter(Block& block, std::string prefix);
  void FindSources();
  void DeclareQuantities();
  [[nodiscard]] std::size_t SymbolAt(const Visit& visit,
                                     const Diagram::End& end) const;
  void DeclareQuantity(const Visit& visit, std::size_t index);
  void DeclarePart(const Visit& visit, const FlatModel& part);
  void OverrideBy(const Declaration& quantity, Variable& variable);
  void DeclareEvents(const Visit& visit);
  void DeclareClock(const Visit& visit, std::size_t index);
  void DeclareEvent(const Visit& visit, std::size_t index);
  Expr AddTruth(const std::string& name, bool at_start);
  void HoldBetweenEvents(Expr symbol);
  void SetRole(Variable& variable, const Visit& visit, std::size_t index);
  void SetInputRole(Variable& variable, const Visit& visit, std::size_t index);
  void Trace(const Visit& visit);
  void Connect(const Visit& visit, const Diagram& diagram);
  void ReportOpen(const Visit& visit,
                  std::size_t index,
                  const std::string& what,
                  const std::string& hint);
  [[nodiscard]] Expr ElementAt(const Visit& visit,
                               const Diagram& diagram,
                               const Diagram::End& end) const;
  [[nodiscard]] Expr Formula(const Declaration& quantity);
  [[nodiscard]] Expr Formula(std::optional<double> number);

  Block& top_;
  FlatModel flat_;
  std::vector<Visit> visits_;
  std::vector<std::size_t> first_of_part_;  // The parts' first symbols.
  std::size_t num_symbols_ = 0;
  std::vector<std::int64_t> sources_;  // By symbol: number of elements with
                                       // one.
  std::vector<Expr> symbols_;          // By quantity.
  std::deque<internal::FlatImport> parts_;  // By visit of a flat model.
  EventTable events_;
  Diagnostics diagnostics_;
};

FlatModel Lowering::Run() {
  flat_.name = top_.name();
  Collect();
  FindSources();
  DeclareQuantities();
  auto part = parts_.begin();
  for (const Visit& visit : visits_) {
    if (const Diagram* const diagram = visit.block->AsDiagram()) {
      Connect(visit, *diagram);
    } else if (visit.block->AsFlatModel() != nullptr) {
      part->AddRest();
      ++part;
    } else {
      Trace(visit);
    }
  }
  diagnostics_.ThrowIfErrors();
  return std::move(flat_);
}

// Visits a diagram before its parts, and a part with its contents before the
// next part.
void Lowering::Collect() {
  struct Frame {
    std::size_t visit;
    std::size_t next = 0;  // Part.
  };

  std::vector<Frame> open;
  const auto enter = [&](Block& block, std::string prefix) {
    Enter(block, std::move(prefix));
    if (block.AsDiagram() != nullptr) {
      open.push_back({.visit = visits_.size() - 1});
    }
  };
  enter(top_, "");
  while (!open.empty()) {
    const Visit& visit = visits_[open.back().visit];
    const auto parts = visit.block->AsDiagram()->children();
    const std::size_t next = open.back().next++;
    if (next == parts.size()) {
      open.pop_back();
      continue;
    }
    first_of_part_[visit.parts + next] = num_symbols_;
    enter(*parts[next], visit.prefix + parts[next]->name() + ".");
  }
}

void Lowering::Enter(Block& block, std::string prefix) {
  visits_.push_back({.block = &block,
                     .prefix = std::move(prefix),
                     .first = num_symbols_,
                     .parts = first_of_part_.size()});
  num_symbols_ += block.quantities().size();
  if (const Diagram* const diagram = block.AsDiagram()) {
    first_of_part_.resize(first_of_part_.size() + diagram->children().size());
  }
}

std::size_t Lowering::SymbolAt(const Visit& visit,
                               const Diagram::End& end) const {
  return end.quantity + (end.part == Diagram::End::kSelf
                             ? visit.first
                             : first_of_part_[visit.parts + end.part]);
}

void Lowering::FindSources() {
  sources_.resize(num_symbols_);
  std::size_t num_wires = 0;
  for (const Visit& visit : visits_) {
    if (const Diagram* const diagram = visit.block->AsDiagram()) {
      num_wires += diagram->wires().size();
      for (const Diagram::Wire& wire : diagram->wires()) {
        const Declaration& target =
            diagram->BlockAt(wire.to).quantities()[wire.to.quantity];
        sources_[SymbolAt(visit, wire.to)] +=
            wire.to.element == Diagram::End::kWhole ? NumElements(target.shape)
                                                    : 1;
      }
    }
  }
  flat_.connections.reserve(num_wires);
}

void Lowering::DeclareQuantities() {
  symbols_.reserve(num_symbols_);
  flat_.variables.reserve(num_symbols_);
  std::size_t num_unknowns = 0;
  for (const Visit& visit : visits_) {
    if (const FlatModel* const part = visit.block->AsFlatModel()) {
      DeclarePart(visit, *part);
      num_unknowns += part->equations.size();
      continue;
    }
    const auto quantities = visit.block->quantities();
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      DeclareQuantity(visit, i);
      const QuantityKind kind = quantities[i].kind;
      num_unknowns +=
          kind != QuantityKind::kParameter && kind != QuantityKind::kInput ? 1U
                                                                           : 0U;
    }
  }
  flat_.equations.reserve(num_unknowns);
  for (const Visit& visit : visits_) {
    if (visit.block->AsFlatModel() == nullptr) {
      DeclareEvents(visit);
    }
  }
}

void Lowering::DeclareEvents(const Visit& visit) {
  const auto quantities = visit.block->quantities();
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    switch (quantities[i].kind) {
      case QuantityKind::kDiscrete:
        HoldBetweenEvents(symbols_[visit.first + i]);
        break;
      case QuantityKind::kEvent:
        DeclareEvent(visit, i);
        break;
      case QuantityKind::kClock:
        DeclareClock(visit, i);
        break;
      default:
        break;
    }
  }
}

// v = pre(v), for each element.
void Lowering::HoldBetweenEvents(Expr symbol) {
  ExprGraph& graph = *flat_.graph;
  std::vector<Expr> iterators = MakeIterators(graph, symbol.shape());
  const Expr element = AtIterators(symbol, iterators);
  flat_.equations.push_back({.left = element,
                             .right = graph.Pre(element),
                             .iterators = std::move(iterators)});
}

void Lowering::DeclareClock(const Visit& visit, std::size_t index) {
  const EventTraits& traits = visit.block->TraitsOf(index);
  const std::string name = visit.prefix + visit.block->quantities()[index].name;
  const Expr pulse = flat_.graph->Symbol(
      {.name = name + ".tick", .type = ValueType::kBoolean});
  flat_.clocks.push_back({.pulse = pulse,
                          .start = flat_.graph->Constant(traits.offset),
                          .interval = symbols_[visit.first + index],
                          .times = traits.times,
                          .name = name});
  events_[{visit.block, index}].condition = pulse;
}

void Lowering::DeclareEvent(const Visit& visit, std::size_t index) {
  ExprGraph& graph = *flat_.graph;
  const Direction direction = visit.block->TraitsOf(index).direction;
  const std::string name = visit.prefix + visit.block->quantities()[index].name;
  EventFormulas& event = events_[{visit.block, index}];
  event.condition = graph.Boolean(false);
  const auto add = [&](Expr before, Expr now) {
    event.condition = graph.Binary(
        Op::kOr,
        event.condition,
        graph.Binary(Op::kAnd, graph.Unary(Op::kNot, before), now));
  };
  if (direction != Direction::kFalling) {
    const Expr truth = AddTruth(name + ".has_risen", false);
    add(graph.Pre(truth), truth);
    flat_.events.push_back({.name = name, .truth = truth, .is_rising = true});
    event.has_risen = truth;
  }
  if (direction != Direction::kRising) {
    const Expr truth = AddTruth(name + ".has_not_fallen", true);
    add(truth, graph.Pre(truth));
    flat_.events.push_back({.name = name, .truth = truth, .is_rising = false});
    event.has_not_fallen = truth;
  }
}

// Adds a hidden discrete quantity.
Expr Lowering::AddTruth(const std::string& name, bool at_start) {
  Variable variable;
  variable.symbol =
      flat_.graph->Symbol({.name = name, .type = ValueType::kBoolean});
  variable.variability = Variability::kDiscrete;
  variable.start = flat_.graph->Boolean(at_start);
  variable.fixed = true;
  variable.is_protected = true;
  flat_.variables.push_back(variable);
  return variable.symbol;
}

void Lowering::DeclareQuantity(const Visit& visit, std::size_t index) {
  const Declaration& quantity = visit.block->quantities()[index];
  Variable variable;
  variable.symbol = flat_.graph->Symbol({.name = visit.prefix + quantity.name,
                                         .type = quantity.attributes->type,
                                         .shape = quantity.shape});
  const Attributes& attributes = *quantity.attributes;
  if (!attributes.unit.empty() || !attributes.description.empty()) {
    variable.notes.Edit() = {.unit = attributes.unit,
                             .display_unit = {},
                             .description = attributes.description,
                             .span = {},
                             .enumeration = nullptr};
  }
  variable.is_protected = attributes.is_protected;
  variable.min = Formula(attributes.min);
  variable.max = Formula(attributes.max);
  variable.nominal = Formula(attributes.nominal);
  SetRole(variable, visit, index);
  symbols_.push_back(variable.symbol);
  flat_.variables.push_back(std::move(variable));
}

// Adds the variables of an already flat model, including those that are not
// quantities, in place of the block's quantities.
void Lowering::DeclarePart(const Visit& visit, const FlatModel& part) {
  const auto quantities = visit.block->quantities();
  std::unordered_map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    index_of.emplace(quantities[i].name, i);
  }
  internal::FlatImport& import =
      parts_.emplace_back(part, PathOf(visit), flat_);
  symbols_.resize(symbols_.size() + quantities.size());
  for (const Variable& from : part.variables) {
    Variable variable = import.VariableOf(from);
    const auto found = index_of.find(part.graph->NameOf(from.symbol));
    if (found != index_of.end()) {
      symbols_[visit.first + found->second] = variable.symbol;
      OverrideBy(quantities[found->second], variable);
      if (variable.causality == Causality::kInput) {
        SetInputRole(variable, visit, found->second);
      }
    }
    if (visit.block != &top_ || found == index_of.end()) {
      variable.causality = Causality::kLocal;
    }
    flat_.variables.push_back(std::move(variable));
  }
  if (visit.block == &top_) {
    flat_.experiment = part.experiment;
  }
}

// Replaces the model's own value by the value given to the quantity.
void Lowering::OverrideBy(const Declaration& quantity, Variable& variable) {
  if (quantity.has_formula) {
    return;
  }
  if (quantity.kind == QuantityKind::kParameter) {
    variable.binding = Formula(quantity);
  } else if (quantity.kind != QuantityKind::kInput &&
             quantity.kind != QuantityKind::kOutput) {
    variable.start = Formula(quantity);
  }
}

void Lowering::SetRole(Variable& variable,
                       const Visit& visit,
                       std::size_t index) {
  const Declaration& quantity = visit.block->quantities()[index];
  const Attributes& attributes = *quantity.attributes;
  const bool is_top = visit.block == &top_;
  switch (quantity.kind) {
    case QuantityKind::kParameter:
    case QuantityKind::kClock:
      variable.variability = Variability::kParameter;
      variable.binding = Formula(quantity);
      return;
    case QuantityKind::kState:
      variable.start = Formula(quantity);
      variable.fixed = attributes.fixed.value_or(true);
      return;
    case QuantityKind::kDiscrete:
      variable.variability = Variability::kDiscrete;
      variable.start = Formula(quantity);
      variable.fixed = attributes.fixed.value_or(true);
      return;
    case QuantityKind::kEvent:
      return;
    case QuantityKind::kLocal:
      variable.start = Formula(quantity);
      variable.fixed = attributes.fixed;
      return;
    case QuantityKind::kOutput:
      variable.causality = is_top ? Causality::kOutput : Causality::kLocal;
      if (visit.block->AsDiagram() != nullptr &&
          sources_[visit.first + index] < NumElements(quantity.shape)) {
        ReportOpen(visit, index, "output", "connect an output of a part to it");
      }
      return;
    case QuantityKind::kInput:
      variable.binding = Formula(attributes.default_value);
      SetInputRole(variable, visit, index);
      return;
  }
}

// The binding of an input is its default.
void Lowering::SetInputRole(Variable& variable,
                            const Visit& visit,
                            std::size_t index) {
  const std::int64_t sources = sources_[visit.first + index];
  variable.is_input = true;
  const Expr start = variable.start;
  if (visit.block == &top_) {
    variable.causality = Causality::kInput;
    variable.binding = variable.binding ? variable.binding : start;
  } else if (sources == 0 && variable.binding) {
    variable.variability = Variability::kParameter;
  } else {
    if (sources < NumElements(visit.block->quantities()[index].shape)) {
      const std::string name = visit.block->quantities()[index].name;
      ReportOpen(visit,
                 index,
                 "input",
                 start ? "connect it, as by d.Connect(source, " +
                             visit.block->name() + "[\"" + name +
                             "\"]); its start value is " + ToText(start)
                       : "connect it or give it a default_value");
    }
    variable.binding = {};
  }
}

// Reports that a port, or its first element without a source, has no source.
void Lowering::ReportOpen(const Visit& visit,
                          std::size_t index,
                          const std::string& what,
                          const std::string& hint) {
  const Declaration& port = visit.block->quantities()[index];
  const std::string path = visit.block->path() + ".";
  const bool is_input = port.kind == QuantityKind::kInput;
  const std::string finding = is_input ? " is not connected" : " has no source";
  if (sources_[visit.first + index] == 0) {
    diagnostics_.Add({.message = "the " + what + finding,
                      .hint = hint,
                      .path = path + port.name});
    return;
  }
  const Diagram& diagram =
      is_input ? *visit.block->parent() : *visit.block->AsDiagram();
  Diagram::End end{
      .part = is_input ? static_cast<std::uint32_t>(visit.block->position())
                       : Diagram::End::kSelf,
      .quantity = static_cast<std::uint32_t>(index),
      .element = 0};
  while (diagram.WireTo(end) != nullptr) {
    ++end.element;
  }
  diagnostics_.Add({.message = "this element of the " + what + finding,
                    .hint = "connect all elements of it",
                    .path = path + ElementName(port.name,
                                               internal::SubscriptsOf(
                                                   port.shape, end.element))});
}

void Lowering::Trace(const Visit& visit) {
  const std::span<const Expr> symbols = std::span(symbols_).subspan(
      visit.first, visit.block->quantities().size());
  EquationSet equations(*visit.block, symbols, PathOf(visit), events_, flat_);
  try {
    visit.block->Trace(symbols, equations);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) {
      throw;
    }
    equations.Report(error.what(), diagnostics_);
    return;
  }
  equations.Check(diagnostics_);
}

void Lowering::Connect(const Visit& visit, const Diagram& diagram) {
  const SharedText path = PathOf(visit);
  for (const auto& [from, to] : diagram.wires()) {
    flat_.connections.push_back(
        {.a = {.variable = ElementAt(visit, diagram, from),
               .is_outside = from.part == Diagram::End::kSelf},
         .b = {.variable = ElementAt(visit, diagram, to),
               .is_outside = to.part == Diagram::End::kSelf},
         .path = path});
  }
}

Expr Lowering::ElementAt(const Visit& visit,
                         const Diagram& diagram,
                         const Diagram::End& end) const {
  const Expr symbol = symbols_[SymbolAt(visit, end)];
  if (end.element == Diagram::End::kWhole) {
    return symbol;
  }
  const Declaration& port = diagram.BlockAt(end).quantities()[end.quantity];
  std::vector<Expr> subscripts;
  for (const std::int64_t number :
       internal::SubscriptsOf(port.shape, end.element)) {
    subscripts.push_back(flat_.graph->Constant(static_cast<double>(number),
                                               ValueType::kInteger));
  }
  return flat_.graph->Index(symbol, subscripts);
}

Expr Lowering::Formula(const Declaration& quantity) {
  if (quantity.values.size() == 1) {
    return flat_.graph->Constant(quantity.values.front(),
                                 quantity.attributes->type);
  }
  return flat_.graph->ArrayConstant(
      quantity.values, quantity.shape, quantity.attributes->type);
}

Expr Lowering::Formula(std::optional<double> number) {
  return number ? flat_.graph->Constant(*number) : Expr{};
}

}  // namespace

FlatModel Lower(Block& top) {
  return Lowering(top).Run();
}

}  // namespace orrery
