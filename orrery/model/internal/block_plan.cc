#include "orrery/model/internal/block_plan.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/block.h"
#include "orrery/model/diagram.h"
#include "orrery/model/internal/block_steps.h"
#include "orrery/model/lower.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/transform.h"

namespace orrery::model::internal {
namespace {

constexpr const char* kMustBeSolved =
    "its equations must be solved for their unknowns; compile the model to "
    "have them solved";

/// True if a formula depends on values before an event or at earlier times.
bool HasMemory(Expr formula) {
  if (!formula.Contains(Trait::kEvent)) {
    return false;
  }
  for (const std::uint32_t id : Reachable(std::span(&formula, 1))) {
    const Op op = formula.graph().At(id).op();
    if (op == Op::kPre || op == Op::kSample || op == Op::kDelay ||
        op == Op::kTransport) {
      return true;
    }
  }
  return false;
}

/// symbol := value; a scalar value is given to all elements of an array.
TapeAssignment Giving(Expr symbol, Expr value) {
  TapeAssignment result{.target = symbol, .value = value, .iterators = {}};
  if (value.is_scalar() && !symbol.is_scalar()) {
    for (const std::int64_t extent : Shape(symbol.shape())) {
      result.iterators.push_back(
          symbol.graph().Iterator("i", {.count = extent}));
    }
    result.target = symbol.graph().Index(symbol, result.iterators);
  }
  return result;
}

/// The full names of the events of the leaf blocks in `block`.
void AddEventNames(const Block& block,
                   const std::string& prefix,
                   std::vector<std::string>& names) {
  if (const Diagram* const diagram = block.AsDiagram()) {
    for (const auto& part : diagram->children()) {
      AddEventNames(*part, prefix + part->name() + ".", names);
    }
    return;
  }
  for (const Declaration& quantity : block.quantities()) {
    if (quantity.kind == QuantityKind::kEvent) {
      names.push_back(prefix + quantity.name);
    }
  }
}

class BlockPlanner {
 public:
  explicit BlockPlanner(Block& block)
      : flat_(Lower(block)), substitution_(*flat_.graph, {}) {
    plan_.path = block.path();
    AddEventNames(block, "", event_names_);
  }

  BlockPlan Make() &&;

 private:
  using Formulas = std::unordered_map<std::uint32_t, Expr>;  // By symbol.

  [[nodiscard]] std::uint32_t OrdinalOf(Expr symbol) const {
    return flat_.graph->SymbolOrdinal(symbol);
  }

  void MakeDerivatives();
  void SortVariables();
  void AddConnections();
  void AddStep(const Equation& equation);
  [[nodiscard]] std::vector<std::uint32_t> SymbolsIn(
      std::span<const Expr> formulas) const;
  void FindFeedthrough();
  void MakeTape();
  void AddGivenSection(TapeBuilder& builder);
  void PushNeeds(Expr formula,
                 const Formulas& formulas,
                 std::vector<std::uint32_t>& pending) const;
  std::size_t AddSection(TapeBuilder& builder,
                         std::span<const std::uint32_t> wanted);
  [[nodiscard]] std::vector<BlockSlots> SlotsOf(
      std::span<const std::uint32_t> symbols) const;

  BlockPlan plan_;
  FlatModel flat_;
  Substitution substitution_;
  std::vector<std::uint32_t> states_;  // Ordinals of symbols.
  std::vector<std::uint32_t> derivatives_;
  std::vector<std::uint32_t> inputs_;
  std::vector<std::uint32_t> outputs_;
  std::vector<std::string> event_names_;
  std::vector<std::uint32_t> events_;
  std::vector<bool> is_discrete_;
  std::optional<BlockSteps> steps_;        // Set once all symbols are made.
  std::vector<std::uint32_t> first_slot_;  // By symbol.
};

BlockPlan BlockPlanner::Make() && {
  MakeDerivatives();
  steps_.emplace(*flat_.graph);
  SortVariables();
  for (const Equation& equation : flat_.equations) {
    AddStep(equation);
  }
  AddConnections();
  FindFeedthrough();
  if (plan_.unsolved.empty()) {
    plan_.unsolved = steps_->Sort();
  }
  if (plan_.unsolved.empty()) {
    MakeTape();
  }
  return std::move(plan_);
}

/// Gives each state a symbol for its derivative.
void BlockPlanner::MakeDerivatives() {
  std::vector<Expr> formulas;
  for (const Equation& equation : flat_.equations) {
    formulas.push_back(equation.left);
    formulas.push_back(equation.right);
  }
  ExprGraph& graph = *flat_.graph;
  std::vector<std::uint32_t> derivative_of(graph.num_symbols());
  std::vector<std::pair<Expr, Expr>> replaced;
  std::vector<Expr> states;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node = graph.At(id);
    if (node.op() == Op::kNoEvent) {
      substitution_.Add(node, substitution_.Apply(node.operand(0)));
    }
    const Expr state = SymbolIn(node);
    if (node.op() != Op::kDer) {
      continue;
    }
    if (state.op() != Op::kSymbol) {
      plan_.unsolved = kMustBeSolved;
      continue;
    }
    std::uint32_t& derivative = derivative_of[OrdinalOf(state)];
    if (derivative == 0) {
      const std::string name = "der(" + graph.NameOf(state) + ")";
      derivative = OrdinalOf(
          graph.Symbol({.name = name, .shape = Shape(state.shape())}));
    }
    Expr target = graph.SymbolAt(derivative);
    const Expr element = node.operand(0);
    if (element.op() == Op::kIndex) {
      std::vector<Expr> subscripts;
      for (std::size_t i = 1; i < element.num_operands(); ++i) {
        subscripts.push_back(element.operand(i));
      }
      target = graph.Index(target, subscripts);
    }
    substitution_.Add(node, target);
  }
  for (const Variable& variable : flat_.variables) {
    const std::uint32_t ordinal = OrdinalOf(variable.symbol);
    if (derivative_of[ordinal] != 0) {
      states_.push_back(ordinal);
      derivatives_.push_back(derivative_of[ordinal]);
    }
  }
}

void BlockPlanner::SortVariables() {
  is_discrete_.resize(flat_.graph->num_symbols());
  std::unordered_map<std::string, std::uint32_t> events;
  for (const std::string& name : event_names_) {
    events.emplace(name, 0);
  }
  for (const Variable& variable : flat_.variables) {
    const std::uint32_t ordinal = OrdinalOf(variable.symbol);
    steps_->SetUnknown(ordinal,
                       variable.variability == Variability::kContinuous &&
                           variable.causality != Causality::kInput);
    is_discrete_[ordinal] = variable.variability == Variability::kDiscrete;
    if (const auto event = events.find(flat_.graph->NameOf(variable.symbol));
        event != events.end()) {
      event->second = ordinal;
    }
    if (variable.causality == Causality::kInput) {
      inputs_.push_back(ordinal);
    } else if (variable.causality == Causality::kOutput) {
      outputs_.push_back(ordinal);
    }
  }
  for (const std::string& name : event_names_) {
    events_.push_back(events.at(name));
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    steps_->SetUnknown(states_[i], false);
    steps_->SetUnknown(derivatives_[i], true);
  }
}

std::vector<std::uint32_t> BlockPlanner::SymbolsIn(
    std::span<const Expr> formulas) const {
  std::vector<std::uint32_t> symbols;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node = flat_.graph->At(id);
    if (node.op() == Op::kSymbol) {
      symbols.push_back(OrdinalOf(node));
    }
  }
  return symbols;
}

/// Adds each connection, from its source to its target; either may be written
/// first.
void BlockPlanner::AddConnections() {
  std::vector<bool> is_input(flat_.graph->num_symbols());
  for (const Variable& variable : flat_.variables) {
    is_input[OrdinalOf(variable.symbol)] = variable.is_input;
  }
  const auto is_target = [&](const Connection::End& end) {
    return is_input[OrdinalOf(SymbolIn(end.variable))] != end.is_outside;
  };
  for (const Connection& connection : flat_.connections) {
    const bool is_reversed = is_target(connection.a);
    if (is_reversed == is_target(connection.b)) {
      plan_.unsolved =
          "its connections have no direction; compile the model to have it "
          "solved";
    }
    steps_->Add((is_reversed ? connection.a : connection.b).variable,
                (is_reversed ? connection.b : connection.a).variable,
                connection.iterators);
  }
}

void BlockPlanner::AddStep(const Equation& equation) {
  const Expr left = substitution_.Apply(equation.left);
  const Expr right = substitution_.Apply(equation.right);
  const Expr symbol = SymbolIn(left);
  const bool has_memory = HasMemory(left) || HasMemory(right);
  if (symbol.op() == Op::kSymbol && is_discrete_[OrdinalOf(symbol)]) {
    if (has_memory) {
      return;  // It keeps its value between events.
    }
    steps_->SetUnknown(OrdinalOf(symbol), true);
  }
  if (has_memory) {
    plan_.unsolved =
        "its equations depend on the past; compile the model and run it";
  }
  if (symbol.op() == Op::kSymbol && steps_->IsUnknown(OrdinalOf(symbol))) {
    steps_->Add(left, right, equation.iterators);
    return;
  }
  steps_->AddImplicit(left);
  steps_->AddImplicit(right);
  plan_.unsolved = kMustBeSolved;
}

void BlockPlanner::FindFeedthrough() {
  const auto size_of = [this](std::uint32_t symbol) {
    return static_cast<std::uint32_t>(
        NumElements(flat_.graph->SymbolAt(symbol).shape()));
  };
  std::vector<std::uint32_t> nodes_of_inputs;  // By element.
  for (const std::uint32_t input : inputs_) {
    for (std::uint32_t i = 0; i < size_of(input); ++i) {
      nodes_of_inputs.push_back(steps_->NodeOf(input, i));
    }
  }
  const auto inputs_of = [&](std::uint32_t node) {
    const std::vector<bool> met = steps_->Ancestors(std::span(&node, 1));
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < nodes_of_inputs.size(); ++i) {
      if (met[nodes_of_inputs[i]]) {
        found.push_back(i);
      }
    }
    return found;
  };
  std::set<std::size_t> fed_through;
  for (const std::uint32_t output : outputs_) {
    const std::uint32_t count = steps_->NumNodes(output);
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto found = inputs_of(steps_->NodeOf(output, k));
      fed_through.insert(found.begin(), found.end());
      plan_.feedthrough_of.insert(
          plan_.feedthrough_of.end(), size_of(output) / count, found);
    }
  }
  plan_.feedthrough.assign(fed_through.begin(), fed_through.end());
}

void BlockPlanner::MakeTape() {
  ExprGraph& graph = *flat_.graph;
  std::uint32_t size = 0;
  for (std::uint32_t i = 0; i < graph.num_symbols(); ++i) {
    first_slot_.push_back(size);
    size += static_cast<std::uint32_t>(NumElements(graph.SymbolAt(i).shape()));
  }
  TapeBuilder builder(graph, first_slot_, size);
  ORRERY_CHECK(AddSection(builder, outputs_) == BlockPlan::kOutputSection);
  ORRERY_CHECK(AddSection(builder, derivatives_) ==
               BlockPlan::kDerivativeSection);
  ORRERY_CHECK(AddSection(builder, events_) == BlockPlan::kEventSection);
  AddGivenSection(builder);
  plan_.tape = std::move(builder).Finish();
  plan_.states = SlotsOf(states_);
  plan_.inputs = SlotsOf(inputs_);
  plan_.results = {SlotsOf(outputs_), SlotsOf(derivatives_), SlotsOf(events_)};
  plan_.memory = plan_.tape->NewMemory();
  if (plan_.tape->Run(BlockPlan::kGivenSection, plan_.memory.data()) !=
      Tape::Outcome::kDone) {
    plan_.unsolved = "a parameter or a start has no value";
  }
}

/// The values of parameters, and of discrete quantities at the start.
void BlockPlanner::AddGivenSection(TapeBuilder& builder) {
  Formulas formulas;
  std::vector<std::uint32_t> pending;
  for (const Variable& variable : flat_.variables) {
    const std::uint32_t ordinal = OrdinalOf(variable.symbol);
    const Expr formula = variable.binding ? variable.binding : variable.start;
    if (variable.causality != Causality::kInput &&
        !steps_->IsUnknown(ordinal) &&
        variable.variability != Variability::kContinuous && formula) {
      formulas.emplace(ordinal, formula);
      pending.push_back(ordinal);
    }
  }
  std::vector<TapeAssignment> assignments;
  assignments.reserve(pending.size());
  std::vector<bool> is_entered(flat_.graph->num_symbols());
  std::vector<bool> is_done(flat_.graph->num_symbols());
  while (!pending.empty()) {
    const std::uint32_t ordinal = pending.back();
    const Expr formula = formulas.at(ordinal);
    if (!is_entered[ordinal]) {
      is_entered[ordinal] = true;  // Its operands come first.
      PushNeeds(formula, formulas, pending);
      continue;
    }
    pending.pop_back();
    if (!is_done[ordinal]) {
      is_done[ordinal] = true;
      assignments.push_back(Giving(flat_.graph->SymbolAt(ordinal), formula));
    }
  }
  ORRERY_CHECK(builder.AddSection(assignments) == BlockPlan::kGivenSection);
}

void BlockPlanner::PushNeeds(Expr formula,
                             const Formulas& formulas,
                             std::vector<std::uint32_t>& pending) const {
  for (const std::uint32_t needed : SymbolsIn(std::span(&formula, 1))) {
    if (formulas.contains(needed)) {
      pending.push_back(needed);
    }
  }
}

std::size_t BlockPlanner::AddSection(TapeBuilder& builder,
                                     std::span<const std::uint32_t> wanted) {
  return builder.AddSection(steps_->AssignmentsOf(wanted));
}

std::vector<BlockSlots> BlockPlanner::SlotsOf(
    std::span<const std::uint32_t> symbols) const {
  std::vector<BlockSlots> slots;
  for (const std::uint32_t symbol : symbols) {
    slots.push_back({.first = first_slot_[symbol],
                     .count = static_cast<std::size_t>(
                         NumElements(flat_.graph->SymbolAt(symbol).shape()))});
  }
  return slots;
}

}  // namespace

BlockPlan MakeBlockPlan(Block& block) {
  return BlockPlanner(block).Make();
}

}  // namespace orrery::model::internal
