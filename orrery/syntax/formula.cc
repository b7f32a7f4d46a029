#include "orrery/syntax/formula.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/syntax/elementary.h"

namespace orrery::modelica {
namespace {

// Functions of two numbers; in models they also take arrays.
const std::unordered_map<std::string_view, internal::Elementary>& Extremes() {
  static const std::unordered_map<std::string_view, internal::Elementary>
      functions = {{"min", {Op::kMin, true}}, {"max", {Op::kMax, true}}};
  return functions;
}

}  // namespace

FormulaReader::FormulaReader(ExprGraph& graph,
                             std::string_view text,
                             std::string kind)
    : graph_(graph), text_(text), kind_(std::move(kind)) {}

Expr FormulaReader::Read(const ast::Expression& expression) {
  if (const auto* number = std::get_if<ast::IntegerLiteral>(&expression.node)) {
    return graph_.Constant(static_cast<double>(number->value));
  }
  if (const auto* number = std::get_if<ast::RealLiteral>(&expression.node)) {
    return graph_.Constant(number->value);
  }
  if (const auto* truth = std::get_if<ast::BooleanLiteral>(&expression.node)) {
    return graph_.Boolean(truth->value);
  }
  if (const auto* name =
          std::get_if<ast::ComponentReference>(&expression.node)) {
    return Find(*name);
  }
  if (const auto* call = std::get_if<ast::Call>(&expression.node)) {
    return Apply(*call, expression.span);
  }
  if (const auto* unary = std::get_if<ast::Unary>(&expression.node)) {
    return Apply(*unary);
  }
  if (const auto* operation = std::get_if<ast::Operation>(&expression.node)) {
    return Apply(*operation);
  }
  if (const auto* choice = std::get_if<ast::IfExpression>(&expression.node)) {
    return Apply(*choice);
  }
  throw FormulaMistake{
      expression.span,
      "this cannot stand in a " + kind_,
      "use names, numbers, operators and elementary functions"};
}

Expr FormulaReader::Condition(const ast::Expression& expression) {
  return AsCondition(Read(expression), expression.span);
}

Expr FormulaReader::Number(const ast::Expression& expression) {
  const Expr value = Read(expression);
  if (value.type() == ValueType::kBoolean) {
    throw FormulaMistake{expression.span,
                         "a number is wanted, and this is a condition",
                         "join conditions by 'and' and 'or'"};
  }
  return value;
}

Expr FormulaReader::AsCondition(Expr value, const ast::Span& span) {
  if (value.type() == ValueType::kBoolean) {
    return value;
  }
  if (!IsTruth(value)) {
    throw FormulaMistake{span,
                         "a condition is wanted, and this is a number",
                         "compare it, as in " + TextOf(span) + " > 0"};
  }
  return NotEqual(value, 0);
}

std::string FormulaReader::TextOf(const ast::Span& span) const {
  return std::string(text_.substr(span.begin, span.end - span.begin));
}

std::string FormulaReader::NameOf(const ast::Span& span) const {
  std::string name = TextOf(span);
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
  return name;
}

Expr FormulaReader::ApplyElementary(const ast::Call& call,
                                    const ast::Span& span,
                                    std::span<const std::string> others) {
  const std::string name = ast::ToString(call.function);
  const internal::Elementary* function = nullptr;
  std::vector<std::string> known(others.begin(), others.end());
  for (const auto* functions :
       {&internal::ElementaryFunctions(), &Extremes()}) {
    for (const auto& [spelling, elementary] : *functions) {
      known.emplace_back(spelling);
      if (spelling == name) {
        function = &elementary;
      }
    }
  }
  if (function == nullptr) {
    throw FormulaMistake{call.function.span,
                         "no function '" + name + "' for " + kind_ + "s",
                         Suggest(name, known)};
  }
  const std::size_t wanted = function->is_binary ? 2 : 1;
  if (call.arguments.size() != wanted || !call.iterators.empty()) {
    throw FormulaMistake{span,
                         "'" + name + "' takes " + std::to_string(wanted) +
                             (wanted == 1 ? " argument" : " arguments"),
                         ""};
  }
  const Expr first = Number(*call.arguments[0].value);
  return function->is_binary
             ? graph_.Binary(
                   function->op, first, Number(*call.arguments[1].value))
             : graph_.Unary(function->op, first);
}

// A choice is a condition if one of its values is.
Expr FormulaReader::Apply(const ast::IfExpression& choice) {
  std::vector<Expr> conditions;
  std::vector<const ast::Expression*> sources;
  for (const ast::IfExpressionBranch& branch : choice.branches) {
    conditions.push_back(Condition(*branch.condition));
    sources.push_back(branch.value);
  }
  sources.push_back(choice.otherwise);
  std::vector<Expr> values;
  values.reserve(sources.size());
  for (const ast::Expression* source : sources) {
    values.push_back(Read(*source));
  }
  const bool is_condition = std::ranges::any_of(
      values, [](Expr value) { return value.type() == ValueType::kBoolean; });
  for (std::size_t i = 0; is_condition && i < values.size(); ++i) {
    values[i] = AsCondition(values[i], sources[i]->span);
  }
  Expr result = values.back();
  for (std::size_t i = conditions.size(); i-- > 0;) {
    result = graph_.Select(conditions[i], values[i], result);
  }
  return result;
}

Expr FormulaReader::Apply(const ast::Unary& unary) {
  if (unary.op == ast::UnaryOperator::kNot) {
    return Not(Condition(*unary.operand));
  }
  const Expr value = Number(*unary.operand);
  return unary.op == ast::UnaryOperator::kMinus ? -value : value;
}

Expr FormulaReader::Apply(const ast::Operation& operation) {
  const ast::BinaryOperator first = operation.steps.front().op;
  if (first == ast::BinaryOperator::kAnd || first == ast::BinaryOperator::kOr) {
    Expr result = Condition(*operation.first);
    for (const ast::OperationStep& step : operation.steps) {
      const Expr next = Condition(*step.operand);
      result = step.op == ast::BinaryOperator::kAnd ? And(result, next)
                                                    : Or(result, next);
    }
    return result;
  }
  Expr result = Number(*operation.first);
  for (const ast::OperationStep& step : operation.steps) {
    result = Combine(step.op, result, Number(*step.operand), *step.operand);
  }
  return result;
}

Expr FormulaReader::Combine(ast::BinaryOperator op,
                            Expr left,
                            Expr right,
                            const ast::Expression& at) const {
  switch (op) {
    case ast::BinaryOperator::kLess:
    case ast::BinaryOperator::kLessEqual:
    case ast::BinaryOperator::kGreater:
    case ast::BinaryOperator::kGreaterEqual:
    case ast::BinaryOperator::kEqual:
    case ast::BinaryOperator::kNotEqual:
      return internal::Relation(op, left, right);
    case ast::BinaryOperator::kAdd:
      return left + right;
    case ast::BinaryOperator::kSubtract:
      return left - right;
    case ast::BinaryOperator::kMultiply:
      return left * right;
    case ast::BinaryOperator::kDivide:
      return left / right;
    case ast::BinaryOperator::kPower:
      return pow(left, right);
    default:
      throw FormulaMistake{
          at.span,
          "'" + std::string(ast::Spelling(op)) + "' cannot stand in a " + kind_,
          ""};
  }
}

}  // namespace orrery::modelica
