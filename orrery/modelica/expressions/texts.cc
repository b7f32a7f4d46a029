#include "orrery/modelica/expressions/texts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "orrery/base/text/value_format.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {

using ast::BinaryOperator;

namespace {

// The format from minimumLength, leftJustified, significantDigits and format.
ValueFormat LowerFormat(LoweringContext& context,
                        std::span<const ast::Expression* const> arguments,
                        const Value& value) {
  ValueFormat format;
  const auto integer = [&context](const ast::Expression& expression,
                                  const std::string& of_what,
                                  std::int64_t least,
                                  std::int64_t most) {
    const std::int64_t number = LowerConstantInteger(
        context, expression, "the number of " + of_what + " in 'String'");
    if (number < least || number > most) {
      context.Fail(expression.span,
                   "'String' writes " + std::to_string(least) + " to " +
                       std::to_string(most) + " " + of_what + ", not " +
                       std::to_string(number));
    }
    return static_cast<int>(number);
  };
  if (arguments[0] != nullptr) {
    constexpr std::int64_t kLongest = 1000;
    format.least_length =
        integer(*arguments[0], "characters at least", 0, kLongest);
  }
  if (arguments[1] != nullptr) {
    format.is_left = EvaluateOrUnroll(context,
                                      LowerCondition(context, *arguments[1]),
                                      arguments[1]->span,
                                      "'leftJustified' in 'String'")[0] != 0;
  }
  if (arguments[2] != nullptr) {
    constexpr std::int64_t kMostDigits = 17;
    format.digits = integer(*arguments[2], "digits", 1, kMostDigits);
  }
  if (arguments[3] != nullptr) {
    const std::string wanted = LowerText(context, *arguments[3]);
    const bool is_integer = value.expr.type() == ValueType::kInteger;
    const auto pattern = value.is_number() && value.enumeration == nullptr &&
                                 value.expr.type() != ValueType::kBoolean
                             ? PatternOf(wanted, is_integer)
                             : std::nullopt;
    if (!pattern) {
      context.Fail(
          arguments[3]->span,
          "'" + wanted + "' is no format of " + Describe(value),
          "it is one of C without the percent sign, as \"8.3f\" for a Real "
          "or \"4d\" for an Integer");
    }
    format.pattern = *pattern;
  }
  return format;
}

}  // namespace

std::string LowerText(LoweringContext& context,
                      const ast::Expression& expression) {
  const Value value = LowerExpression(context, expression);
  if (!IsText(value)) {
    context.Fail(
        expression.span,
        "a String that is known now is expected here, not " + Describe(value));
  }
  return *KnownText(context, value, expression.span).text;
}

Value LowerTextInRun(LoweringContext& context,
                     const ast::Expression& expression) {
  if (const auto* sum = std::get_if<ast::Operation>(&expression.node)) {
    const bool joins =
        std::ranges::all_of(sum->steps, [](const ast::OperationStep& step) {
          return step.op == ast::BinaryOperator::kAdd;
        });
    if (!joins) {
      context.Fail(expression.span, "texts are joined by '+'");
    }
    Value text = LowerTextInRun(context, *sum->first);
    for (const ast::OperationStep& step : sum->steps) {
      text = JoinTexts(context,
                       text,
                       LowerTextInRun(context, *step.operand),
                       expression.span);
    }
    return text;
  }
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call != nullptr && ast::ToString(call->function) == "String") {
    return LowerStringCall(context, *call, expression.span);
  }
  Value text = LowerExpression(context, expression);
  if (!IsText(text)) {
    context.Fail(
        expression.span,
        "a String that is known now is expected here, not " + Describe(text));
  }
  return text;
}

Message LowerMessage(LoweringContext& context,
                     const ast::Expression& expression) {
  RunText text = ChoicesOf(LowerTextInRun(context, expression));
  if (text.choices.size() > 1) {
    context.Fail(
        expression.span,
        "a text that conditions of the run choose is not supported here",
        "choose between two calls by an if-clause");
  }
  return std::move(text.choices.front().message);
}

Value LowerStringCall(LoweringContext& context,
                      const ast::Call& call,
                      const ast::Span& span) {
  const auto arguments = PlaceFixed(context,
                                    call,
                                    {"value",
                                     "minimumLength",
                                     "leftJustified",
                                     "significantDigits",
                                     "format"},
                                    span);
  const ast::Expression* const number = arguments[0];
  if (number == nullptr) {
    context.Fail(span, "'String' takes a value");
  }
  const Value value = LowerExpression(context, *number);
  if (value.record != nullptr) {
    context.Fail(number->span,
                 "'String' of " + Describe(value) + " is not supported yet",
                 "write the texts of its fields");
  }
  const ValueFormat format =
      LowerFormat(context, std::span(arguments).subspan(1), value);
  if (value.text != nullptr) {
    return {.text = std::make_shared<const std::string>(
                FilledUp(*value.text, format))};
  }
  if (!value.is_number() || !value.expr.is_scalar()) {
    context.Fail(number->span,
                 "'String' takes a scalar, not " + Describe(value));
  }
  ExprGraph& graph = context.session.graph;
  RunText text;
  if (value.enumeration == nullptr) {
    text.choices.push_back(
        {.condition = {},
         .message = {.parts = {{.value = value.expr, .format = format}}}});
    return TextOf(std::move(text));
  }
  const auto& literals = value.enumeration->literals;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const Expr own = IntegerOf(graph, static_cast<std::int64_t>(i) + 1);
    text.choices.push_back(
        {.condition = graph.Binary(Op::kEqual, value.expr, own),
         .message = {.parts = {{.text = FilledUp(literals[i], format)}}}});
  }
  return TextOf(std::move(text));
}

}  // namespace orrery::modelica::internal
