#include "orrery/modelica/expressions/reductions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_record_arrays.h"
#include "orrery/modelica/expressions/ranges.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

/// Makes a function of a reduction: its loop is a while-statement, its inputs
/// are the bounds and the leaves of the body.
class ReductionFunction {
 public:
  explicit ReductionFunction(ExprGraph& graph) : graph_(graph) {}

  Expr AddInput(Expr argument, const std::string& name) {
    function_->inputs.push_back(graph_.Symbol(
        {.name = name, .type = argument.type(), .shape = argument.shape()}));
    arguments_.push_back(argument);
    return function_->inputs.back();
  }

  Expr AddLocal(const std::string& name) {
    const Expr local =
        graph_.Symbol({.name = name, .type = ValueType::kInteger, .shape = {}});
    function_->locals.push_back({.symbol = local});
    return local;
  }

  /// Makes inputs of the leaves of `body`, except for the function's own
  /// iterator.
  /// @param iterators those of loops around it.
  Expr AddInputsOf(Expr body, Expr own, const std::vector<Expr>& iterators) {
    Replacements inputs;
    const std::array roots = {body};
    for (const std::uint32_t id : Reachable(roots)) {
      const Expr leaf = graph_.At(id);
      if (leaf.op() == Op::kSymbol && leaf != own) {
        inputs.emplace(id, AddInput(leaf, graph_.NameOf(leaf)));
      } else if (std::ranges::find(iterators, leaf) != iterators.end()) {
        inputs.emplace(id, AddInput(leaf, "iterator"));
      }
    }
    return Substitution(graph_, inputs).Apply(body);
  }

  /// Calls the function with the given statements.
  Expr Call(Function::Variable result, std::string name, Statements body) {
    function_->name = std::move(name);
    function_->outputs.push_back(result);
    function_->body = std::move(body);
    return graph_.Output(graph_.Call(std::move(function_), arguments_), 0);
  }

 private:
  ExprGraph& graph_;
  std::shared_ptr<Function> function_ = std::make_shared<Function>();
  std::vector<Expr> arguments_;
};

// Reduces by `op` a body that was lowered for an iterator. The minimum of
// Booleans is false if one is false (specification 3.6, section 10.3.4).
Value ReduceOverRange(LoweringContext& context,
                      Op op,
                      Expr iterator,
                      const Value& body,
                      const ast::Span& span) {
  ExprGraph& graph = context.session.graph;
  if (!body.is_number()) {
    context.Fail(span,
                 "an array of " + Describe(body) + " is not supported here");
  }
  const bool is_boolean = body.expr.type() == ValueType::kBoolean;
  if ((op == Op::kSum || op == Op::kProduct) &&
      (is_boolean || body.enumeration != nullptr)) {
    context.Fail(span, Describe(body) + " cannot be reduced");
  }
  if (op == Op::kBuild || !is_boolean) {
    return NumberValue(graph.Loop(op, iterator, body.expr), body.enumeration);
  }
  return NumberValue(
      AsBoolean(graph, graph.Loop(op, iterator, AsNumber(graph, body.expr))));
}

Value JoinValues(LoweringContext& context,
                 std::span<const Value> values,
                 const Joining& joining,
                 const ast::Span& span) {
  ExprGraph& graph = context.session.graph;
  if (values.empty()) {
    const bool is_integer = std::abs(joining.start) <= kMaxInteger;
    return NumberValue(graph.Constant(
        joining.start, is_integer ? ValueType::kInteger : ValueType::kReal));
  }
  if (values.front().record != nullptr && joining.op == Op::kAdd) {
    return SumOfRecords(context, values, span);
  }
  const bool is_order = joining.op == Op::kMin || joining.op == Op::kMax;
  Expr result;
  for (const Value& value : values) {
    const bool is_boolean =
        value.is_number() && value.expr.type() == ValueType::kBoolean;
    if (!value.is_number() ||
        (!is_order && (is_boolean || value.enumeration != nullptr))) {
      context.Fail(span, Describe(value) + " cannot be reduced");
    }
    const Op join = !is_boolean              ? joining.op
                    : joining.op == Op::kMin ? Op::kAnd
                                             : Op::kOr;
    result = result ? graph.Binary(join, result, value.expr) : value.expr;
  }
  return NumberValue(result, values.front().enumeration);
}

bool IsRangeOfRun(LoweringContext& context, const ast::ForIndex& index) {
  const auto* const range = index.range == nullptr
                                ? nullptr
                                : std::get_if<ast::Range>(&index.range->node);
  const bool has_run = context.where.instance->is_function
                           ? !context.session.declares_function
                           : context.takes_sizes;
  if (range == nullptr || !has_run) {
    return false;
  }
  const Expr first = LowerNumbers(context, *range->start);
  const Expr last = LowerNumbers(context, *range->stop);
  if (first.type() != ValueType::kInteger ||
      last.type() != ValueType::kInteger) {
    return false;
  }
  return Varies(context, first) || Varies(context, last);
}

//   next := first;
//   while next <= last loop i := next; result := result + body; next += step
Value ReduceInRun(LoweringContext& context,
                  const ast::Expression& body,
                  std::span<const ast::ForIndex> iterators,
                  Op op,
                  const ast::Span& span) {
  ExprGraph& graph = context.session.graph;
  const ast::ForIndex& index = iterators.back();
  const auto& range = std::get<ast::Range>(index.range->node);
  const Expr step = range.step != nullptr
                        ? LowerScalar(context, *range.step, ValueType::kInteger)
                        : graph.Constant(1, ValueType::kInteger);
  if (!step.is_constant() || step.value() == 0) {
    context.Fail(index.span,
                 "the step of this range must be a constant that is not zero");
  }
  ReductionFunction function(graph);
  const Expr first = function.AddInput(
      LowerScalar(context, *range.start, ValueType::kInteger), "first");
  const Expr last = function.AddInput(
      LowerScalar(context, *range.stop, ValueType::kInteger), "last");
  const Expr iterator = function.AddLocal(std::string(index.name.text));
  const Expr next = function.AddLocal("next");
  Bind(context,
       index.name.text,
       NumberValue(iterator, EnumerationOf(context, range, index.span)));
  const Value value = LowerReduction(
      context, body, iterators.first(iterators.size() - 1), op, span);
  Unbind(context);
  const std::string name(OpName(op));
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean) {
    context.Fail(span, "'" + name + "' takes numbers, not " + Describe(value));
  }
  const Expr term =
      function.AddInputsOf(value.expr, iterator, context.iterators);
  const auto [join, first_result] = JoiningOf(op);
  const double start = value.expr.type() == ValueType::kInteger
                           ? std::clamp(first_result, -kMaxInteger, kMaxInteger)
                           : first_result;
  const Expr result = graph.Symbol({.name = "result",
                                    .type = value.expr.type(),
                                    .shape = value.expr.shape()});
  const SourceSpan where = At(context.where.scope, span);
  const auto set = [&where](Expr target, Expr to) {
    return Statement{.step = Assignment{.target = target, .value = to},
                     .span = where};
  };
  const Expr goes_on = step.value() > 0
                           ? graph.Binary(Op::kLessEqual, next, last)
                           : graph.Binary(Op::kLessEqual, last, next);
  WhileStatement loop{.condition = goes_on,
                      .body = {set(iterator, next),
                               set(result, graph.Binary(join, result, term)),
                               set(next, next + step)}};
  return NumberValue(
      function.Call(
          {.symbol = result, .initial = graph.Constant(start, result.type())},
          name,
          {set(next, first), {.step = std::move(loop), .span = where}}),
      value.enumeration);
}

}  // namespace

Value LowerReduction(LoweringContext& context,
                     const ast::Expression& body,
                     std::span<const ast::ForIndex> iterators,
                     Op op,
                     const ast::Span& span) {
  if (iterators.empty()) {
    return LowerExpression(context, body);
  }
  const ast::ForIndex& index = iterators.back();
  const auto others = iterators.first(iterators.size() - 1);
  if (op != Op::kBuild && IsRangeOfRun(context, index)) {
    return ReduceInRun(context, body, iterators, op, span);
  }
  const LoweringMark mark = context.Save();
  try {
    const Iteration iteration = Bind(context, index);
    const Value value = LowerReduction(context, body, others, op, span);
    Unbind(context);
    if (!value.is_number()) {
      throw NeedsUnrolling{};  // Records.
    }
    return ReduceOverRange(context, op, iteration.iterator, value, span);
  } catch (const NeedsUnrolling&) {
    context.Restore(mark);
  } catch (const NeverReached&) {
    context.Restore(mark);
    if (!context.IsReached()) {
      throw;  // An enclosing loop has no passes; this one may have some.
    }
    return op == Op::kBuild ? Value{.is_empty_array = true}
                            : JoinValues(context, {}, JoiningOf(op), span);
  }
  std::vector<Value> values;
  for (const Value& value : Unrolled(context, index)) {
    Bind(context, index.name.text, value);
    values.push_back(LowerReduction(context, body, others, op, span));
    Unbind(context);
  }
  if (op != Op::kBuild) {
    return JoinValues(context, values, JoiningOf(op), span);
  }
  if (values.empty()) {
    return {.is_empty_array = true};
  }
  const std::vector<ast::Span> spans(values.size(), span);
  return Stack(context, values, spans);
}

}  // namespace orrery::modelica::internal
