#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

/// Reductions and comprehensions, as sum(v[i] for i in 1:k). They are loops of
/// formulas where the range is known; in functions, it may be known in a run
/// only.
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

}  // namespace

Value Lowering::LowerReduction(const ast::Expression& body,
                               std::span<const ast::ForIndex> iterators,
                               Op op,
                               const ast::Span& span) {
  if (iterators.empty()) {
    return Lower(body);
  }
  const ast::ForIndex& index = iterators.back();
  const auto others = iterators.first(iterators.size() - 1);
  if (op != Op::kBuild && IsOfRun(index)) {
    return ReduceInRun(body, iterators, op, span);
  }
  const Mark mark = Save();
  try {
    const Iteration iteration = Bind(index);
    const Value value = LowerReduction(body, others, op, span);
    Unbind();
    if (!value.is_number()) {
      throw NeedsUnrolling{};  // Records.
    }
    return OverRange(op, iteration.iterator, value, span);
  } catch (const NeedsUnrolling&) {
    Restore(mark);
  } catch (const NeverReached&) {
    Restore(mark);
    if (!IsReached()) {
      throw;  // An enclosing loop has no passes; this one may have some.
    }
    return op == Op::kBuild ? Value{.is_empty_array = true}
                            : Join({}, JoiningOf(op), span);
  }
  std::vector<Value> values;
  for (const Value& value : Unrolled(index)) {
    Bind(index.name.text, value);
    values.push_back(LowerReduction(body, others, op, span));
    Unbind();
  }
  if (op != Op::kBuild) {
    return Join(values, JoiningOf(op), span);
  }
  if (values.empty()) {
    return {.is_empty_array = true};
  }
  const std::vector<ast::Span> spans(values.size(), span);
  return Stack(values, spans);
}

bool Lowering::IsReached() const {
  return std::ranges::none_of(iterators_, [this](Expr iterator) {
    return session_.graph.IteratorRange(iterator).count == 0;
  });
}

// Reduces by `op` a body that was lowered for an iterator. The minimum of
// Booleans is false if one is false (specification 3.6, section 10.3.4).
Value Lowering::OverRange(Op op,
                          Expr iterator,
                          const Value& body,
                          const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  if (!body.is_number()) {
    Fail(span, "an array of " + Describe(body) + " is not supported here");
  }
  const bool is_boolean = body.expr.type() == ValueType::kBoolean;
  if ((op == Op::kSum || op == Op::kProduct) &&
      (is_boolean || body.enumeration != nullptr)) {
    Fail(span, Describe(body) + " cannot be reduced");
  }
  if (op == Op::kBuild || !is_boolean) {
    return NumberValue(graph.Loop(op, iterator, body.expr), body.enumeration);
  }
  return NumberValue(
      AsBoolean(graph, graph.Loop(op, iterator, AsNumber(graph, body.expr))));
}

Value Lowering::Join(std::span<const Value> values,
                     const Joining& joining,
                     const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  if (values.empty()) {
    const bool is_integer = std::abs(joining.start) <= kMaxInteger;
    return NumberValue(graph.Constant(
        joining.start, is_integer ? ValueType::kInteger : ValueType::kReal));
  }
  if (values.front().record != nullptr && joining.op == Op::kAdd) {
    return RecordOperators(*this, span).Sum(values);
  }
  const bool is_order = joining.op == Op::kMin || joining.op == Op::kMax;
  Expr result;
  for (const Value& value : values) {
    const bool is_boolean =
        value.is_number() && value.expr.type() == ValueType::kBoolean;
    if (!value.is_number() ||
        (!is_order && (is_boolean || value.enumeration != nullptr))) {
      Fail(span, Describe(value) + " cannot be reduced");
    }
    const Op join = !is_boolean              ? joining.op
                    : joining.op == Op::kMin ? Op::kAnd
                                             : Op::kOr;
    result = result ? graph.Binary(join, result, value.expr) : value.expr;
  }
  return NumberValue(result, values.front().enumeration);
}

// True if the value is unknown during translation. An argument of the enclosing
// function may have a value: Specialize() finds out.
bool Lowering::Varies(Expr value) {
  try {
    return !TryEvaluate(session_, value);
  } catch (const NeedsArgument& argument) {
    if (!session_.component_of.at(argument.symbol.id())->is_of_run) {
      throw NeedsArgument{.symbol = argument.symbol, .may_vary = true};
    }
    return true;
  }
}

bool Lowering::IsOfRun(const ast::ForIndex& index) {
  const auto* const range = index.range == nullptr
                                ? nullptr
                                : std::get_if<ast::Range>(&index.range->node);
  const bool has_run = context_.instance->is_function
                           ? !session_.declares_function
                           : takes_sizes_;
  if (range == nullptr || !has_run) {
    return false;
  }
  const Expr first = Numbers(*range->start);
  const Expr last = Numbers(*range->stop);
  if (first.type() != ValueType::kInteger ||
      last.type() != ValueType::kInteger) {
    return false;
  }
  return Varies(first) || Varies(last);
}

//   next := first;
//   while next <= last loop i := next; result := result + body; next += step
Value Lowering::ReduceInRun(const ast::Expression& body,
                            std::span<const ast::ForIndex> iterators,
                            Op op,
                            const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  const ast::ForIndex& index = iterators.back();
  const auto& range = std::get<ast::Range>(index.range->node);
  const Expr step = range.step != nullptr
                        ? Scalar(*range.step, ValueType::kInteger)
                        : graph.Constant(1, ValueType::kInteger);
  if (!step.is_constant() || step.value() == 0) {
    Fail(index.span,
         "the step of this range must be a constant that is not zero");
  }
  ReductionFunction function(graph);
  const Expr first =
      function.AddInput(Scalar(*range.start, ValueType::kInteger), "first");
  const Expr last =
      function.AddInput(Scalar(*range.stop, ValueType::kInteger), "last");
  const Expr iterator = function.AddLocal(std::string(index.name.text));
  const Expr next = function.AddLocal("next");
  Bind(index.name.text,
       NumberValue(iterator, EnumerationOf(range, index.span)));
  const Value value =
      LowerReduction(body, iterators.first(iterators.size() - 1), op, span);
  Unbind();
  const std::string name(OpName(op));
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean) {
    Fail(span, "'" + name + "' takes numbers, not " + Describe(value));
  }
  const Expr term = function.AddInputsOf(value.expr, iterator, iterators_);
  const auto [join, first_result] = JoiningOf(op);
  const double start = value.expr.type() == ValueType::kInteger
                           ? std::clamp(first_result, -kMaxInteger, kMaxInteger)
                           : first_result;
  const Expr result = graph.Symbol({.name = "result",
                                    .type = value.expr.type(),
                                    .shape = value.expr.shape()});
  const SourceSpan where = At(context_.scope, span);
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

}  // namespace orrery::modelica::internal
