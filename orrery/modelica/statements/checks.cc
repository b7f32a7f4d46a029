#include "orrery/modelica/statements/checks.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/external/foreign_code.h"
#include "orrery/modelica/external/modelica_utilities.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {
namespace {

// Appends a line to the file, or prints it for the user if there is no file
// name.
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

// True if a text may call functions. Such a text is not lowered if it is never
// shown.
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

// One check for each text that the message may be.
std::vector<Check> ChecksFor(LoweringContext& context,
                             const Check& check,
                             const Value& text) {
  ExprGraph& graph = context.session.graph;
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

}  // namespace

std::vector<Check> LowerErrorCall(LoweringContext& context,
                                  const ast::Call& call,
                                  const ast::Span& span) {
  const ClassNode* const function = FindType(context, call.function);
  if (function == nullptr ||
      function->name != "Modelica.Utilities.Streams.error") {
    return {};
  }
  const auto arguments = PlaceFixed(context, call, {"string"}, span);
  if (arguments[0] == nullptr) {
    context.Fail(span, "'" + ast::ToString(call.function) + "' takes a text");
  }
  return ChecksFor(
      context,
      {.condition = context.session.graph.Boolean(false), .holds = false},
      LowerTextInRun(context, *arguments[0]));
}

std::optional<Expr> LowerPrintCall(LoweringContext& context,
                                   const ast::Call& call,
                                   const ast::Span& span) {
  const ClassNode* const function = FindType(context, call.function);
  if (function == nullptr ||
      function->name != "Modelica.Utilities.Streams.print") {
    return std::nullopt;
  }
  const auto arguments =
      PlaceFixed(context, call, {"string", "fileName"}, span);
  const Message message = arguments[0] == nullptr
                              ? Message{}
                              : LowerMessage(context, *arguments[0]);
  const std::string file = arguments[1] == nullptr
                               ? std::string()
                               : LowerText(context, *arguments[1]);
  const ModelRights rights =
      file.empty() ? ModelRights::kAll : RightsOfModels();
  if (rights == ModelRights::kRefused) {
    context.Fail(span, "models do not write files " + std::string(kWhereNot));
  }
  return FoundIn(context.session.graph,
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

std::vector<Check> LowerAssertion(LoweringContext& context,
                                  const ast::Call& call,
                                  const ast::Span& span) {
  const auto arguments =
      PlaceFixed(context, call, {"condition", "message", "level"}, span);
  const ast::Expression* const condition = arguments[0];
  const ast::Expression* const message = arguments[1];
  const ast::Expression* const level = arguments[2];
  if (condition == nullptr || message == nullptr) {
    context.Fail(span, "'assert' takes a condition and a message");
  }
  const std::size_t varied = context.session.num_varied_read;
  Check check{.condition = LowerCondition(context, *condition), .message = {}};
  if (context.session.num_varied_read > varied ||
      DependsOnVaried(context.session, check.condition)) {
    // Each run sees.
  } else if (check.condition.is_constant()) {
    check.holds = check.condition.value() != 0;
  } else if (!context.where.instance->is_function) {
    if (const auto holds = TryEvaluate(context.session, check.condition)) {
      check.holds = (*holds)[0] != 0;
    }
  }
  if (level != nullptr) {
    constexpr double kWarning = 1;  // AssertionLevel.warning comes first.
    const Expr given = LowerScalar(context, *level, ValueType::kInteger);
    check.is_warning =
        EvaluateOrUnroll(
            context, given, level->span, "the level of an assertion")[0] ==
        kWarning;
  }
  if (check.condition.is_constant() && check.holds == true) {
    if (!MayCall(*message)) {
      // Checks that it is a text.
      static_cast<void>(ChoicesOf(LowerTextInRun(context, *message)));
    }
    return {check};
  }
  return ChecksFor(context, check, LowerTextInRun(context, *message));
}

Check LowerTermination(LoweringContext& context,
                       const ast::Call& call,
                       const ast::Span& span) {
  const ast::Expression* const message =
      PlaceFixed(context, call, {"message"}, span).front();
  if (message == nullptr) {
    context.Fail(span, "'terminate' takes a message");
  }
  return {.condition = {}, .message = LowerMessage(context, *message)};
}

}  // namespace orrery::modelica::internal
