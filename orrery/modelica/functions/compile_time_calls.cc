#include "orrery/modelica/functions/compile_time_calls.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/functions/function_arguments.h"
#include "orrery/modelica/functions/function_defaults.h"
#include "orrery/modelica/functions/resources.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/choice.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/scan_functions.h"
#include "orrery/modelica/values/table_file.h"
#include "orrery/modelica/values/text_functions.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {
namespace {

// table, isOnFile, fileName, tableName, delimiter, nHeaderLines -> table.
constexpr std::string_view kTableOf = "Orrery.Internal.Tables.tableOf";

// uri -> fileReference.
constexpr std::array<std::string_view, 2> kLoadResource = {
    "Modelica.Utilities.Files.loadResource",
    "ModelicaServices.ExternalReferences.loadResource"};

// fileName, lineNumber -> string, endOfFile.
constexpr std::string_view kReadLine = "Modelica.Utilities.Streams.readLine";

/// A combination of choices, one for each text argument.
struct ChosenTexts {
  Expr condition;  // Empty for the only one.
  std::vector<Message> messages;
};

std::vector<ChosenTexts> CombinedTexts(ExprGraph& graph,
                                       std::span<const RunText> texts) {
  std::vector<ChosenTexts> all = {{}};
  for (const RunText& text : texts) {
    std::vector<ChosenTexts> more;
    for (const ChosenTexts& before : all) {
      for (const RunText::Choice& choice : text.choices) {
        ChosenTexts& own = more.emplace_back(before);
        own.messages.push_back(choice.message);
        own.condition =
            own.condition && choice.condition
                ? graph.Binary(Op::kAnd, own.condition, choice.condition)
            : own.condition ? own.condition
                            : choice.condition;
      }
    }
    all = std::move(more);
    if (all.size() > kMaxTexts) {
      break;
    }
  }
  return all;
}

// The result of a function for known texts.
Value ResultOf(Session& session,
               const TextFunction& known,
               const ClassNode& type,
               const ChosenTexts& chosen,
               const std::vector<double>& numbers) {
  TextFunction::Arguments given{.texts = {}, .numbers = numbers};
  for (const Message& message : chosen.messages) {
    given.texts.push_back(
        *TextOf({.choices = {{.condition = {}, .message = message}}}).text);
  }
  const TextFunction::Result result = known.run(given);
  if (const auto* const text = std::get_if<std::string>(&result)) {
    return {.text = std::make_shared<const std::string>(*text)};
  }
  return NumberValue(session.graph.Constant(std::get<double>(result),
                                            ToValueType(type.built_in)),
                     type.enumeration);
}

// The number that a function computes from texts of the run; none if it returns
// a text.
Value NumberInTexts(Session& session,
                    const TextFunction& known,
                    const ClassNode& type,
                    const ChosenTexts& chosen,
                    const std::vector<double>& numbers) {
  if (type.built_in == BuiltIn::kString) {
    return {};
  }
  const Expr number = FoundIn(
      session.graph,
      std::string(known.name),
      chosen.messages,
      [run = known.run, numbers](std::span<const std::string> texts) {
        return std::get<double>(
            run({.texts = {texts.begin(), texts.end()}, .numbers = numbers}));
      });
  switch (type.built_in) {
    case BuiltIn::kBoolean:
      return NumberValue(
          session.graph.Binary(Op::kLess, session.graph.Constant(0), number));
    case BuiltIn::kReal:
      return NumberValue(number);
    default:
      return NumberValue(IntegerBelow(session, number), type.enumeration);
  }
}

Value CallTextFunction(LoweringContext& context,
                       const TextFunction& known,
                       ClassNode& function,
                       const std::vector<Value>& arguments,
                       const ast::Span& span) {
  TextFunction::Arguments given;
  std::vector<RunText> texts;
  for (const Value& argument : arguments) {
    if (IsText(argument)) {
      texts.push_back(ChoicesOf(argument));
    } else {
      given.numbers.push_back(EvaluateOrUnroll(
          context, argument.expr, span, "an argument of " + function.name)[0]);
    }
  }
  const auto outputs = MembersOf(function, ast::Causality::kOutput);
  ClassNode* const type =
      outputs.empty() ? nullptr : context.session.tree.TypeOf(*outputs.front());
  const bool fits = type != nullptr && context.session.tree.Expand(type) &&
                    type->built_in != BuiltIn::kNone &&
                    texts.size() == known.num_texts &&
                    given.numbers.size() == known.num_numbers;
  if (!fits) {
    context.Fail(
        span,
        "cannot call " + function.name +
            ": it has other inputs or outputs than the function of the "
            "Modelica Standard Library of that name",
        "give it another name");
  }
  // All combinations of choices; the last one applies if no other does.
  std::vector<ChosenTexts> all = CombinedTexts(context.session.graph, texts);
  if (all.size() > kMaxTexts) {
    context.Fail(span,
                 "the texts given to " + function.name +
                     " may be of more than " + std::to_string(kMaxTexts) +
                     " kinds");
  }
  const auto result_of = [&](const ChosenTexts& chosen) {
    return std::ranges::any_of(chosen.messages, HasValues)
               ? NumberInTexts(
                     context.session, known, *type, chosen, given.numbers)
               : ResultOf(context.session, known, *type, chosen, given.numbers);
  };
  Value result = result_of(all.back());
  for (std::size_t i = all.size() - 1; i-- > 0;) {
    const Value other = result_of(all[i]);
    if (IsText(result) || IsText(other)) {
      result =
          IsText(result) && IsText(other)
              ? Chosen(context.session.graph, all[i].condition, other, result)
              : Value();
    } else if (result.is_number() && other.is_number()) {
      result = ChooseValue(context, all[i].condition, other, result, span);
    }
  }
  if (!IsText(result) && !result.is_number()) {
    context.Fail(
        span,
        function.name +
            " of a text with numbers of the run in it gives a "
            "text, which is not supported yet",
        "take it of a text that is known when the model is translated");
  }
  return result;
}

// The table is read from its file during flattening, since its size shapes the
// model.
Value TableOf(LoweringContext& context,
              const std::vector<Value>& arguments,
              const ast::Span& span) {
  const Value& table = arguments[0];
  const bool is_on_file =
      Evaluate(context.session,
               arguments[1].expr,
               context.where,
               span,
               "whether a table is on file must be known now")[0] != 0;
  if (!is_on_file) {
    if (table.shape().empty() || table.shape()[0] == 0) {
      context.session.FailOf(
          context.where,
          span,
          "the table is empty",
          "give it rows, table = [0, 0; 1, 5], or a file that has "
          "them, with tableOnFile = true");
    }
    return table;
  }
  for (const std::size_t text : {2U, 3U, 4U}) {
    if (arguments[text].text == nullptr) {
      context.Fail(
          span, "the names of a file and of a table in it must be known now");
    }
  }
  const TableFormat format{
      .delimiter = *arguments[4].text,
      .header_lines = static_cast<std::int64_t>(
          Evaluate(context.session,
                   arguments[5].expr,
                   context.where,
                   span,
                   "the lines before a table must be known now")[0])};
  try {
    const TableText read = ReadTable(
        *FindFile(context, *arguments[2].text), *arguments[3].text, format);
    return NumberValue(context.session.graph.ArrayConstant(
        read.values, {read.rows, read.columns}));
  } catch (const Error& error) {
    context.session.FailOf(context.where, span, error.what());
  }
}

// A line of a file, without its end, and whether the file has fewer lines.
std::vector<Value> ReadLine(LoweringContext& context,
                            const std::vector<Value>& arguments,
                            const ast::Span& span) {
  const Value name = arguments.size() == 2 && IsText(arguments[0])
                         ? KnownText(context, arguments[0], span)
                         : Value();
  if (name.text == nullptr || !arguments[1].is_number()) {
    context.Fail(
        span, "'readLine' takes the name of a file and the number of a line");
  }
  const double number = EvaluateOrUnroll(
      context, arguments[1].expr, span, "the number of the line to read")[0];
  std::shared_ptr<const SourceFile> file;
  try {
    file = FindFile(context, *name.text);
  } catch (const Error& error) {
    context.session.FailOf(context.where, span, error.what());
  }
  std::string_view rest = file->text();
  bool is_over = rest.empty();
  for (double line = 1; line < number && !is_over; ++line) {
    const std::size_t end = rest.find('\n');
    rest = rest.substr(std::min(end, rest.size() - 1) + 1);
    is_over = rest.empty();
  }
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return {{.text = std::make_shared<const std::string>(line)},
          NumberValue(context.session.graph.Boolean(is_over))};
}

// The outputs of a scanning function; none if an argument is not known.
std::optional<std::vector<Value>> Scan(LoweringContext& context,
                                       const ScanFunction& scan,
                                       const Callee& callee,
                                       std::vector<Value> arguments) {
  AddDefaults(context.session, callee, arguments);
  std::string text;
  std::vector<double> numbers;
  for (const Value& argument : arguments) {
    if (argument.text != nullptr) {
      text = *argument.text;
      continue;
    }
    const auto known = argument.is_number()
                           ? TryEvaluate(context.session, argument.expr)
                           : std::nullopt;
    if (!known) {
      return std::nullopt;
    }
    numbers.push_back(known->at(0));
  }
  numbers.resize(2, 0);  // Where it starts, and whether a sign is refused.
  const Scanned scanned = scan.run(text, numbers[0], numbers[1] != 0);
  ExprGraph& graph = context.session.graph;
  std::vector<Value> values = {
      NumberValue(graph.Constant(scanned.next, ValueType::kInteger))};
  if (const auto* const found = std::get_if<std::string>(&scanned.token)) {
    values.push_back({.text = std::make_shared<const std::string>(*found)});
  } else if (scan.gives_number) {
    values.push_back(NumberValue(
        graph.Constant(std::get<double>(scanned.token), scan.type)));
  }
  return values;
}

}  // namespace

std::optional<std::vector<Value>> CallKnown(LoweringContext& context,
                                            const Callee& callee,
                                            const ast::Call& call,
                                            const ast::Span& span) {
  ClassNode* const function = callee.node;
  if (function->external != nullptr && function->name == kTableOf) {
    std::vector<Value> arguments =
        LowerArguments(context, callee, call, span).values;
    AddDefaults(context.session, callee, arguments);
    return {{TableOf(context, arguments, span)}};
  }
  if (function->name == kReadLine) {
    std::vector<Value> arguments =
        LowerArguments(context, callee, call, span).values;
    AddDefaults(context.session, callee, arguments);
    return ReadLine(context, arguments, span);
  }
  if (std::ranges::find(kLoadResource, function->name) != kLoadResource.end()) {
    const CallArguments arguments = LowerArguments(context, callee, call, span);
    if (arguments.values.empty() || !IsText(arguments.values[0])) {
      context.Fail(span,
                   "the name of a resource must be a String that is known now");
    }
    const Value name = KnownText(context, arguments.values[0], span);
    return {{Value{.text = std::make_shared<const std::string>(
                       ResourceNamed(context, *name.text, span))}}};
  }
  if (const ScanFunction* const scan = FindScanFunction(function->name)) {
    CallArguments arguments = LowerArguments(context, callee, call, span);
    if (arguments.vectorized.empty()) {
      return Scan(context, *scan, callee, std::move(arguments.values));
    }
  }
  const TextFunction* const known = FindTextFunction(function->name);
  if (known == nullptr) {
    return std::nullopt;
  }
  CallArguments arguments = LowerArguments(context, callee, call, span);
  if (!arguments.vectorized.empty()) {
    context.Fail(span,
                 function->name +
                     " takes scalars: it is not supported yet element by "
                     "element");
  }
  AddDefaults(context.session, callee, arguments.values);
  return {
      {CallTextFunction(context, *known, *function, arguments.values, span)}};
}

}  // namespace orrery::modelica::internal
