#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/builtins.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/functions/table_file.h"
#include "orrery/modelica/functions/text_functions.h"

/// Calls of library functions that are implemented in C and known here.
namespace orrery::modelica::internal {
namespace {

// table, isOnFile, fileName, tableName, delimiter, nHeaderLines -> table.
constexpr std::string_view kTableOf = "Orrery.Internal.Tables.tableOf";

// uri -> fileReference.
constexpr std::array<std::string_view, 2> kLoadResource = {
    "Modelica.Utilities.Files.loadResource",
    "ModelicaServices.ExternalReferences.loadResource"};

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

}  // namespace

std::optional<Value> Lowering::CallKnown(const Callee& callee,
                                         const ast::Call& call,
                                         const ast::Span& span) {
  ClassNode* const function = callee.node;
  if (function->external != nullptr && function->name == kTableOf) {
    std::vector<Value> arguments = LowerArguments(callee, call, span).values;
    AddDefaults(session_, callee, arguments);
    return TableOf(arguments, span);
  }
  if (std::ranges::find(kLoadResource, function->name) != kLoadResource.end()) {
    const Arguments arguments = LowerArguments(callee, call, span);
    if (arguments.values.empty() || !IsText(arguments.values[0])) {
      Fail(span, "the name of a resource must be a String that is known now");
    }
    const Value name = KnownText(arguments.values[0], span);
    return Value{.text = std::make_shared<const std::string>(
                     ResourceNamed(*name.text, span))};
  }
  const TextFunction* const known = FindTextFunction(function->name);
  if (known == nullptr) {
    return std::nullopt;
  }
  Arguments arguments = LowerArguments(callee, call, span);
  if (!arguments.vectorized.empty()) {
    Fail(span,
         function->name +
             " takes scalars: it is not supported yet element by "
             "element");
  }
  AddDefaults(session_, callee, arguments.values);
  return OfTexts(*known, *function, arguments.values, span);
}

Value Lowering::OfTexts(const TextFunction& known,
                        ClassNode& function,
                        const std::vector<Value>& arguments,
                        const ast::Span& span) {
  TextFunction::Arguments given;
  std::vector<RunText> texts;
  for (const Value& argument : arguments) {
    if (IsText(argument)) {
      texts.push_back(ChoicesOf(argument));
    } else {
      given.numbers.push_back(
          Constant(argument.expr, span, "an argument of " + function.name)[0]);
    }
  }
  const auto outputs = MembersOf(function, ast::Causality::kOutput);
  ClassNode* const type =
      outputs.empty() ? nullptr : session_.tree.TypeOf(*outputs.front());
  const bool fits = type != nullptr && session_.tree.Expand(type) &&
                    type->built_in != BuiltIn::kNone &&
                    texts.size() == known.num_texts &&
                    given.numbers.size() == known.num_numbers;
  if (!fits) {
    Fail(span,
         "cannot call " + function.name +
             ": it has other inputs or outputs than the function of the "
             "Modelica Standard Library of that name",
         "give it another name");
  }
  // All combinations of choices; the last one applies if no other does.
  std::vector<ChosenTexts> all = CombinedTexts(session_.graph, texts);
  if (all.size() > kMaxTexts) {
    Fail(span,
         "the texts given to " + function.name + " may be of more than " +
             std::to_string(kMaxTexts) + " kinds");
  }
  const auto result_of = [&](const ChosenTexts& chosen) {
    return std::ranges::any_of(chosen.messages, HasValues)
               ? NumberInTexts(session_, known, *type, chosen, given.numbers)
               : ResultOf(session_, known, *type, chosen, given.numbers);
  };
  Value result = result_of(all.back());
  for (std::size_t i = all.size() - 1; i-- > 0;) {
    const Value other = result_of(all[i]);
    if (IsText(result) || IsText(other)) {
      result = IsText(result) && IsText(other)
                   ? Chosen(session_.graph, all[i].condition, other, result)
                   : Value();
    } else if (result.is_number() && other.is_number()) {
      result = IfElse(all[i].condition, other, result, span);
    }
  }
  if (!IsText(result) && !result.is_number()) {
    Fail(span,
         function.name +
             " of a text with numbers of the run in it gives a "
             "text, which is not supported yet",
         "take it of a text that is known when the model is translated");
  }
  return result;
}

// The table is read from its file during flattening, since its size shapes the
// model.
Value Lowering::TableOf(const std::vector<Value>& arguments,
                        const ast::Span& span) {
  const Value& table = arguments[0];
  const bool is_on_file =
      Evaluate(session_,
               arguments[1].expr,
               context_,
               span,
               "whether a table is on file must be known now")[0] != 0;
  if (!is_on_file) {
    if (table.shape().empty() || table.shape()[0] == 0) {
      session_.FailOf(context_,
                      span,
                      "the table is empty",
                      "give it rows, table = [0, 0; 1, 5], or a file that has "
                      "them, with tableOnFile = true");
    }
    return table;
  }
  for (const std::size_t text : {2U, 3U, 4U}) {
    if (arguments[text].text == nullptr) {
      Fail(span, "the names of a file and of a table in it must be known now");
    }
  }
  const TableFormat format{
      .delimiter = *arguments[4].text,
      .header_lines = static_cast<std::int64_t>(
          Evaluate(session_,
                   arguments[5].expr,
                   context_,
                   span,
                   "the lines before a table must be known now")[0])};
  try {
    const TableText read =
        ReadTable(*FindFile(*arguments[2].text), *arguments[3].text, format);
    return NumberValue(
        session_.graph.ArrayConstant(read.values, {read.rows, read.columns}));
  } catch (const Error& error) {
    session_.FailOf(context_, span, error.what());
  }
}

// The path of a resource: modelica://Library.Package/Resources/file is relative
// to the folder of the class (specification 3.6, section 13.5). Other names are
// paths already.
std::string Lowering::ResourceNamed(std::string name, const ast::Span& span) {
  constexpr std::string_view kScheme = "modelica://";
  constexpr std::string_view kFileScheme = "file://";
  if (name.starts_with(kFileScheme)) {
    name.erase(0, kFileScheme.size());
  } else if (name.starts_with(kScheme)) {
    const std::size_t end =
        std::min(name.find('/', kScheme.size()), name.size());
    const std::string library =
        name.substr(kScheme.size(), end - kScheme.size());
    const ClassNode* const node = session_.tree.FindGlobal(library);
    const bool has_file = node != nullptr && node->scope->file != nullptr;
    const std::filesystem::path text(has_file ? node->scope->file->name() : "");
    if (!has_file || !session_.files.Contains(text.string())) {
      Fail(
          span,
          "cannot find '" + name + "': no file has the class '" + library + "'",
          "name the folder that the library's folder is in by the environment "
          "variable MODELICAPATH, or name the file itself");
    }
    name = (text.parent_path() /
            std::filesystem::path(name.substr(std::min(end + 1, name.size()))))
               .string();
  }
  return name;
}

// Names are relative to the folder of the model's text, else to the current
// one.
std::shared_ptr<const SourceFile> Lowering::FindFile(
    const std::string& name) const {
  const Instance* top = context_.instance;
  while (top != nullptr && top->parent != nullptr) {
    top = top->parent;
  }
  const std::filesystem::path path(name);
  if (path.is_relative() && top != nullptr && top->type->scope != nullptr &&
      top->type->scope->file != nullptr) {
    const std::filesystem::path text(top->type->scope->file->name());
    const std::string beside = (text.parent_path() / path).string();
    if (session_.files.Contains(beside)) {
      return session_.files.Read(beside);
    }
  }
  return session_.files.Read(name);
}

}  // namespace orrery::modelica::internal
