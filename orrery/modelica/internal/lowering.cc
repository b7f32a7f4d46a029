#include "orrery/modelica/internal/lowering.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "orrery/base/call_stack.h"
#include "orrery/base/error.h"
#include "orrery/modelica/internal/as_written.h"
#include "orrery/modelica/internal/depth.h"
#include "orrery/modelica/internal/loop_parts.h"
#include "orrery/modelica/internal/operator_records.h"
#include "orrery/modelica/internal/overload.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// Whether a condition of the run may choose between them.
bool AreOfOneForm(const Value& a, const Value& b) {
  if (a.shape() != b.shape()) {
    return false;
  }
  if (a.record == nullptr || b.record == nullptr) {
    return (a.is_number() && b.is_number()) || (IsText(a) && IsText(b));
  }
  if (!a.record->elements.empty() || !b.record->elements.empty()) {
    return std::ranges::equal(
        a.record->elements, b.record->elements, AreOfOneForm);
  }
  return std::ranges::all_of(a.record->fields, [&b](const auto& field) {
    const Value* const other = b.record->Find(field.first);
    return other != nullptr && AreOfOneForm(field.second, *other);
  });
}

bool HasDerivative(const Value& value) {
  if (value.record != nullptr) {
    return std::ranges::any_of(
               value.record->fields,
               [](const auto& field) { return HasDerivative(field.second); }) ||
           std::ranges::any_of(value.record->elements, HasDerivative);
  }
  return value.is_number() && value.expr.Contains(Trait::kDer);
}

bool HasReal(Expr condition) {
  const std::vector<std::uint32_t> parts = Reachable({&condition, 1});
  return std::ranges::any_of(parts, [condition](std::uint32_t id) {
    const Expr part = condition.graph().At(id);
    return part.op() == Op::kSymbol && part.type() == ValueType::kReal;
  });
}

}  // namespace

const Shape& Value::shape() const {
  static const Shape scalar_shape;
  static const Shape empty_shape = {0};
  if (record != nullptr) {
    return record->shape;
  }
  if (is_empty_array) {
    return empty_shape;
  }
  return is_number() ? expr.shape() : scalar_shape;
}

const Value* RecordValue::Find(std::string_view name) const {
  for (const auto& [field, value] : fields) {
    if (field == name) {
      return &value;
    }
  }
  return nullptr;
}

std::string Describe(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "[" : ", ") + std::to_string(extent);
  }
  return text.empty() ? text : text + "]";
}

std::string_view TypeName(ValueType type) noexcept {
  switch (type) {
    case ValueType::kReal:
      return "Real";
    case ValueType::kInteger:
      return "Integer";
    case ValueType::kBoolean:
      return "Boolean";
  }
  return "Real";
}

std::string Describe(const Value& value) {
  if (IsText(value)) {
    return "String";
  }
  if (value.record != nullptr) {
    return "record " + value.record->type->name + Describe(value.record->shape);
  }
  if (value.function != nullptr) {
    return "function " + value.function->node->name;
  }
  if (value.is_empty_array) {
    return "an array without elements";
  }
  if (!value.is_number()) {
    return "nothing";
  }
  const std::string type = value.enumeration != nullptr
                               ? value.enumeration->name
                               : std::string(TypeName(value.expr.type()));
  return type + Describe(value.expr.shape());
}

bool IsNumberOf(const ClassNode& type, const Value& number) {
  const ValueType own = number.expr.type();
  switch (type.built_in) {
    case BuiltIn::kReal:
      return own != ValueType::kBoolean && number.enumeration == nullptr;
    case BuiltIn::kInteger:
      return own == ValueType::kInteger && number.enumeration == nullptr;
    case BuiltIn::kEnumeration:
      return number.enumeration == type.enumeration;
    default:
      return own == ValueType::kBoolean;
  }
}

ValueType ToValueType(BuiltIn built_in) noexcept {
  switch (built_in) {
    case BuiltIn::kInteger:
    case BuiltIn::kEnumeration:
    case BuiltIn::kString:  // The numbers of texts.
      return ValueType::kInteger;
    case BuiltIn::kBoolean:
      return ValueType::kBoolean;
    default:
      return ValueType::kReal;
  }
}

Expr IntegerOf(ExprGraph& graph, std::int64_t number) {
  return graph.Constant(static_cast<double>(number), ValueType::kInteger);
}

Expr ConstantOf(ExprGraph& graph,
                std::span<const double> numbers,
                const Shape& shape,
                ValueType type) {
  return shape.empty() ? graph.Constant(numbers[0], type)
                       : graph.ArrayConstant(numbers, shape, type);
}

Expr EmptyArray(ExprGraph& graph, const Shape& shape, ValueType type) {
  return graph.ArrayConstant({}, shape, type);
}

std::vector<double> Lowering::Constant(Expr expr,
                                       const ast::Span& span,
                                       std::string_view why) {
  if (expr.is_constant()) {
    return {expr.value()};
  }
  if (!iterators_.empty() && !TryEvaluate(session_, expr)) {
    throw NeedsUnrolling{};
  }
  return Evaluate(session_, expr, context_, span, why);
}

std::int64_t Lowering::ConstantInteger(const ast::Expression& expression,
                                       std::string_view why) {
  const Expr expr = Scalar(expression, ValueType::kInteger);
  if (const std::optional<std::int64_t> size = KnownSize(expr)) {
    return *size;
  }
  const double value = Constant(expr, expression.span, why)[0];
  constexpr double kLargest = 1e15;
  if (!(std::abs(value) <= kLargest)) {
    Fail(expression.span, std::string(why) + " is too large");
  }
  return static_cast<std::int64_t>(value);
}

std::vector<std::pair<Expr, ast::Span>> Lowering::Conditions(
    const ast::Expression& expression) {
  std::vector<std::pair<Expr, ast::Span>> conditions;
  const auto* const list = std::get_if<ast::ArrayConstructor>(&expression.node);
  if (list != nullptr && list->iterators.empty()) {
    for (const ast::Expression* const element : list->elements) {
      conditions.emplace_back(Condition(*element), element->span);
    }
    return conditions;
  }
  const Expr value = Numbers(expression);
  if (value.type() != ValueType::kBoolean || value.shape().size() > 1) {
    Fail(expression.span,
         "the condition of a when-clause is Boolean or a vector of Booleans, "
         "not " +
             Describe(NumberValue(value)));
  }
  for (const Expr element : orrery::Elements(session_.graph).All(value)) {
    conditions.emplace_back(element, expression.span);
  }
  return conditions;
}

std::optional<bool> Lowering::Decide(Expr condition) {
  if (condition.is_constant()) {
    return condition.value() != 0;
  }
  if (const auto value = TryEvaluate(session_, condition)) {
    return Evaluate(session_, condition, context_, {}, "")[0] != 0;
  }
  return std::nullopt;
}

std::optional<bool> Lowering::DecideInLoop(Expr condition) {
  constexpr std::size_t kMostParts = 16;
  if (divisible_ == nullptr || !condition.Contains(Trait::kIterator)) {
    return std::nullopt;
  }
  for (const Expr iterator : *divisible_) {
    std::vector<LoopPart> parts = PartsOf(session_.graph, condition, iterator);
    if (parts.size() == 1) {
      return parts.front().holds;
    }
    if (!parts.empty() && parts.size() <= kMostParts) {
      throw NeedsParts{.iterator = iterator, .parts = std::move(parts)};
    }
  }
  return std::nullopt;
}

Expr Lowering::Numbers(const ast::Expression& expression) {
  const Value value = Lower(expression);
  if (!value.is_number()) {
    Fail(expression.span,
         "a number or Boolean is expected here, not " + Describe(value));
  }
  return value.expr;
}

Expr Lowering::Scalar(const ast::Expression& expression, ValueType type) {
  const Expr expr = Numbers(expression);
  const bool fits = expr.type() == type || (type == ValueType::kReal &&
                                            expr.type() == ValueType::kInteger);
  if (!fits || !expr.is_scalar()) {
    Fail(expression.span,
         "expected " + std::string(TypeName(type)) + ", found " +
             Describe(NumberValue(expr)));
  }
  return expr;
}

std::string Lowering::Text(const ast::Expression& expression) {
  const Value value = Lower(expression);
  if (!IsText(value)) {
    Fail(expression.span,
         "a String that is known now is expected here, not " + Describe(value));
  }
  return *KnownText(value, expression.span).text;
}

Value Lowering::Lower(const ast::Expression& expression) {
  const ast::Span& span = expression.span;
  if (IsStackNearlyFull()) {
    Fail(span, kTooDeep, kMendDepth);
  }
  ExprGraph& graph = session_.graph;
  Value value = std::visit(
      Overload{
          [&](const ast::IntegerLiteral& literal) {
            return NumberValue(IntegerOf(graph, literal.value));
          },
          [&](const ast::RealLiteral& literal) {
            return NumberValue(graph.Constant(literal.value));
          },
          [&](const ast::BooleanLiteral& literal) {
            return NumberValue(graph.Boolean(literal.value));
          },
          [&](const ast::StringLiteral& literal) { return LowerText(literal); },
          [&](const ast::End&) {
            if (ends_.empty()) {
              Fail(span, "'end' has a meaning in subscripts only");
            }
            return NumberValue(IntegerOf(graph, ends_.back()));
          },
          [&](const ast::Colon&) -> Value {
            Fail(span, "':' has a meaning in subscripts only");
          },
          [&](const ast::ComponentReference& reference) {
            return Reference(reference);
          },
          [&](const ast::Call& call) { return LowerCall(call, span); },
          [&](const ast::PartialApplication&) -> Value {
            Fail(span,
                 "a function can only be given to an input that is a "
                 "function");
          },
          [&](const ast::ArrayConstructor& array) {
            return LowerArray(array, span);
          },
          [&](const ast::MatrixConstructor& matrix) {
            return LowerMatrix(matrix, span);
          },
          [&](const ast::Tuple&) -> Value {
            Fail(span,
                 "a list in parentheses can stand only on the left side of a "
                 "function call");
          },
          [&](const ast::Subscripted& subscripted) {
            const Value base = Lower(*subscripted.base);
            return Select(
                base, Subscripts(subscripted.subscripts, base.shape(), span));
          },
          [&](const ast::Member& member) { return LowerMember(member, span); },
          [&](const ast::Unary& unary) { return LowerUnary(unary, span); },
          [&](const ast::Operation& operation) {
            return LowerOperation(operation, span);
          },
          [&](const ast::Range& range) { return LowerRange(range, span); },
          [&](const ast::IfExpression& choice) {
            return LowerIf(choice, span);
          },
          [&](const ast::Invalid&) -> Value { throw Abandoned{}; },
      },
      expression.node);
  return value;
}

Value Lowering::LowerText(const ast::StringLiteral& literal) {
  return {.text =
              std::make_shared<const std::string>(ast::Unescape(literal.raw))};
}

Value Lowering::LowerMember(const ast::Member& member, const ast::Span& span) {
  const Value base = Lower(*member.base);
  const Value* const field =
      base.record != nullptr ? base.record->Find(member.name.text) : nullptr;
  if (field == nullptr) {
    Fail(span,
         Describe(base) + " has no element '" + std::string(member.name.text) +
             "'");
  }
  return *field;
}

Value Lowering::LowerIf(const ast::IfExpression& choice,
                        const ast::Span& span) {
  struct Taken {
    Expr condition;
    Value value;
  };

  std::vector<Taken> branches;
  std::optional<Value> otherwise;
  for (const ast::IfExpressionBranch& branch : choice.branches) {
    std::optional<Switched> numbers(std::in_place, keeps_constants_, false);
    const Expr condition = Condition(*branch.condition);
    numbers.reset();
    std::optional<bool> holds = DecideByArguments(condition);
    if (!holds) {
      holds = DecideInLoop(condition);
    }
    if (holds == false) {
      continue;
    }
    if (holds) {
      otherwise = Lower(*branch.value);
      break;
    }
    branches.push_back({condition, Lower(*branch.value)});
  }
  if (!otherwise) {
    otherwise = Lower(*choice.otherwise);
  }
  Value result = *otherwise;
  for (std::size_t i = branches.size(); i-- > 0;) {
    const Taken& branch = branches[i];
    // Of models, texts are known.
    const bool is_open = AreOfOneForm(branch.value, result) &&
                         (!IsText(result) || context_.instance->is_function);
    if (!is_open) {
      const double taken =
          Constant(branch.condition,
                   span,
                   "the condition that chooses between " +
                       Describe(branch.value) + " and " + Describe(result))[0];
      result = taken != 0 ? branch.value : result;
      continue;
    }
    if (HasDerivative(branch.value) != HasDerivative(result) &&
        !HasReal(branch.condition)) {
      // A switch that is a parameter decides what is a state.
      if (const std::optional<bool> holds = Decide(branch.condition)) {
        result = *holds ? branch.value : result;
        continue;
      }
    }
    result = IfElse(branch.condition, branch.value, result, span);
  }
  return result;
}

Value Lowering::IfElse(Expr condition,
                       const Value& a,
                       const Value& b,
                       const ast::Span& span) {
  if (a.record != nullptr && b.record != nullptr) {
    auto record = std::make_shared<RecordValue>(*a.record);
    for (auto& [name, field] : record->fields) {
      const Value* const other = b.record->Find(name);
      if (other == nullptr) {
        Fail(span, "the branches are different records");
      }
      field = IfElse(condition, field, *other, span);
    }
    for (std::size_t i = 0; i < record->elements.size(); ++i) {
      record->elements[i] =
          IfElse(condition, record->elements[i], b.record->elements[i], span);
    }
    return {.record = record};
  }
  if (IsText(a) && IsText(b)) {
    return Chosen(session_.graph, condition, a, b);
  }
  const bool both_boolean = a.is_number() && b.is_number() &&
                            (a.expr.type() == ValueType::kBoolean) ==
                                (b.expr.type() == ValueType::kBoolean);
  if (!both_boolean || a.enumeration != b.enumeration) {
    Fail(span,
         "the branches have different types: " + Describe(a) + " and " +
             Describe(b));
  }
  if (a.shape() != b.shape()) {
    Fail(span,
         "the branches have different sizes: " + Describe(a) + " and " +
             Describe(b));
  }
  return NumberValue(session_.graph.Select(condition, a.expr, b.expr),
                     a.enumeration);
}

}  // namespace orrery::modelica::internal
