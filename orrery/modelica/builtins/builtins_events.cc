#include "orrery/modelica/builtins/builtins_events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/builtins/builtins_clocks.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The value that a variable had just before the event, or the microstep of it.
Value ValueBefore(const BuiltInCall& call, const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  const std::string name = ast::ToString(call.written.function);
  const ast::Expression& argument = *arguments[0];
  if (!std::holds_alternative<ast::ComponentReference>(argument.node)) {
    call.context.Fail(argument.span,
                      "'" + name + "' takes a variable, not a formula",
                      "give the formula a variable of its own");
  }
  const Value value = ModelValue(call, arguments, 0);
  const auto& replace = call.context.replace;
  if (!value.is_number()) {
    call.context.Fail(
        argument.span,
        "'" + name + "' takes numbers and Booleans, not " + Describe(value));
  }
  bool is_of_parameters = true;
  Session& session = call.context.session;
  for (const Expr symbol : SymbolsOf(value.expr)) {
    const auto found = session.component_of.find(symbol.id());
    if (found == session.component_of.end()) {
      call.context.Fail(argument.span,
                        "'" + name + "' takes a variable of the model, not '" +
                            session.graph.NameOf(symbol) + "'");
    }
    if (found->second->variability <= Variability::kParameter) {
      continue;
    }
    is_of_parameters = false;
    if (!call.context.is_in_when) {
      session.events.AddPre(*found->second,
                            At(call.context.where.scope, call.span));
    }
  }
  if (is_of_parameters) {
    return NumberValue(
        replace ? ArgumentValue(call, arguments, 0).expr : value.expr,
        value.enumeration);
  }
  if (!replace) {
    return NumberValue(call.graph.Pre(value.expr), value.enumeration);
  }
  const Expr x = value.expr;
  if (x.op() == Op::kSymbol) {
    return NumberValue(replace(call.graph.Pre(x)), value.enumeration);
  }
  if (x.op() != Op::kIndex || x.operand(0).op() != Op::kSymbol) {
    call.Fail(
        "'" + name +
            "' of a part of an array in an algorithm is not supported yet",
        "use it element by element");
  }
  std::vector<Expr> subscripts;
  for (std::size_t i = 1; i < x.num_operands(); ++i) {
    Replacements read;
    const std::array subscript = {x.operand(i)};
    for (const std::uint32_t id : Reachable(subscript)) {
      if (call.graph.At(id).op() == Op::kSymbol) {
        read.emplace(id, replace(call.graph.At(id)));
      }
    }
    subscripts.push_back(Substitution(call.graph, read).Apply(x.operand(i)));
  }
  return NumberValue(
      call.graph.Index(replace(call.graph.Pre(x.operand(0))), subscripts),
      value.enumeration);
}

Value LowerPre(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return ValueBefore(call, arguments);
}

Value LowerEdge(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Value before = ValueBefore(call, arguments);
  const Value now = ArgumentValue(call, arguments, 0);
  if (now.expr.type() != ValueType::kBoolean) {
    call.context.Fail(arguments[0]->span,
                      "'edge' takes a Boolean, not " + Describe(now),
                      "'change' takes all discrete variables");
  }
  return NumberValue(call.graph.Binary(
      Op::kAnd, now.expr, call.graph.Unary(Op::kNot, before.expr)));
}

Value LowerChange(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Value before = ValueBefore(call, arguments);
  return NumberValue(call.graph.Binary(
      Op::kNotEqual, ArgumentValue(call, arguments, 0).expr, before.expr));
}

Value LowerInitial(const BuiltInCall& call, const BuiltInArguments&) {
  CheckNotInFunction(call);
  return NumberValue(
      call.context.is_initial
          ? call.graph.Boolean(true)
          : call.context.AsRead(call.context.session.flat.initial));
}

Value LowerTerminal(const BuiltInCall& call, const BuiltInArguments&) {
  CheckNotInFunction(call);
  return NumberValue(call.context.AsRead(call.context.session.flat.terminal));
}

Value LowerSample(const BuiltInCall& call, const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  if (arguments.size() == 1) {
    return LowerSampleClocked(call, arguments, {});
  }
  if (const Value second = ArgumentValue(call, arguments, 1);
      IsClock(call, second)) {
    return LowerSampleClocked(call, arguments, second.expr);
  }
  Expr interval;
  Expr start;
  {
    const WithoutReplacement as_in_model(call.context.replace);
    interval = ParameterArgument(call, arguments, 1);
    start = ParameterArgument(call, arguments, 0);
  }
  CheckInterval(call, interval, arguments[1]->span);
  return NumberValue(call.context.AsRead(call.graph.Sample(start, interval)));
}

Value LowerDelay(const BuiltInCall& call, const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  const bool has_most = arguments.size() > 2;
  Expr value;
  Expr delay;
  Expr most;
  {
    const WithoutReplacement as_in_model(call.context.replace);
    const Value given = ArgumentValue(call, arguments, 0);
    const bool is_boolean = given.is_number() && !given.is_empty_array &&
                            given.expr.type() == ValueType::kBoolean;
    value =
        is_boolean ? given.expr : AsNumbers(call, given, arguments[0]->span);
    delay = has_most
                ? LowerScalar(call.context, *arguments[1], ValueType::kReal)
                : ParameterArgument(call, arguments, 1);
    most = has_most ? ParameterArgument(call, arguments, 2) : delay;
  }
  const auto known = TryEvaluate(call.context.session, most);
  if (known && (*known)[0] < 0) {
    call.context.session.FailOf(
        call.context.where,
        arguments[has_most ? 2 : 1]->span,
        "cannot delay by " + orrery::ToText(call.graph.Constant((*known)[0])) +
            " s: what comes is not known yet",
        "a delay is not negative");
  }
  return NumberValue(
      call.context.AsRead(BuildArray(call.graph, value.shape(), [&](auto at) {
        return call.graph.Delay(call.graph.Index(value, at), delay, most);
      })));
}

Value LowerNoEvent(const BuiltInCall& call, const BuiltInArguments& arguments) {
  Value value = ArgumentValue(call, arguments, 0);
  const bool knows_events = !IsInFunction(call) && !call.context.is_initial;
  if (!knows_events || !value.is_number() ||
      !value.expr.Contains(Trait::kBreak)) {
    return value;
  }
  return NumberValue(call.graph.NoEvent(value.expr), value.enumeration);
}

Value LowerSmooth(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const std::int64_t order =
      LowerConstantInteger(call.context,
                           *arguments[0],
                           "the number of continuous derivatives in 'smooth'");
  if (order < 0) {
    call.context.Fail(
        arguments[0]->span,
        "'smooth' takes a number of continuous derivatives, not " +
            std::to_string(order));
  }
  return order > 0 ? LowerNoEvent(call, {arguments[1]})
                   : ArgumentValue(call, arguments, 1);
}

Value FailMisplaced(const BuiltInCall& call, const BuiltInArguments&) {
  call.Fail("'" + ast::ToString(call.written.function) +
            "' is no value: it stands by itself, not in a formula");
}

}  // namespace

std::span<const BuiltInEntry> EventBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"noEvent", LowerNoEvent, 1, 1, {}},
      {"pre", LowerPre, 1, 1, {}},
      {"edge", LowerEdge, 1, 1, {}},
      {"change", LowerChange, 1, 1, {}},
      {"sample", LowerSample, 1, 2, {"start", "interval", "u", "clock"}},
      {"delay", LowerDelay, 2, 3, {"expr", "delayTime", "delayMax"}},
      {"terminal", LowerTerminal, 0, 0, {}},
      {"reinit", FailMisplaced, 0, kAnyNumber, {}},
      {"assert", FailMisplaced, 0, kAnyNumber, {}},
      {"terminate", FailMisplaced, 0, kAnyNumber, {}},
      {"smooth", LowerSmooth, 2, 2, {}},
      {"initial", LowerInitial, 0, 0, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
