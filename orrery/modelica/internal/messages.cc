#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/internal/foreign_code.h"
#include "orrery/modelica/internal/lowering.h"
#include "orrery/modelica/internal/modelica_utilities.h"
#include "orrery/symbolic/print.h"

/// Texts that are written during a run (specification, sections 8.3.7, 8.3.8).
namespace orrery::modelica::internal {
namespace {

// A line at the end of the file, or for the user where it has no name.
void Print(const std::string& line, const std::string& file) {
  if (file.empty()) {
    ModelicaMessage(line.c_str());
  } else {
    std::ofstream out(file, std::ios::app);
    if (!(out << line << '\n' << std::flush)) {
      throw std::runtime_error("cannot write to '" + file + "'");
    }
  }
}

}  // namespace

// The arguments of a predefined function.
std::vector<const ast::Expression*> Lowering::PlaceFixed(
    const ast::Call& call,
    std::initializer_list<std::string> names,
    const ast::Span& span) {
  const std::string callee = "'" + ast::ToString(call.function) + "'";
  auto arguments =
      PlaceArguments(callee, std::span(names.begin(), names.size()), call);
  if (!call.iterators.empty()) {
    Fail(span, callee + " cannot be used with iterators");
  }
  return arguments;
}

std::vector<Lowering::Check> Lowering::LowerError(const ast::Call& call,
                                                  const ast::Span& span) {
  const ClassNode* const function = FindType(call.function);
  if (function == nullptr ||
      function->name != "Modelica.Utilities.Streams.error") {
    return {};
  }
  const auto arguments = PlaceFixed(call, {"string"}, span);
  if (arguments[0] == nullptr) {
    Fail(span, "'" + ast::ToString(call.function) + "' takes a text");
  }
  return ChecksOf({.condition = session_.graph.Boolean(false), .holds = false},
                  TextInRun(*arguments[0]));
}

std::optional<Expr> Lowering::LowerPrint(const ast::Call& call,
                                         const ast::Span& span) {
  const ClassNode* const function = FindType(call.function);
  if (function == nullptr ||
      function->name != "Modelica.Utilities.Streams.print") {
    return std::nullopt;
  }
  const auto arguments = PlaceFixed(call, {"string", "fileName"}, span);
  const Message message =
      arguments[0] == nullptr ? Message{} : OneMessage(*arguments[0]);
  const std::string file =
      arguments[1] == nullptr ? std::string() : Text(*arguments[1]);
  const ModelRights rights =
      file.empty() ? ModelRights::kAll : RightsOfModels();
  if (rights == ModelRights::kRefused) {
    Fail(span, "models do not write files " + std::string(kWhereNot));
  }
  return FoundIn(session_.graph,
                 "print",
                 std::span(&message, 1),
                 [file, is_done = rights != ModelRights::kNothing](
                     std::span<const std::string> lines) {
                   if (is_done) {
                     Print(lines.front(), file);
                   }
                   return 1.0;
                 });
}

Value Lowering::TextInRun(const ast::Expression& expression) {
  if (const auto* sum = std::get_if<ast::Operation>(&expression.node)) {
    const bool joins =
        std::ranges::all_of(sum->steps, [](const ast::OperationStep& step) {
          return step.op == ast::BinaryOperator::kAdd;
        });
    if (!joins) {
      Fail(expression.span, "texts are joined by '+'");
    }
    Value text = TextInRun(*sum->first);
    for (const ast::OperationStep& step : sum->steps) {
      text = JoinTexts(text, TextInRun(*step.operand), expression.span);
    }
    return text;
  }
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call != nullptr && ast::ToString(call->function) == "String") {
    return NumberInText(*call, expression.span);
  }
  Value text = Lower(expression);
  if (!IsText(text)) {
    Fail(expression.span,
         "a String that is known now is expected here, not " + Describe(text));
  }
  return text;
}

Value Lowering::JoinTexts(const Value& a,
                          const Value& b,
                          const ast::Span& span) {
  if (ChoicesOf(a).choices.size() * ChoicesOf(b).choices.size() > kMaxTexts) {
    Fail(span,
         "this text may be one of more than " + std::to_string(kMaxTexts),
         "join fewer texts that conditions choose");
  }
  return Joined(session_.graph, a, b);
}

// As the values are now, if they are known; they are structural then.
Value Lowering::KnownText(const Value& value, const ast::Span& span) {
  if (value.run_text == nullptr) {
    return value;
  }
  const auto number = [&](Expr formula) {
    return session_.graph.Constant(
        Constant(formula, span, "the argument of 'String'")[0], formula.type());
  };
  std::vector<Expr> known;
  std::ranges::transform(
      FormulasIn(*value.run_text), std::back_inserter(known), number);
  return TextOf(WithFormulas(*value.run_text, known));
}

Message Lowering::OneMessage(const ast::Expression& expression) {
  RunText text = ChoicesOf(TextInRun(expression));
  if (text.choices.size() > 1) {
    Fail(expression.span,
         "a text that conditions of the run choose is not supported here",
         "choose between two calls by an if-clause");
  }
  return std::move(text.choices.front().message);
}

// The text of String(...): an enumeration's is one of its literals.
Value Lowering::NumberInText(const ast::Call& call, const ast::Span& span) {
  const auto arguments = PlaceFixed(call,
                                    {"value",
                                     "minimumLength",
                                     "leftJustified",
                                     "significantDigits",
                                     "format"},
                                    span);
  const ast::Expression* const number = arguments[0];
  if (number == nullptr) {
    Fail(span, "'String' takes a value");
  }
  const Value value = Lower(*number);
  if (value.record != nullptr) {
    Fail(number->span,
         "'String' of " + Describe(value) + " is not supported yet",
         "write the texts of its fields");
  }
  const ValueFormat format = Format(std::span(arguments).subspan(1), value);
  if (value.text != nullptr) {
    return {.text = std::make_shared<const std::string>(
                FilledUp(*value.text, format))};
  }
  if (!value.is_number() || !value.expr.is_scalar()) {
    Fail(number->span, "'String' takes a scalar, not " + Describe(value));
  }
  ExprGraph& graph = session_.graph;
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

// From minimumLength, leftJustified, significantDigits, format.
ValueFormat Lowering::Format(std::span<const ast::Expression* const> arguments,
                             const Value& value) {
  ValueFormat format;
  const auto integer = [this](const ast::Expression& expression,
                              const std::string& of_what,
                              std::int64_t least,
                              std::int64_t most) {
    const std::int64_t number = ConstantInteger(
        expression, "the number of " + of_what + " in 'String'");
    if (number < least || number > most) {
      Fail(expression.span,
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
    format.is_left = Constant(Condition(*arguments[1]),
                              arguments[1]->span,
                              "'leftJustified' in 'String'")[0] != 0;
  }
  if (arguments[2] != nullptr) {
    constexpr std::int64_t kMostDigits = 17;
    format.digits = integer(*arguments[2], "digits", 1, kMostDigits);
  }
  if (arguments[3] != nullptr) {
    const std::string wanted = Text(*arguments[3]);
    const bool is_integer = value.expr.type() == ValueType::kInteger;
    const auto pattern = value.is_number() && value.enumeration == nullptr &&
                                 value.expr.type() != ValueType::kBoolean
                             ? PatternOf(wanted, is_integer)
                             : std::nullopt;
    if (!pattern) {
      Fail(arguments[3]->span,
           "'" + wanted + "' is no format of " + Describe(value),
           "it is one of C without the percent sign, as \"8.3f\" for a Real "
           "or \"4d\" for an Integer");
    }
    format.pattern = *pattern;
  }
  return format;
}

namespace {

// Whether a text may call functions, which a text that is never told need not
// do.
bool MayCall(const ast::Expression& text) {
  if (const auto* operation = std::get_if<ast::Operation>(&text.node)) {
    return MayCall(*operation->first) ||
           std::ranges::any_of(operation->steps, [](const auto& step) {
             return MayCall(*step.operand);
           });
  }
  return std::holds_alternative<ast::Call>(text.node) ||
         std::holds_alternative<ast::IfExpression>(text.node);
}

}  // namespace

std::vector<Lowering::Check> Lowering::LowerAssert(const ast::Call& call,
                                                   const ast::Span& span) {
  const auto arguments =
      PlaceFixed(call, {"condition", "message", "level"}, span);
  const ast::Expression* const condition = arguments[0];
  const ast::Expression* const message = arguments[1];
  const ast::Expression* const level = arguments[2];
  if (condition == nullptr || message == nullptr) {
    Fail(span, "'assert' takes a condition and a message");
  }
  const std::size_t varied = session_.num_varied_read;
  Check check{.condition = Condition(*condition), .message = {}};
  if (session_.num_varied_read > varied ||
      DependsOnVaried(session_, check.condition)) {
    // Each run sees.
  } else if (check.condition.is_constant()) {
    check.holds = check.condition.value() != 0;
  } else if (!context_.instance->is_function) {
    if (const auto holds = TryEvaluate(session_, check.condition)) {
      check.holds = (*holds)[0] != 0;
    }
  }
  if (level != nullptr) {
    constexpr double kWarning = 1;  // AssertionLevel.warning comes first.
    const Expr given = Scalar(*level, ValueType::kInteger);
    check.is_warning =
        Constant(given, level->span, "the level of an assertion")[0] ==
        kWarning;
  }
  if (check.condition.is_constant() && check.holds == true) {
    if (!MayCall(*message)) {
      static_cast<void>(ChoicesOf(TextInRun(*message)));  // Is it a text?
    }
    return {check};
  }
  return ChecksOf(check, TextInRun(*message));
}

// The same check for each of the texts that it may give.
std::vector<Lowering::Check> Lowering::ChecksOf(const Check& check,
                                                const Value& text) {
  ExprGraph& graph = session_.graph;
  std::vector<Check> checks;
  for (RunText::Choice& choice : ChoicesOf(text).choices) {
    Check& own = checks.emplace_back(check);
    own.message = std::move(choice.message);
    if (choice.condition) {
      own.condition = graph.Binary(
          Op::kOr, check.condition, graph.Unary(Op::kNot, choice.condition));
      own.holds = check.holds == true ? check.holds : std::nullopt;
    }
  }
  return checks;
}

Lowering::Check Lowering::LowerTerminate(const ast::Call& call,
                                         const ast::Span& span) {
  const ast::Expression* const message =
      PlaceFixed(call, {"message"}, span).front();
  if (message == nullptr) {
    Fail(span, "'terminate' takes a message");
  }
  return {.condition = {}, .message = OneMessage(*message)};
}

}  // namespace orrery::modelica::internal
