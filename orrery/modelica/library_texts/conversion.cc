#include "orrery/modelica/library_texts/conversion.h"

#include <algorithm>
#include <variant>

#include "orrery/base/diagnostic.h"
#include "orrery/syntax/lexer.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica::internal {
namespace {

// A text alone, or all texts in `{...}`; none of anything else, as of
// `fill("", 0)`.
std::vector<std::string> TextsIn(const ast::Expression& expression) {
  if (const auto* const text =
          std::get_if<ast::StringLiteral>(&expression.node)) {
    return {ast::Unescape(text->raw)};
  }
  std::vector<std::string> texts;
  if (const auto* const array =
          std::get_if<ast::ArrayConstructor>(&expression.node)) {
    for (const ast::Expression* const element : array->elements) {
      for (std::string& text : TextsIn(*element)) {
        texts.push_back(std::move(text));
      }
    }
  }
  return texts;
}

std::vector<std::string> TextsAt(const ast::List<ast::CallArgument>& arguments,
                                 std::size_t i) {
  return i < arguments.size() ? TextsIn(*arguments[i].value)
                              : std::vector<std::string>();
}

std::string FirstTextAt(const ast::List<ast::CallArgument>& arguments,
                        std::size_t i) {
  const std::vector<std::string> texts = TextsAt(arguments, i);
  return texts.empty() ? std::string() : texts.front();
}

// The script with ';' after each command. The end of a line may end one, too:
// in the script of the Modelica Standard Library 4.0.0 it ends all of them.
std::string WithSemicolons(std::string_view script) {
  std::string text;
  std::size_t copied = 0;
  int depth = 0;
  const std::vector<Token> tokens = Tokenize(script).tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kLeftParen) {
      ++depth;
    } else if (tokens[i].kind == TokenKind::kRightParen) {
      --depth;
      const TokenKind next = tokens[i + 1].kind;
      if (depth == 0 &&
          (next == TokenKind::kIdentifier || next == TokenKind::kEndOfFile)) {
        text += script.substr(copied, tokens[i].end - copied);
        text += ';';
        copied = tokens[i].end;
      }
    }
  }
  return text.append(script.substr(copied));
}

}  // namespace

bool ConvertedClass::Names(std::string_view element) const {
  const auto is_it = [&](const auto& old) {
    return old.first == element;
  };
  return std::ranges::any_of(elements, is_it) ||
         std::ranges::any_of(
             cases,
             [&](const Case& when) { return when.element == element; }) ||
         std::ranges::any_of(modifiers, [&](const Modifiers& rule) {
           return std::ranges::any_of(rule.old, is_it);
         });
}

std::string Conversion::AddScript(const SourceFile& script) {
  const auto file = std::make_shared<const SourceFile>(
      script.name(),
      "function Script algorithm " + WithSemicolons(script.text()) +
          "\nend Script;");
  Diagnostics diagnostics;
  const auto text = Parse(file, diagnostics);
  if (diagnostics.has_errors()) {
    return diagnostics.list().front().message;
  }
  const auto* const body =
      std::get_if<ast::LongClass>(&text->classes.front().definition->node);
  for (const ast::Section& section : body->sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&section.node);
    if (algorithm == nullptr) {
      continue;
    }
    for (const ast::Statement& statement : algorithm->statements) {
      if (const auto* const item =
              std::get_if<ast::CallItem>(&statement.node)) {
        Add(std::get<ast::Call>(item->call->node));
      }
    }
  }
  return {};
}

void Conversion::Add(const ast::Call& rule) {
  const std::string_view kind = rule.function.parts.back().name.text;
  const Arguments& arguments = rule.arguments;
  if (kind == "convertModifiers") {
    AddModifiers(arguments);
    return;
  }
  for (const std::string& name : TextsAt(arguments, 0)) {
    if (kind == "convertClass") {
      classes_[name].new_name = FirstTextAt(arguments, 1);
      old_names_[classes_[name].new_name].insert(name);
    } else if (kind == "convertClassIf" && arguments.size() > 3) {
      classes_[name].cases.push_back({.element = FirstTextAt(arguments, 1),
                                      .text = FirstTextAt(arguments, 2),
                                      .new_name = FirstTextAt(arguments, 3)});
    } else if (kind == "convertElement") {
      const std::vector<std::string> old = TextsAt(arguments, 1);
      const std::vector<std::string> renamed = TextsAt(arguments, 2);
      for (std::size_t i = 0; i < std::min(old.size(), renamed.size()); ++i) {
        classes_[name].elements.emplace_back(old[i], renamed[i]);
      }
    } else if (kind == "convertMessage" && arguments.size() == 2) {
      classes_[name].message = FirstTextAt(arguments, 1);
    }
  }
}

void Conversion::AddModifiers(const Arguments& arguments) {
  ConvertedClass::Modifiers modifiers;
  for (const std::string& old : TextsAt(arguments, 1)) {
    const std::size_t end = std::min(old.find('='), old.size());
    modifiers.old.emplace_back(old.substr(0, end),
                               old.substr(std::min(end + 1, old.size())));
  }
  modifiers.added = TextsAt(arguments, 2);
  for (const std::string& name : TextsAt(arguments, 0)) {
    classes_[name].modifiers.push_back(modifiers);
  }
}

const ConvertedClass* Conversion::Find(std::string_view old_name) const {
  const auto found = classes_.find(old_name);
  return found == classes_.end() ? nullptr : &found->second;
}

const ConvertedClass* Conversion::FindByNewName(
    std::string_view new_name) const {
  const auto found = old_names_.find(new_name);
  return found == old_names_.end() || found->second.size() > 1
             ? nullptr
             : Find(*found->second.begin());
}

}  // namespace orrery::modelica::internal
