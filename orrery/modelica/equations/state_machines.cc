#include "orrery/modelica/equations/state_machines.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {

void FinishStateMachines(Session& session) {
  const StateMachineTable& table = session.machines;
  if (session.diagnostics.error_count() > 0 ||
      (table.empty() && table.transitions.empty() && table.active.empty() &&
       table.durations.empty())) {
    return;
  }
  try {
    StateMachines(session).Run();
  } catch (const Abandoned&) {
    // Reported.
  }
}

void StateMachines::Run() {
  FindMachines();
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    MakeSymbols(machines_[i], i);
  }
  TakeInnerOutputs();
  TakeEquations();
  for (Machine& machine : machines_) {
    AddMachine(machine);
  }
  AnswerQuestions();
}

// Machines --------------------------------------------------------------------

void StateMachines::FindMachines() {
  const StateMachineTable& table = session_.machines;
  for (const InitialState& initial : table.initial_states) {
    AddState(initial);
  }
  // Marks what transitions reach from the initial states; rounds end with
  // nothing new.
  bool is_new = true;
  while (is_new) {
    is_new = false;
    for (const StateTransition& transition : table.transitions) {
      const bool has_from = machine_of_.contains(transition.from);
      const bool has_to = machine_of_.contains(transition.to);
      if (has_from == has_to) {
        continue;
      }
      Instance* const known = has_from ? transition.from : transition.to;
      Instance* const added = has_from ? transition.to : transition.from;
      const std::size_t number = machine_of_.at(known);
      machine_of_.emplace(added, number);
      machines_[number].states.push_back(added);
      number_of_.emplace(added, machines_[number].states.size());
      by_path_.emplace(added->path.str(), added);
      is_new = true;
    }
  }
  for (const StateTransition& transition : table.transitions) {
    const auto from = machine_of_.find(transition.from);
    if (from == machine_of_.end()) {
      session_.Fail(transition.span,
                    "the state machine of '" + transition.from->path.str() +
                        "' has no initial state",
                    "say which one by initialState(...)");
    }
    if (machine_of_.at(transition.to) != from->second) {
      session_.Fail(transition.span,
                    "a transition joins two initial states: a state machine "
                    "has one");
    }
    machines_[from->second].transitions.push_back(&transition);
  }
  for (Machine& machine : machines_) {
    SortTransitions(machine);
    machine.parent = StateAround(machine.states.front()->parent);
  }
}

void StateMachines::AddState(const InitialState& initial) {
  if (machine_of_.contains(initial.state)) {
    session_.Fail(initial.span,
                  "'" + initial.state->path.str() +
                      "' is said to be the initial state twice");
  }
  machine_of_.emplace(initial.state, machines_.size());
  number_of_.emplace(initial.state, 1);
  by_path_.emplace(initial.state->path.str(), initial.state);
  Machine& machine = machines_.emplace_back();
  machine.states.push_back(initial.state);
  machine.span = initial.span;
}

void StateMachines::SortTransitions(Machine& machine) {
  std::ranges::stable_sort(
      machine.transitions, std::ranges::greater(), &StateTransition::priority);
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const StateTransition& one = *machine.transitions[i];
      const StateTransition& other = *machine.transitions[k];
      if (one.from == other.from && one.priority == other.priority) {
        session_.Fail(one.span,
                      "two transitions leave '" + one.from->path.str() +
                          "' with priority " + std::to_string(one.priority),
                      "give them different priorities");
      }
    }
  }
}

// The innermost state that is the instance or contains it; null if none does.
Instance* StateMachines::StateAround(const Instance* instance) const {
  while (instance != nullptr && !machine_of_.contains(instance)) {
    instance = instance->parent;
  }
  return const_cast<Instance*>(instance);  // NOLINT: the states are ours.
}

// Variables -------------------------------------------------------------------

Expr StateMachines::NewVariable(const std::string& name,
                                ValueType type,
                                const SourceSpan& span) {
  const Expr symbol = session_.clocks.NewVariable(name, type, {});
  AddMadeUp(session_.flat, symbol, span).variability = Variability::kDiscrete;
  return symbol;
}

Expr StateMachines::Previous(Expr variable, const SourceSpan& span) {
  constexpr ClockUse::Kind kKind = ClockUse::Kind::kPrevious;
  if (const Expr known = session_.clocks.Find(kKind, variable)) {
    return known;
  }
  ClockUse use{.kind = kKind, .argument = variable, .span = span};
  use.result =
      session_.clocks.NewVariable("previous(" + orrery::ToText(variable) + ")",
                                  variable.type(),
                                  variable.shape());
  const Expr result = use.result;
  session_.clocks.Add(std::move(use));
  return result;
}

// Where the state that declares the variable is reset, its start value.
Expr StateMachines::PreviousOrStart(Expr variable, const SourceSpan& span) {
  const Expr before = Previous(variable, span);
  const auto found = session_.component_of.find(variable.id());
  Instance* const state = found == session_.component_of.end()
                              ? nullptr
                              : StateAround(found->second->owner);
  if (state == nullptr) {
    return before;
  }
  Expr start = session_.flat.variables[found->second->variable].start;
  if (!start) {
    start = variable.type() == ValueType::kBoolean
                ? graph_.Boolean(false)
                : graph_.Constant(0, variable.type());
  }
  if (start.is_scalar() && !variable.is_scalar()) {
    start =
        BuildArray(graph_, variable.shape(), [start](auto) { return start; });
  }
  return graph_.Select(IsReset(state), start, before);
}

void StateMachines::Equate(Expr left, Expr right, const SourceSpan& span) {
  session_.flat.equations.push_back(
      {.left = left, .right = right, .span = span});
}

Expr StateMachines::IsActive(Instance* state) {
  const Machine& machine = machines_[machine_of_.at(state)];
  return And(
      machine.is_active,
      IsState(machine.active_state, static_cast<double>(number_of_.at(state))));
}

Expr StateMachines::IsReset(Instance* state) {
  const Machine& machine = machines_[machine_of_.at(state)];
  return And(IsActive(state),
             Or(machine.is_reset_by_transition,
                machine.resets[number_of_.at(state) - 1]));
}

// The equations of a machine --------------------------------------------------

void StateMachines::MakeSymbols(Machine& machine, std::size_t number) {
  const std::string name = "machine" + std::to_string(number + 1) + ".";
  const auto make = [&](const char* what, ValueType type) {
    return NewVariable(name + what, type, machine.span);
  };
  machine.is_active = make("active", ValueType::kBoolean);
  machine.is_reset = make("reset", ValueType::kBoolean);
  machine.active_state = make("activeState", ValueType::kInteger);
  machine.is_reset_by_transition = make("activeReset", ValueType::kBoolean);
  machine.ticks = make("ticksInState", ValueType::kInteger);
  machine.entered = make("entered", ValueType::kReal);
  for (std::size_t i = 0; i < machine.states.size(); ++i) {
    machine.resets.push_back(make("activeResetStates", ValueType::kBoolean));
  }
}

Expr StateMachines::IsInFinalState(const Machine& machine) {
  Expr is_final = graph_.Boolean(false);
  for (Instance* const state : machine.states) {
    const bool has_way_out = std::ranges::any_of(
        machine.transitions,
        [state](const auto* transition) { return transition->from == state; });
    if (!has_way_out) {
      is_final = Or(is_final,
                    IsState(machine.active_state,
                            static_cast<double>(number_of_.at(state))));
    }
  }
  return is_final;
}

Expr StateMachines::ConditionOf(const Machine& machine,
                                const StateTransition& transition) {
  Expr holds = transition.condition;
  if (transition.synchronizes) {
    for (const Machine& inner : machines_) {
      if (inner.parent == transition.from) {
        holds = And(holds, IsInFinalState(inner));
      }
    }
  }
  const Expr condition =
      NewVariable("condition", ValueType::kBoolean, machine.span);
  Equate(condition, holds, transition.span);
  return condition;
}

// The number, from 1, of the transition of the greatest priority that leaves
// the state `from`; 0 if none does.
Expr StateMachines::FiredBy(const Machine& machine,
                            const std::vector<Expr>& conditions,
                            bool is_immediate,
                            Expr from) {
  Expr fired = Number(0);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const StateTransition& transition = *machine.transitions[i];
    if (transition.is_immediate == is_immediate) {
      const Expr leaves =
          IsState(from, static_cast<double>(number_of_.at(transition.from)));
      fired = graph_.Select(And(leaves, conditions[i]),
                            Number(static_cast<double>(i + 1)),
                            fired);
    }
  }
  return fired;
}

void StateMachines::AddMachine(Machine& machine) {
  const SourceSpan& span = machine.span;
  const auto name = [](const char* what) {
    return std::string(what);
  };
  // A machine at the top is reset at its first tick.
  if (machine.parent == nullptr) {
    const Expr started =
        NewVariable(name("started"), ValueType::kBoolean, span);
    Equate(started, graph_.Boolean(true), span);
    Equate(machine.is_active, graph_.Boolean(true), span);
    Equate(machine.is_reset,
           graph_.Unary(Op::kNot, Previous(started, span)),
           span);
  } else {
    Equate(machine.is_active, IsActive(machine.parent), span);
    Equate(machine.is_reset, IsReset(machine.parent), span);
  }
  const Expr next = NewVariable(name("nextState"), ValueType::kInteger, span);
  const Expr selected =
      NewVariable(name("selectedState"), ValueType::kInteger, span);
  const Expr fired = NewVariable(name("fired"), ValueType::kInteger, span);
  const Expr delayed = NewVariable(name("delayed"), ValueType::kInteger, span);
  std::vector<Expr> conditions;
  for (const StateTransition* const transition : machine.transitions) {
    conditions.push_back(ConditionOf(machine, *transition));
  }
  Equate(selected,
         graph_.Select(machine.is_reset, Number(1), Previous(next, span)),
         span);
  Equate(delayed, FiredBy(machine, conditions, false, next), span);
  Equate(fired,
         graph_.Binary(Op::kMax,
                       Previous(delayed, span),
                       FiredBy(machine, conditions, true, selected)),
         span);
  Expr reached = selected;
  Expr resets = graph_.Boolean(false);
  for (std::size_t i = 0; i < machine.transitions.size(); ++i) {
    const StateTransition& transition = *machine.transitions[i];
    const Expr is_it = IsState(fired, static_cast<double>(i + 1));
    reached =
        graph_.Select(is_it,
                      Number(static_cast<double>(number_of_.at(transition.to))),
                      reached);
    if (transition.resets) {
      resets = Or(resets, is_it);
    }
  }
  Equate(machine.active_state,
         graph_.Select(machine.is_reset, Number(1), reached),
         span);
  Equate(machine.is_reset_by_transition, Or(machine.is_reset, resets), span);
  Equate(next,
         graph_.Select(
             machine.is_active, machine.active_state, Previous(next, span)),
         span);
  for (std::size_t i = 0; i < machine.states.size(); ++i) {
    const Expr waits =
        NewVariable(name("nextResetStates"), ValueType::kBoolean, span);
    const Expr is_it =
        IsState(machine.active_state, static_cast<double>(i + 1));
    Equate(
        machine.resets[i], Or(machine.is_reset, Previous(waits, span)), span);
    Equate(waits,
           graph_.Select(machine.is_active,
                         And(graph_.Unary(Op::kNot, is_it), machine.resets[i]),
                         Previous(waits, span)),
           span);
  }
  const Expr has_fired = graph_.Binary(Op::kLess, Number(0), fired);
  AddDurations(machine, Or(machine.is_reset, has_fired));
}

// How long the active state has been active without interruption.
void StateMachines::AddDurations(Machine& machine, Expr has_changed) {
  const SourceSpan& span = machine.span;
  const Expr before = Previous(machine.ticks, span);
  const Expr begins = Or(has_changed, IsState(before, 0));
  Equate(machine.ticks,
         graph_.Select(
             machine.is_active,
             graph_.Select(
                 begins, Number(1), graph_.Binary(Op::kAdd, before, Number(1))),
             Number(0)),
         span);
  Equate(machine.entered,
         graph_.Select(And(machine.is_active, graph_.Unary(Op::kNot, begins)),
                       Previous(machine.entered, span),
                       session_.flat.time),
         span);
}

// Questions of the model ----------------------------------------------------

void StateMachines::AnswerQuestions() {
  for (const auto& [state, asked] : session_.machines.active) {
    if (!machine_of_.contains(state)) {
      session_.Fail(asked.span,
                    "'" + state->path.str() +
                        "' is no state of a state machine: 'activeState' takes "
                        "one");
    }
    AddMadeUp(session_.flat, asked.result, asked.span).variability =
        Variability::kDiscrete;
    Equate(asked.result, IsActive(state), asked.span);
  }
  const StateMachineTable& table = session_.machines;
  for (const StateDuration& duration : table.durations) {
    const StateTransition* const transition =
        duration.transition && *duration.transition < table.transitions.size()
            ? &table.transitions[*duration.transition]
            : nullptr;
    Instance* const state =
        transition != nullptr ? transition->from : StateAround(duration.where);
    if (state == nullptr) {
      session_.Fail(duration.span,
                    "ticksInState() and timeInState() can be used in states "
                    "and in conditions of transitions only");
    }
    const Machine& machine = machines_[machine_of_.at(state)];
    // An immediate transition asks before the state has its tick.
    const bool is_before = transition != nullptr && transition->is_immediate;
    const Expr ticks =
        is_before
            ? graph_.Binary(
                  Op::kAdd, Previous(machine.ticks, duration.span), Number(1))
            : machine.ticks;
    const Expr entered =
        is_before ? Previous(machine.entered, duration.span) : machine.entered;
    AddMadeUp(session_.flat, duration.result, duration.span).variability =
        Variability::kDiscrete;
    Equate(duration.result,
           duration.is_time
               ? graph_.Binary(Op::kSubtract, session_.flat.time, entered)
               : ticks,
           duration.span);
  }
}

// The equations of states ----------------------------------------------------

// A state's 'inner outer output' is the variable from outside.
void StateMachines::TakeInnerOutputs() {
  std::unordered_map<std::uint32_t, Expr> outside;
  std::vector<const Component*> all;
  for (Instance& instance : session_.instances) {
    for (Component& component : instance.components) {
      if (component.own != nullptr && component.own->symbol &&
          Target(component).symbol && StateAround(&instance) != nullptr) {
        all.push_back(component.own);
        outside.emplace(component.own->symbol.id(), Target(component).symbol);
      }
    }
  }
  if (all.empty()) {
    return;
  }
  Substitution given(graph_);
  std::vector<Equation> links;
  for (const Component* const own : all) {
    Expr of = own->symbol;
    for (auto at = outside.find(of.id()); at != outside.end();
         at = outside.find(of.id())) {
      of = at->second;
    }
    const SourceSpan span = At(own->member->scope, own->member->span);
    given.Add(own->symbol, of);
    if (const Expr before =
            session_.clocks.Find(ClockUse::Kind::kPrevious, own->symbol)) {
      given.Add(before, Previous(of, span));
    }
    links.push_back({.left = own->symbol, .right = of, .span = span});
  }
  std::vector<Equation>& equations = session_.flat.equations;
  for (Equation& equation : equations) {
    equation.left = given.Apply(equation.left);
    equation.right = given.Apply(equation.right);
  }
  for (StateTransition& transition : session_.machines.transitions) {
    transition.condition = given.Apply(transition.condition);
  }
  equations.insert(equations.end(), links.begin(), links.end());
}

void StateMachines::TakeEquations() {
  struct Definition {
    Instance* state = nullptr;
    Expr value;
  };

  std::vector<std::pair<Expr, SourceSpan>> targets;
  std::unordered_map<std::uint32_t, std::vector<Definition>> definitions;
  std::vector<Equation>& equations = session_.flat.equations;
  const auto state_of = [this](const Equation& equation) -> Instance* {
    std::string path = equation.path.str();
    while (!path.empty()) {
      const auto found = by_path_.find(path);
      if (found != by_path_.end()) {
        return found->second;
      }
      const std::size_t dot = path.rfind('.');
      path.resize(dot == std::string::npos ? 0 : dot);
    }
    return nullptr;
  };
  std::vector<Equation> kept;
  const std::vector<Equation> all = equations;
  for (const Equation& equation : all) {
    Instance* const state = state_of(equation);
    if (state == nullptr) {
      kept.push_back(equation);
      continue;
    }
    if (equation.left.op() != Op::kSymbol || !equation.iterators.empty() ||
        equation.left.Contains(Trait::kDer) ||
        equation.right.Contains(Trait::kDer)) {
      session_.Fail(equation.span,
                    "an equation of a state gives a variable its value, as "
                    "v = previous(v) + 1: others are not supported in states "
                    "yet");
    }
    // Previous values of what is declared in states follow their resets.
    Substitution reset(graph_);
    const std::array sides = {equation.right};
    for (const std::uint32_t id : Reachable(sides)) {
      const Expr argument = session_.clocks.PreviousArgument(graph_.At(id));
      if (argument && argument.op() == Op::kSymbol) {
        reset.Add(graph_.At(id), PreviousOrStart(argument, equation.span));
      }
    }
    auto& known = definitions[equation.left.id()];
    if (known.empty()) {
      targets.emplace_back(equation.left, equation.span);
    }
    known.push_back({.state = state, .value = reset.Apply(equation.right)});
  }
  equations = std::move(kept);
  for (const auto& [target, span] : targets) {
    Expr value = PreviousOrStart(target, span);
    for (const Definition& definition : definitions.at(target.id())) {
      value =
          graph_.Select(IsActive(definition.state), definition.value, value);
    }
    Equate(target, value, span);
  }
}

}  // namespace orrery::modelica::internal
