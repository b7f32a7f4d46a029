#include "orrery/modelica/condition.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/ast.h"
#include "orrery/modelica/internal/elementary.h"
#include "orrery/modelica/parser.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery::modelica {
namespace {

// The first mistake ends the reading.
struct Mistake {
  ast::Span span;
  std::string message;
  std::string hint;
};

// Those of two numbers that a model can also apply to arrays.
const std::unordered_map<std::string_view, internal::Elementary>& Extremes() {
  static const std::unordered_map<std::string_view, internal::Elementary>
      functions = {{"min", {Op::kMin, true}}, {"max", {Op::kMax, true}}};
  return functions;
}

class Reader {
 public:
  Reader(const FlatModel& flat, std::string_view text)
      : flat_(flat), graph_(*flat.graph), text_(text) {}

  Expr Condition(const ast::Expression& expression) {
    const Expr condition = Read(expression);
    if (condition.type() != ValueType::kBoolean) {
      throw Mistake{expression.span,
                    "a condition is wanted, and this is a number",
                    "compare it, as in " + TextOf(expression.span) + " > 0"};
    }
    return condition;
  }

 private:
  [[nodiscard]] std::string TextOf(const ast::Span& span) const {
    return std::string(text_.substr(span.begin, span.end - span.begin));
  }

  Expr Read(const ast::Expression& expression) {
    if (const auto* number =
            std::get_if<ast::IntegerLiteral>(&expression.node)) {
      return graph_.Constant(static_cast<double>(number->value));
    }
    if (const auto* number = std::get_if<ast::RealLiteral>(&expression.node)) {
      return graph_.Constant(number->value);
    }
    if (const auto* truth =
            std::get_if<ast::BooleanLiteral>(&expression.node)) {
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
    throw Mistake{expression.span,
                  "this cannot stand in a condition",
                  "use names, numbers, operators and elementary functions"};
  }

  Expr Number(const ast::Expression& expression) {
    const Expr value = Read(expression);
    if (value.type() == ValueType::kBoolean) {
      throw Mistake{expression.span,
                    "a number is wanted, and this is a condition",
                    "join conditions by 'and' and 'or'"};
    }
    return value;
  }

  // Names -------------------------------------------------------------------

  Expr Find(const ast::ComponentReference& reference) {
    std::string name;
    for (const char c : TextOf(reference.span)) {
      if (c != ' ' && c != '\t') {
        name += c;
      }
    }
    if (name == "time") {
      return flat_.time;
    }
    if (const Expr whole = FindVariable(name)) {
      if (!whole.is_scalar()) {
        throw Mistake{reference.span,
                      "'" + name + "' is an array",
                      "name one of its elements, as in " + name + "[1]"};
      }
      return whole;
    }
    if (const auto& subscripts = reference.parts.back().subscripts;
        !subscripts.empty()) {
      if (const Expr array = FindVariable(name.substr(0, name.rfind('[')))) {
        return Element(array, subscripts, reference.span);
      }
    }
    std::vector<std::string> known = {"time"};
    for (const Variable& variable : flat_.variables) {
      if (!variable.is_protected) {
        known.push_back(flat_.graph->InfoOf(variable.symbol).name);
      }
    }
    throw Mistake{reference.span,
                  "no quantity '" + name + "' in model " + flat_.name,
                  Suggest(name, known)};
  }

  [[nodiscard]] Expr FindVariable(std::string_view name) const {
    for (const Variable& variable : flat_.variables) {
      if (flat_.graph->InfoOf(variable.symbol).name == name) {
        return variable.symbol;
      }
    }
    return {};
  }

  Expr Element(Expr array,
               const ast::Expressions& subscripts,
               const ast::Span& span) {
    std::vector<Expr> at;
    const Shape& shape = array.shape();
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const auto* number =
          std::get_if<ast::IntegerLiteral>(&subscripts[i]->node);
      if (number == nullptr || subscripts.size() != shape.size() ||
          number->value < 1 || number->value > shape[i]) {
        throw Mistake{span,
                      "there is no such element",
                      "give a subscript for each of the " +
                          std::to_string(shape.size()) + " dimensions, from 1"};
      }
      at.push_back(graph_.Constant(static_cast<double>(number->value),
                                   ValueType::kInteger));
    }
    return graph_.Index(array, at);
  }

  // Operators -----------------------------------------------------------------

  Expr Apply(const ast::Call& call, const ast::Span& span) {
    const std::string name = ast::ToString(call.function);
    std::vector<std::string> known;
    for (const auto* functions :
         {&internal::ElementaryFunctions(), &Extremes()}) {
      if (const auto found = functions->find(name); found != functions->end()) {
        return Apply(found->second, call, span);
      }
      for (const auto& [function, elementary] : *functions) {
        known.emplace_back(function);
      }
    }
    throw Mistake{call.function.span,
                  "no function '" + name + "' for conditions",
                  Suggest(name, known)};
  }

  Expr Apply(const internal::Elementary& function,
             const ast::Call& call,
             const ast::Span& span) {
    const std::size_t wanted = function.is_binary ? 2 : 1;
    if (call.arguments.size() != wanted || !call.iterators.empty()) {
      throw Mistake{span,
                    "'" + ast::ToString(call.function) + "' takes " +
                        std::to_string(wanted) +
                        (wanted == 1 ? " argument" : " arguments"),
                    ""};
    }
    const Expr first = Number(*call.arguments[0].value);
    return function.is_binary
               ? graph_.Binary(
                     function.op, first, Number(*call.arguments[1].value))
               : graph_.Unary(function.op, first);
  }

  Expr Apply(const ast::Unary& unary) {
    if (unary.op == ast::UnaryOperator::kNot) {
      return Not(Condition(*unary.operand));
    }
    const Expr value = Number(*unary.operand);
    return unary.op == ast::UnaryOperator::kMinus ? -value : value;
  }

  Expr Apply(const ast::Operation& operation) {
    const ast::BinaryOperator first = operation.steps.front().op;
    if (first == ast::BinaryOperator::kAnd ||
        first == ast::BinaryOperator::kOr) {
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

  static Expr Combine(ast::BinaryOperator op,
                      Expr left,
                      Expr right,
                      const ast::Expression& at) {
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
        throw Mistake{at.span,
                      "'" + std::string(ast::Spelling(op)) +
                          "' cannot stand in a condition",
                      ""};
    }
  }

  const FlatModel& flat_;
  ExprGraph& graph_;
  std::string_view text_;
};

}  // namespace

Expr ParseCondition(const FlatModel& flat,
                    const std::shared_ptr<const SourceFile>& text,
                    Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const ParsedExpression parsed = ParseExpression(text, diagnostics);
  if (diagnostics.error_count() > errors) {
    return {};
  }
  try {
    return Reader(flat, text->text()).Condition(*parsed.expression);
  } catch (const Mistake& mistake) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError,
        {.file = text, .begin = mistake.span.begin, .end = mistake.span.end},
        mistake.message,
        mistake.hint));
    return {};
  }
}

}  // namespace orrery::modelica
