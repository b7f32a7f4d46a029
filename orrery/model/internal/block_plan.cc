#include "orrery/model/internal/block_plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/block.h"
#include "orrery/model/lower.h"
#include "orrery/symbolic/tape.h"
#include "orrery/symbolic/transform.h"

namespace orrery::internal {
namespace {

constexpr const char* kMustBeSolved =
    "its equations must be solved for their unknowns; compile the model to "
    "have them solved";

/// Whether a formula depends on what was before an event.
bool HasMemory(Expr formula) {
  if (!formula.Contains(Trait::kEvent)) {
    return false;
  }
  for (const std::uint32_t id : Reachable(std::span(&formula, 1))) {
    const Op op = formula.graph().At(id).op();
    if (op == Op::kPre || op == Op::kSample || op == Op::kDelay) {
      return true;
    }
  }
  return false;
}

Expr SymbolIn(Expr target) {
  while (target.op() == Op::kIndex || target.op() == Op::kDer) {
    target = target.operand(0);
  }
  return target;
}

/// symbol := value, where a scalar may be given to an array.
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

class BlockPlanner {
 public:
  explicit BlockPlanner(Block& block)
      : flat_(Lower(block)), substitution_(*flat_.graph, {}) {
    plan_.path = block.path();
  }

  BlockPlan Make() &&;

 private:
  /// target := value.
  struct Step {
    Expr target;
    Expr value;
    std::vector<Expr> iterators;
    std::uint32_t writes = 0;  // Ordinals of symbols.
    std::vector<std::uint32_t> reads;
  };

  using Formulas = std::unordered_map<std::uint32_t, Expr>;  // By symbol.

  [[nodiscard]] std::uint32_t OrdinalOf(Expr symbol) const {
    return flat_.graph->SymbolOrdinal(symbol);
  }

  [[nodiscard]] const std::string& NameOf(std::uint32_t ordinal) const {
    return flat_.graph->NameOf(flat_.graph->SymbolAt(ordinal));
  }

  void MakeDerivatives();
  void SortVariables();
  void AddConnections();
  void AddStep(const Equation& equation);
  void AddStep(Expr target, Expr value, std::vector<Expr> iterators);
  [[nodiscard]] std::vector<std::uint32_t> SymbolsIn(
      std::span<const Expr> formulas) const;
  [[nodiscard]] std::vector<bool> Ancestors(
      std::span<const std::uint32_t> symbols) const;
  void FindFeedthrough();
  void SortSteps();
  void DescribeLoop(const std::vector<std::size_t>& missing);
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
  std::vector<bool> is_unknown_;  // By symbol.
  std::vector<bool> is_discrete_;
  std::vector<Step> steps_;
  std::vector<std::size_t> order_;                 // Of evaluation.
  std::vector<std::vector<std::size_t>> setters_;  // Steps, by symbol.
  std::vector<std::uint32_t> implicit_reads_;
  std::vector<std::uint32_t> first_slot_;  // By symbol.
};

BlockPlan BlockPlanner::Make() && {
  MakeDerivatives();
  SortVariables();
  setters_.resize(flat_.graph->num_symbols());
  for (const Equation& equation : flat_.equations) {
    AddStep(equation);
  }
  AddConnections();
  FindFeedthrough();
  if (plan_.unsolved.empty()) {
    SortSteps();
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
  is_unknown_.resize(flat_.graph->num_symbols());
  is_discrete_.resize(flat_.graph->num_symbols());
  for (const Variable& variable : flat_.variables) {
    const std::uint32_t ordinal = OrdinalOf(variable.symbol);
    is_unknown_[ordinal] = variable.variability == Variability::kContinuous &&
                           variable.causality != Causality::kInput;
    is_discrete_[ordinal] = variable.variability == Variability::kDiscrete;
    if (variable.causality == Causality::kInput) {
      inputs_.push_back(ordinal);
    } else if (variable.causality == Causality::kOutput) {
      outputs_.push_back(ordinal);
    }
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    is_unknown_[states_[i]] = false;
    is_unknown_[derivatives_[i]] = true;
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

/// Each from its source to its target, whichever way round it was written.
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
    AddStep((is_reversed ? connection.a : connection.b).variable,
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
      return;  // Between events it has the value that it has.
    }
    is_unknown_[OrdinalOf(symbol)] = true;
  }
  if (has_memory) {
    plan_.unsolved =
        "its equations depend on the past; compile the model and run it";
  }
  if (symbol.op() == Op::kSymbol && is_unknown_[OrdinalOf(symbol)]) {
    AddStep(left, right, equation.iterators);
    return;
  }
  const std::array sides = {left, right};
  for (const std::uint32_t ordinal : SymbolsIn(sides)) {
    implicit_reads_.push_back(ordinal);
  }
  plan_.unsolved = kMustBeSolved;
}

void BlockPlanner::AddStep(Expr target,
                           Expr value,
                           std::vector<Expr> iterators) {
  const std::uint32_t writes = OrdinalOf(SymbolIn(target));
  setters_[writes].push_back(steps_.size());
  steps_.push_back({.target = target,
                    .value = value,
                    .iterators = std::move(iterators),
                    .writes = writes,
                    .reads = SymbolsIn(std::span(&value, 1))});
}

/// By symbol, whether the values of `symbols` depend on it.
std::vector<bool> BlockPlanner::Ancestors(
    std::span<const std::uint32_t> symbols) const {
  std::vector<bool> met(setters_.size());
  std::vector<std::uint32_t> pending(symbols.begin(), symbols.end());
  while (!pending.empty()) {
    const std::uint32_t symbol = pending.back();
    pending.pop_back();
    if (met[symbol]) {
      continue;
    }
    met[symbol] = true;
    if (!is_unknown_[symbol]) {
      continue;
    }
    for (const std::size_t step : setters_[symbol]) {
      const auto& reads = steps_[step].reads;
      pending.insert(pending.end(), reads.begin(), reads.end());
    }
    if (setters_[symbol].empty()) {
      // One of the equations in no causality determines it.
      pending.insert(
          pending.end(), implicit_reads_.begin(), implicit_reads_.end());
    }
  }
  return met;
}

void BlockPlanner::FindFeedthrough() {
  std::vector<bool> is_fed_through;
  for (const std::uint32_t output : outputs_) {
    const std::vector<bool> met = Ancestors(std::span(&output, 1));
    std::vector<std::size_t> found;
    std::size_t first = 0;
    for (const std::uint32_t input : inputs_) {
      const auto count = static_cast<std::size_t>(
          NumElements(flat_.graph->SymbolAt(input).shape()));
      is_fed_through.resize(std::max(is_fed_through.size(), first + count));
      for (std::size_t i = first; met[input] && i < first + count; ++i) {
        found.push_back(i);
        is_fed_through[i] = true;
      }
      first += count;
    }
    const std::int64_t elements =
        NumElements(flat_.graph->SymbolAt(output).shape());
    plan_.feedthrough_of.insert(
        plan_.feedthrough_of.end(), static_cast<std::size_t>(elements), found);
  }
  for (std::size_t i = 0; i < is_fed_through.size(); ++i) {
    if (is_fed_through[i]) {
      plan_.feedthrough.push_back(i);
    }
  }
}

void BlockPlanner::SortSteps() {
  // A step waits for every step that sets a symbol it reads.
  std::vector<std::vector<std::size_t>> readers(setters_.size());
  std::vector<std::size_t> missing(steps_.size());
  std::vector<std::size_t> unset(setters_.size());
  for (std::size_t symbol = 0; symbol < setters_.size(); ++symbol) {
    unset[symbol] = setters_[symbol].size();
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const std::uint32_t symbol : steps_[i].reads) {
      if (is_unknown_[symbol]) {
        readers[symbol].push_back(i);
        ++missing[i];
      }
    }
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (missing[i] == 0) {
      order_.push_back(i);
    }
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const std::uint32_t symbol = steps_[order_[next]].writes;
    if (--unset[symbol] > 0) {
      continue;
    }
    for (const std::size_t reader : readers[symbol]) {
      if (--missing[reader] == 0) {
        order_.push_back(reader);
      }
    }
  }
  if (order_.size() < steps_.size()) {
    DescribeLoop(missing);
  }
}

/// Follows unmet needs from any blocked step until one comes again.
void BlockPlanner::DescribeLoop(const std::vector<std::size_t>& missing) {
  const auto blocked = [&](std::size_t i) {
    return missing[i] > 0;
  };
  std::vector<std::uint32_t> trail;  // Symbols, each needing the next.
  std::vector<std::size_t> place(setters_.size(), SIZE_MAX);
  std::size_t step = 0;
  while (!blocked(step)) {
    ++step;
  }
  while (place[steps_[step].writes] == SIZE_MAX) {
    place[steps_[step].writes] = trail.size();
    trail.push_back(steps_[step].writes);
    for (const std::uint32_t symbol : steps_[step].reads) {
      const auto& setters = setters_[symbol];
      const auto found = std::ranges::find_if(setters, blocked);
      if (is_unknown_[symbol] && found != setters.end()) {
        step = *found;
        break;
      }
    }
  }
  std::string members;
  for (std::size_t i = trail.size(); i-- > place[steps_[step].writes];) {
    members += (members.empty() ? "" : " -> ") + NameOf(trail[i]);
  }
  plan_.unsolved = "its equations are an algebraic loop (" + members +
                   "); compile the model to have it solved";
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
  AddGivenSection(builder);
  plan_.tape = std::move(builder).Finish();
  plan_.states = SlotsOf(states_);
  plan_.derivatives = SlotsOf(derivatives_);
  plan_.inputs = SlotsOf(inputs_);
  plan_.outputs = SlotsOf(outputs_);
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
    if (variable.causality != Causality::kInput && !is_unknown_[ordinal] &&
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
      is_entered[ordinal] = true;  // What it needs comes first.
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
  const std::vector<bool> needed = Ancestors(wanted);
  std::vector<TapeAssignment> assignments;
  for (const std::size_t i : order_) {
    const Step& step = steps_[i];
    if (needed[step.writes]) {
      assignments.push_back({.target = step.target,
                             .value = step.value,
                             .iterators = step.iterators});
    }
  }
  return builder.AddSection(assignments);
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

}  // namespace orrery::internal
