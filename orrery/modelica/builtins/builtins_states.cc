#include "orrery/modelica/builtins/builtins_states.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {
namespace {

// The block that an argument names.
Instance* StateArgument(const BuiltInCall& call,
                        const BuiltInArguments& arguments,
                        std::size_t i) {
  const ast::Span& span = arguments[i]->span;
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&arguments[i]->node);
  const std::string name = ast::ToString(call.written.function);
  if (reference == nullptr) {
    call.context.Fail(span, "'" + name + "' takes a block, not a formula");
  }
  const NamedPlace place = FindPlace(call.context, *reference);
  if (place.component->is_predefined()) {
    call.context.Fail(span,
                      "'" + name + "' takes a block: '" +
                          place.component->path() + "' is a variable");
  }
  const SelectedElements elements =
      SelectElements(call.context, *place.component, *place.subscripts, span);
  if (!elements.shape.empty() || elements.instances.size() != 1) {
    call.context.Fail(span, "'" + name + "' takes one block, not an array");
  }
  return elements.instances.front();
}

bool HasArgument(const BuiltInArguments& arguments, std::size_t i) {
  return i < arguments.size() && arguments[i] != nullptr;
}

bool TruthArgument(const BuiltInCall& call,
                   const BuiltInArguments& arguments,
                   std::size_t i,
                   bool otherwise) {
  if (!HasArgument(arguments, i)) {
    return otherwise;
  }
  const Expr truth =
      LowerScalar(call.context, *arguments[i], ValueType::kBoolean);
  return Evaluate(call.context.session,
                  truth,
                  call.context.where,
                  arguments[i]->span,
                  "an argument of 'transition' must be known")[0] != 0;
}

Value LowerTransition(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  if (arguments[0] == nullptr || arguments[1] == nullptr ||
      arguments[2] == nullptr) {
    call.Fail("'transition' takes two states and a condition");
  }
  StateMachineTable& machines = call.context.session.machines;
  StateTransition transition{
      .from = StateArgument(call, arguments, 0),
      .to = StateArgument(call, arguments, 1),
      .condition = {},
      .is_immediate = TruthArgument(call, arguments, 3, true),
      .resets = TruthArgument(call, arguments, 4, true),
      .synchronizes = TruthArgument(call, arguments, 5, false),
      .priority = 1,
      .span = At(call.context.where.scope, call.span)};
  if (HasArgument(arguments, 6)) {
    transition.priority =
        LowerConstantInteger(call.context, *arguments[6], "a priority");
    if (transition.priority < 1) {
      call.context.Fail(arguments[6]->span,
                        "a priority is 1 or more, not " +
                            std::to_string(transition.priority));
    }
  }
  machines.is_in_condition = true;
  try {
    transition.condition =
        LowerScalar(call.context, *arguments[2], ValueType::kBoolean);
  } catch (...) {
    machines.is_in_condition = false;
    throw;
  }
  machines.is_in_condition = false;
  machines.transitions.push_back(std::move(transition));
  return NumberValue(call.graph.Boolean(true));
}

Value LowerInitialState(const BuiltInCall& call,
                        const BuiltInArguments& arguments) {
  call.context.session.machines.initial_states.push_back(
      {.state = StateArgument(call, arguments, 0),
       .span = At(call.context.where.scope, call.span)});
  return NumberValue(call.graph.Boolean(true));
}

Value LowerActiveState(const BuiltInCall& call,
                       const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  Session& session = call.context.session;
  Instance* const state = StateArgument(call, arguments, 0);
  auto& asked = session.machines.active[state];
  if (!asked.result) {
    asked = {
        .result = session.clocks.NewVariable(
            "activeState(" + state->path.str() + ")", ValueType::kBoolean, {}),
        .span = At(call.context.where.scope, call.span)};
  }
  return NumberValue(asked.result);
}

Value InState(const BuiltInCall& call, bool is_time) {
  CheckNotInFunction(call);
  Session& session = call.context.session;
  StateMachineTable& machines = session.machines;
  const Expr result = session.clocks.NewVariable(
      is_time ? "timeInState()" : "ticksInState()",
      is_time ? ValueType::kReal : ValueType::kInteger,
      {});
  StateDuration duration{.result = result,
                         .is_time = is_time,
                         .where = call.context.where.instance,
                         .transition = {},
                         .span = At(call.context.where.scope, call.span)};
  if (machines.is_in_condition) {
    duration.transition = machines.transitions.size();
  }
  machines.durations.push_back(std::move(duration));
  return NumberValue(result);
}

Value LowerTicksInState(const BuiltInCall& call, const BuiltInArguments&) {
  return InState(call, false);
}

Value LowerTimeInState(const BuiltInCall& call, const BuiltInArguments&) {
  return InState(call, true);
}

}  // namespace

std::span<const BuiltInEntry> StateBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"transition",
       LowerTransition,
       3,
       7,
       {"from",
        "to",
        "condition",
        "immediate",
        "reset",
        "synchronize",
        "priority"},
       true},
      {"initialState", LowerInitialState, 1, 1, {"state"}},
      {"activeState", LowerActiveState, 1, 1, {"state"}},
      {"ticksInState", LowerTicksInState, 0, 0, {}},
      {"timeInState", LowerTimeInState, 0, 0, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
