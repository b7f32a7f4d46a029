#include <array>
#include <cmath>
#include <utility>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

/// The operators that make events, keep from making them or look across them
/// (specification, sections 3.7.3 to 3.7.5).
namespace orrery::modelica::internal {

bool BuiltIns::IsInFunction() const {
  return lowering_.where.instance->is_function;
}

void BuiltIns::CheckNotInFunction() {
  if (IsInFunction()) {
    FailCall("'" + ast::ToString(call_.function) +
                 "' cannot be used in a function: a function knows of no "
                 "events and remembers nothing",
             "use it where the function is called");
  }
}

// A formula over the model's variables, as an algorithm reads it.
Expr BuiltIns::AsRead(Expr outer) {
  return lowering_.replace ? lowering_.replace(outer) : outer;
}

// Values before events ------------------------------------------------------

// The value that a variable had just before the event, or the microstep of it.
Value BuiltIns::Before(const Arguments& arguments) {
  CheckNotInFunction();
  const std::string name = ast::ToString(call_.function);
  const ast::Expression& argument = *arguments[0];
  if (!std::holds_alternative<ast::ComponentReference>(argument.node)) {
    lowering_.Fail(argument.span,
                   "'" + name + "' takes a variable, not a formula",
                   "give the formula a variable of its own");
  }
  const Value value = AsInModel(arguments, 0);
  const auto& replace = lowering_.replace;
  if (!value.is_number()) {
    lowering_.Fail(
        argument.span,
        "'" + name + "' takes numbers and Booleans, not " + Describe(value));
  }
  bool is_of_parameters = true;
  Session& session = lowering_.session;
  for (const Expr symbol : SymbolsOf(value.expr)) {
    const auto found = session.component_of.find(symbol.id());
    if (found == session.component_of.end()) {
      lowering_.Fail(argument.span,
                     "'" + name + "' takes a variable of the model, not '" +
                         session.graph.NameOf(symbol) + "'");
    }
    if (found->second->variability <= Variability::kParameter) {
      continue;
    }
    is_of_parameters = false;
    if (!lowering_.is_in_when) {
      session.events.AddPre(*found->second, At(lowering_.where.scope, span_));
    }
  }
  if (is_of_parameters) {
    return NumberValue(replace ? Get(arguments, 0).expr : value.expr,
                       value.enumeration);
  }
  if (!replace) {
    return NumberValue(graph_.Pre(value.expr), value.enumeration);
  }
  const Expr x = value.expr;
  if (x.op() == Op::kSymbol) {
    return NumberValue(replace(graph_.Pre(x)), value.enumeration);
  }
  if (x.op() != Op::kIndex || x.operand(0).op() != Op::kSymbol) {
    FailCall("'" + name +
                 "' of a part of an array in an algorithm is not supported yet",
             "use it element by element");
  }
  std::vector<Expr> subscripts;
  for (std::size_t i = 1; i < x.num_operands(); ++i) {
    Replacements read;
    const std::array subscript = {x.operand(i)};
    for (const std::uint32_t id : Reachable(subscript)) {
      if (graph_.At(id).op() == Op::kSymbol) {
        read.emplace(id, replace(graph_.At(id)));
      }
    }
    subscripts.push_back(Substitution(graph_, read).Apply(x.operand(i)));
  }
  return NumberValue(
      graph_.Index(replace(graph_.Pre(x.operand(0))), subscripts),
      value.enumeration);
}

Value BuiltIns::Pre(const Arguments& arguments) {
  return Before(arguments);
}

Value BuiltIns::Edge(const Arguments& arguments) {
  const Value before = Before(arguments);
  const Value now = Get(arguments, 0);
  if (now.expr.type() != ValueType::kBoolean) {
    lowering_.Fail(arguments[0]->span,
                   "'edge' takes a Boolean, not " + Describe(now),
                   "'change' takes all discrete variables");
  }
  return NumberValue(
      graph_.Binary(Op::kAnd, now.expr, graph_.Unary(Op::kNot, before.expr)));
}

Value BuiltIns::Change(const Arguments& arguments) {
  const Value before = Before(arguments);
  return NumberValue(
      graph_.Binary(Op::kNotEqual, Get(arguments, 0).expr, before.expr));
}

// Times ---------------------------------------------------------------------

Value BuiltIns::Initial(const Arguments&) {
  CheckNotInFunction();
  return NumberValue(lowering_.is_initial
                         ? graph_.Boolean(true)
                         : AsRead(lowering_.session.flat.initial));
}

Value BuiltIns::Terminal(const Arguments&) {
  CheckNotInFunction();
  return NumberValue(AsRead(lowering_.session.flat.terminal));
}

Expr BuiltIns::ParameterArgument(const Arguments& arguments, std::size_t i) {
  const Expr expr = LowerScalar(lowering_, *arguments[i], ValueType::kReal);
  const std::string varying = VaryingIn(lowering_.session, expr);
  if (!varying.empty()) {
    const std::string name = ast::ToString(call_.function);
    lowering_.Fail(arguments[i]->span,
                   "this argument of '" + name + "' depends on '" + varying +
                       "': only constants and parameters may stand here",
                   name == "delay" && arguments.size() == 2
                       ? "give the longest delay as a third argument"
                       : "");
  }
  return expr;
}

Value BuiltIns::Sample(const Arguments& arguments) {
  CheckNotInFunction();
  if (arguments.size() == 1) {
    return SampleClocked(arguments, {});
  }
  if (const Value second = Get(arguments, 1); IsClock(second)) {
    return SampleClocked(arguments, second.expr);
  }
  Expr interval;
  Expr start;
  {
    const WithoutReplacement as_in_model(lowering_.replace);
    interval = ParameterArgument(arguments, 1);
    start = ParameterArgument(arguments, 0);
  }
  CheckInterval(interval, arguments[1]->span);
  return NumberValue(AsRead(graph_.Sample(start, interval)));
}

void BuiltIns::CheckInterval(Expr interval, const ast::Span& span) {
  const auto value = TryEvaluate(lowering_.session, interval);
  if (value && !((*value)[0] > 0)) {
    lowering_.session.FailOf(lowering_.where,
                             span,
                             "cannot sample with interval " +
                                 orrery::ToText(graph_.Constant((*value)[0])) +
                                 ": time would stand still",
                             "the interval must be greater than 0 s");
  }
}

Value BuiltIns::Delay(const Arguments& arguments) {
  CheckNotInFunction();
  const bool has_most = arguments.size() > 2;
  Expr value;
  Expr delay;
  Expr most;
  {
    const WithoutReplacement as_in_model(lowering_.replace);
    const Value given = Get(arguments, 0);
    const bool is_boolean = given.is_number() && !given.is_empty_array &&
                            given.expr.type() == ValueType::kBoolean;
    value = is_boolean ? given.expr : Numbers(given, arguments[0]->span);
    delay = has_most ? LowerScalar(lowering_, *arguments[1], ValueType::kReal)
                     : ParameterArgument(arguments, 1);
    most = has_most ? ParameterArgument(arguments, 2) : delay;
  }
  const auto known = TryEvaluate(lowering_.session, most);
  if (known && (*known)[0] < 0) {
    lowering_.session.FailOf(lowering_.where,
                             arguments[has_most ? 2 : 1]->span,
                             "cannot delay by " +
                                 orrery::ToText(graph_.Constant((*known)[0])) +
                                 " s: what comes is not known yet",
                             "a delay is not negative");
  }
  return NumberValue(AsRead(BuildArray(graph_, value.shape(), [&](auto at) {
    return graph_.Delay(graph_.Index(value, at), delay, most);
  })));
}

// Jumps and kinks -----------------------------------------------------------

Value BuiltIns::NoEvent(const Arguments& arguments) {
  Value value = Get(arguments, 0);
  const bool knows_events = !IsInFunction() && !lowering_.is_initial;
  if (!knows_events || !value.is_number() ||
      !value.expr.Contains(Trait::kBreak)) {
    return value;
  }
  return NumberValue(graph_.NoEvent(value.expr), value.enumeration);
}

Value BuiltIns::Smooth(const Arguments& arguments) {
  const std::int64_t order =
      LowerConstantInteger(lowering_,
                           *arguments[0],
                           "the number of continuous derivatives in 'smooth'");
  if (order < 0) {
    lowering_.Fail(arguments[0]->span,
                   "'smooth' takes a number of continuous derivatives, not " +
                       std::to_string(order));
  }
  return order > 0 ? NoEvent({arguments[1]}) : Get(arguments, 1);
}

Value BuiltIns::Floor(const Arguments& arguments) {
  const Expr x = Array(arguments, 0);
  if (x.type() == ValueType::kInteger) {
    return NumberValue(x);
  }
  if (x.is_constant()) {
    return NumberValue(Number(std::floor(x.value())));
  }
  return NumberValue(IntegerBelow(lowering_.session, x));
}

Value BuiltIns::Misplaced(const Arguments&) {
  FailCall("'" + ast::ToString(call_.function) +
           "' is no value: it stands by itself, not in a formula");
}

// It jumps where floor(x) does; the function makes it an Integer.
Expr IntegerBelow(Session& session, Expr x) {
  ExprGraph& graph = session.graph;
  std::shared_ptr<const Function>& typed = session.to_integer;
  if (typed == nullptr) {
    auto function = std::make_shared<Function>();
    function->name = "integer";
    function->inputs = {graph.Symbol({.name = "x"})};
    const Expr result =
        graph.Symbol({.name = "y", .type = ValueType::kInteger});
    function->outputs.push_back({.symbol = result});
    function->body.push_back({.step = Assignment{
                                  .target = result,
                                  .value = function->inputs[0],
                              }});
    typed = std::move(function);
  }
  return BuildArray(graph, x.shape(), [&](auto at) {
    const Expr below = graph.Unary(Op::kFloor, graph.Index(x, at));
    return graph.Output(graph.Call(typed, std::array{below}), 0);
  });
}

}  // namespace orrery::modelica::internal
