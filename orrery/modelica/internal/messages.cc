#include <fstream>
#include <initializer_list>
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

// Joins neighbouring texts.
void Append(Message& message, Message::Part part) {
  auto& parts = message.parts;
  if (!parts.empty() && !parts.back().value) {
    part.text.insert(0, parts.back().text);
    parts.pop_back();
  }
  parts.push_back(std::move(part));
}

// Of a line that is printed: a text, and a number behind it.
struct PrintedPart {
  std::string text;
  std::optional<ValueType> type = {};
  ValueFormat format = {};
};

// A line at the end of the file, or for the user where it has no name.
void Print(std::span<const PrintedPart> parts,
           std::span<const double> numbers,
           const std::string& file) {
  std::string line;
  for (const PrintedPart& part : parts) {
    line += part.text;
    if (part.type) {
      line += orrery::ToText(*part.type, numbers.front(), part.format);
      numbers = numbers.subspan(1);
    }
  }
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

std::optional<Lowering::Check> Lowering::LowerError(const ast::Call& call,
                                                    const ast::Span& span) {
  const ClassNode* const function = FindType(call.function);
  if (function == nullptr ||
      function->name != "Modelica.Utilities.Streams.error") {
    return std::nullopt;
  }
  const auto arguments = PlaceFixed(call, {"string"}, span);
  if (arguments[0] == nullptr) {
    Fail(span, "'" + ast::ToString(call.function) + "' takes a text");
  }
  return Check{.condition = session_.graph.Boolean(false),
               .holds = false,
               .message = RunText(*arguments[0])};
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
      arguments[0] == nullptr ? Message{} : RunText(*arguments[0]);
  const std::string file =
      arguments[1] == nullptr ? std::string() : Text(*arguments[1]);
  const ModelRights rights =
      file.empty() ? ModelRights::kAll : RightsOfModels();
  if (rights == ModelRights::kRefused) {
    Fail(span, "models do not write files " + std::string(kWhereNot));
  }
  auto print = std::make_shared<OpaqueFunction>();
  print->name = "print";
  print->num_outputs = 1;
  std::vector<Expr> values;
  std::vector<PrintedPart> parts;
  for (const Message::Part& part : message.parts) {
    parts.push_back({.text = part.text});
    if (part.value) {
      parts.back().type = part.value.type();
      parts.back().format = part.format;
      values.push_back(part.value);
    }
  }
  print->num_inputs = values.size();
  print->evaluate = [parts = std::move(parts),
                     file,
                     is_done = rights != ModelRights::kNothing](
                        std::span<const double> inputs,
                        std::span<double> done) {
    if (is_done) {
      Print(parts, inputs, file);
    }
    done[0] = 1;
  };
  ExprGraph& graph = session_.graph;
  return graph.Output(graph.Opaque(std::move(print), values), 0);
}

Message Lowering::RunText(const ast::Expression& expression) {
  Message message;
  AddText(expression, message);
  return message;
}

void Lowering::AddText(const ast::Expression& expression, Message& message) {
  if (const auto* sum = std::get_if<ast::Operation>(&expression.node)) {
    AddText(*sum->first, message);
    for (const ast::OperationStep& step : sum->steps) {
      if (step.op != ast::BinaryOperator::kAdd) {
        Fail(expression.span, "texts are joined by '+'");
      }
      AddText(*step.operand, message);
    }
    return;
  }
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call != nullptr && ast::ToString(call->function) == "String") {
    Append(message, RunNumber(*call, expression.span));
    return;
  }
  Append(message, {.text = Text(expression), .value = {}});
}

Message::Part Lowering::RunNumber(const ast::Call& call,
                                  const ast::Span& span) {
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
  if (value.text == nullptr &&
      (!value.is_number() || !value.expr.is_scalar())) {
    Fail(number->span, "'String' takes a scalar, not " + Describe(value));
  }
  const ValueFormat format = Format(std::span(arguments).subspan(1), value);
  if (value.text != nullptr) {
    return {.text = FilledUp(*value.text, format), .value = {}};
  }
  if (value.enumeration != nullptr && TryEvaluate(session_, value.expr)) {
    const double literal =
        Evaluate(session_, value.expr, context_, span, "")[0];
    return {.text = FilledUp(value.enumeration->literals.at(
                                 static_cast<std::size_t>(literal) - 1),
                             format),
            .value = {}};
  }
  return {.value = value.expr, .format = format};
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

Lowering::Check Lowering::LowerAssert(const ast::Call& call,
                                      const ast::Span& span) {
  const auto arguments =
      PlaceFixed(call, {"condition", "message", "level"}, span);
  const ast::Expression* const condition = arguments[0];
  const ast::Expression* const message = arguments[1];
  const ast::Expression* const level = arguments[2];
  if (condition == nullptr || message == nullptr) {
    Fail(span, "'assert' takes a condition and a message");
  }
  Check check{.condition = Condition(*condition), .message = {}};
  if (check.condition.is_constant()) {
    check.holds = check.condition.value() != 0;
  } else if (!context_.instance->is_function) {
    if (const auto holds = TryEvaluate(session_, check.condition)) {
      check.holds = (*holds)[0] != 0;
    }
  }
  if (!check.condition.is_constant() || !*check.holds) {
    check.message = RunText(*message);
  }
  if (level != nullptr) {
    constexpr double kWarning = 1;  // AssertionLevel.warning comes first.
    const Expr given = Scalar(*level, ValueType::kInteger);
    check.is_warning =
        Constant(given, level->span, "the level of an assertion")[0] ==
        kWarning;
  }
  return check;
}

Lowering::Check Lowering::LowerTerminate(const ast::Call& call,
                                         const ast::Span& span) {
  const ast::Expression* const message =
      PlaceFixed(call, {"message"}, span).front();
  if (message == nullptr) {
    Fail(span, "'terminate' takes a message");
  }
  return {.condition = {}, .message = RunText(*message)};
}

}  // namespace orrery::modelica::internal
