#include "orrery/model/lower.h"

#include <optional>
#include <string>
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
    std::size_t parts;   ///< Of a diagram: its parts' places in first_of_part_.
  };

  void Collect();
  void Enter(Block& block, std::string prefix);
  void FindSources();
  void DeclareQuantities();
  [[nodiscard]] std::size_t SymbolAt(const Visit& visit,
                                     const Diagram::End& end) const;
  void DeclareQuantity(const Visit& visit, std::size_t index);
  void DeclareEvents(const Visit& visit);
  void DeclareClock(const Visit& visit, std::size_t index);
  void DeclareEvent(const Visit& visit, std::size_t index);
  Expr AddTruth(const std::string& name, bool at_start);
  void HoldBetweenEvents(Expr symbol);
  void SetRole(Variable& variable, const Visit& visit, std::size_t index);
  void Trace(const Visit& visit);
  void Connect(const Visit& visit, const Diagram& diagram);
  [[nodiscard]] std::string PathOf(const Variable& variable) const;
  [[nodiscard]] Expr Formula(const Declaration& quantity);
  [[nodiscard]] Expr Formula(std::optional<double> number);

  Block& top_;
  FlatModel flat_;
  std::vector<Visit> visits_;
  std::vector<std::size_t> first_of_part_;  // The parts' first symbols.
  std::size_t num_symbols_ = 0;
  std::vector<bool> has_source_;  // By symbol: whether a wire ends there.
  std::vector<Expr> symbols_;     // Of all quantities.
  EventTable events_;
  Diagnostics diagnostics_;
};

FlatModel Lowering::Run() {
  flat_.name = top_.name();
  Collect();
  FindSources();
  DeclareQuantities();
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

// A diagram before its parts, a part and all in it before the next part.
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
  has_source_.resize(num_symbols_);
  std::size_t num_wires = 0;
  for (const Visit& visit : visits_) {
    if (const Diagram* const diagram = visit.block->AsDiagram()) {
      num_wires += diagram->wires().size();
      for (const Diagram::Wire& wire : diagram->wires()) {
        has_source_[SymbolAt(visit, wire.to)] = true;
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
    DeclareEvents(visit);
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
  std::vector<Expr> iterators;
  for (const std::int64_t extent : symbol.shape()) {
    iterators.push_back(
        graph.Iterator("i" + std::to_string(iterators.size() + 1),
                       {.start = 1, .step = 1, .count = extent}));
  }
  const Expr element =
      iterators.empty() ? symbol : graph.Index(symbol, iterators);
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

// A discrete quantity that is not shown.
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
  const bool has_source = has_source_[visit.first + index];
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
      if (visit.block->AsDiagram() != nullptr && !has_source) {
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
  } else if (!has_source) {
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

void Lowering::Trace(const Visit& visit) {
  const std::span<const Expr> symbols = std::span(symbols_).subspan(
      visit.first, visit.block->quantities().size());
  std::string path = visit.prefix.empty()
                         ? ""
                         : visit.prefix.substr(0, visit.prefix.size() - 1);
  EquationSet equations(*visit.block, symbols, std::move(path), events_, flat_);
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
  for (const auto& [from, to] : diagram.wires()) {
    flat_.connections.push_back(
        {.a = {.variable = symbols_[SymbolAt(visit, from)],
               .is_outside = from.part == Diagram::End::kSelf},
         .b = {.variable = symbols_[SymbolAt(visit, to)],
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
