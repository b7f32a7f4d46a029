#include "orrery/modelica/text_edits/class_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/workspace/text_lines.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica::internal {
namespace {

std::size_t ErrorsIn(const Document& document) {
  return static_cast<std::size_t>(std::ranges::count(
      document.findings(), Severity::kError, &Diagnostic::severity));
}

void AddConnections(const ast::List<ast::Equation>& equations,
                    std::vector<ClassText::Connection>& connections) {
  for (const ast::Equation& equation : equations) {
    if (std::holds_alternative<ast::Connect>(equation.node)) {
      connections.push_back(&equation);
    } else if (const auto* loop =
                   std::get_if<ast::For<ast::Equation>>(&equation.node)) {
      AddConnections(loop->body, connections);
    } else if (const auto* choice =
                   std::get_if<ast::If<ast::Equation>>(&equation.node)) {
      for (const auto& branch : choice->branches) {
        AddConnections(branch.body, connections);
      }
    }
  }
}

}  // namespace

ClassText::ClassText(const Document& document, std::string class_name)
    : path_(document.path()),
      class_name_(std::move(class_name)),
      text_(std::string(document.text())) {
  Take(std::make_shared<const Document>(document));
  if (definition_ == nullptr ||
      !std::holds_alternative<ast::LongClass>(definition_->node)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot edit '" + class_name_ +
                    "': the text has no class of that name with a body");
  }
}

void ClassText::Take(std::shared_ptr<const Document> document) {
  document_ = std::move(document);
  definition_ = document_->FindClass(class_name_);
}

void ClassText::Apply(const std::vector<TextEdit>& edits, EditKind kind) {
  const EditedText old_text = text_;
  const auto old_document = document_;
  const ast::ClassDefinition* const old_definition = definition_;
  text_.Apply(edits, kind);
  Diagnostics diagnostics;
  auto tree = modelica::Parse(
      std::make_shared<const SourceFile>(path_, text_.text()), diagnostics);
  Take(std::make_shared<const Document>(
      std::shared_ptr<const ast::StoredDefinition>(std::move(tree)),
      diagnostics.list()));
  if (definition_ != nullptr &&
      ErrorsIn(*document_) <= ErrorsIn(*old_document)) {
    return;
  }
  const std::string why = document_->findings().empty()
                              ? "the class would be gone"
                              : document_->findings().front().message;
  text_ = old_text;
  document_ = old_document;
  definition_ = old_definition;
  throw Error(ErrorCode::kInvalidArgument,
              "cannot edit '" + class_name_ + "' so: " + why);
}

std::optional<ClassText::Component> ClassText::TryFind(
    std::string_view name) const {
  for (const ast::Element& element : body().elements) {
    const auto* const clause =
        std::get_if<const ast::ComponentClause*>(&element.node);
    if (clause == nullptr) {
      continue;
    }
    for (const ast::ComponentDeclaration& declared : (*clause)->components) {
      if (declared.name.text == name) {
        return Component{
            .element = &element, .clause = *clause, .declaration = &declared};
      }
    }
  }
  return std::nullopt;
}

ClassText::Component ClassText::Find(const std::string& name) const {
  if (const auto found = TryFind(name)) {
    return *found;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot edit '" + name + "': " + class_name_ +
                  " does not declare it itself; edit the class that does");
}

bool ClassText::Declares(std::string_view name) const {
  return std::ranges::any_of(
      body().elements, [name](const ast::Element& element) {
        if (const auto* nested =
                std::get_if<const ast::ClassDefinition*>(&element.node)) {
          return (*nested)->name.text == name;
        }
        const auto* const clause =
            std::get_if<const ast::ComponentClause*>(&element.node);
        return clause != nullptr &&
               std::ranges::any_of((*clause)->components,
                                   [name](const auto& declared) {
                                     return declared.name.text == name;
                                   });
      });
}

std::vector<ClassText::Connection> ClassText::Connections() const {
  std::vector<Connection> connections;
  for (const ast::Section& section : body().sections) {
    if (const auto* its = std::get_if<ast::EquationSection>(&section.node)) {
      AddConnections(its->equations, connections);
    }
  }
  return connections;
}

std::string ClassText::TextOf(const ast::ComponentReference& reference) const {
  std::string text;
  for (const char c : document_->TextOf(reference.span)) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      text += c;
    }
  }
  return text;
}

ClassText::Connection ClassText::FindConnection(const std::string& from,
                                                const std::string& to) const {
  for (const Connection connection : Connections()) {
    const auto& ends = std::get<ast::Connect>(connection->node);
    const std::string a = TextOf(ends.from);
    const std::string b = TextOf(ends.to);
    if ((a == from && b == to) || (a == to && b == from)) {
      return connection;
    }
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot find connect(" + from + ", " + to + ") in " + class_name_);
}

std::string ClassText::line_end() const {
  return LineEndOf(text_.text());
}

std::string ClassText::IndentAt(std::uint32_t offset) const {
  return internal::IndentAt(text_.text(), offset);
}

bool ClassText::IsFirstInLine(std::uint32_t offset) const {
  return internal::IsFirstInLine(text_.text(), offset);
}

std::uint32_t ClassText::BehindLine(std::uint32_t offset) const {
  return BehindComment(text_.text(), offset);
}

ast::Span ClassText::WithLines(const ast::Span& span) const {
  return internal::WithLines(
      text_.text(), {.begin = span.begin, .end = document_->EndOfItem(span)});
}

std::string ClassText::OwnIndent() const {
  return IndentAt(definition_->span.begin) + "  ";
}

TextEdit ClassText::ItemBehind(const ast::Span& item,
                               const std::string& text) const {
  const std::uint32_t at = BehindLine(document_->EndOfItem(item));
  if (!IsFirstInLine(item.begin)) {
    const std::uint32_t end = document_->EndOfItem(item);
    return {.span = {.begin = end, .end = end}, .text = " " + text};
  }
  return {.span = {.begin = at, .end = at},
          .text = line_end() + IndentAt(item.begin) + text};
}

// Behind the name and the description of the class.
std::uint32_t ClassText::HeaderEnd() const {
  const auto& strings = definition_->description.strings;
  std::uint32_t end = definition_->name.span.end;
  if (body().is_extension && body().modification != nullptr) {
    end = body().modification->span.end;
  }
  return strings.empty() ? end : std::max(end, strings.back().span.end);
}

TextEdit ClassText::FirstDeclaration(const std::string& text) const {
  const std::uint32_t at = BehindLine(HeaderEnd());
  const std::string& all = text_.text();
  const std::size_t next = all.find_first_not_of(" \t", at);
  const bool ends_line =
      next != std::string::npos && (all[next] == '\n' || all[next] == '\r');
  return {.span = {.begin = at, .end = at},
          .text = ends_line ? line_end() + OwnIndent() + text : " " + text};
}

TextEdit ClassText::NewDeclaration(const std::string& text) const {
  const ast::Element* last = nullptr;
  const ast::Element* last_component = nullptr;
  for (const ast::Element& element : body().elements) {
    if (element.visibility == ast::Visibility::kProtected) {
      continue;
    }
    last = &element;
    if (std::holds_alternative<const ast::ComponentClause*>(element.node)) {
      last_component = &element;
    }
  }
  const ast::Element* const behind =
      last_component != nullptr ? last_component : last;
  return behind == nullptr ? FirstDeclaration(text)
                           : ItemBehind(behind->span, text);
}

std::uint32_t ClassText::NameEnd(
    const ast::ComponentDeclaration& declared) const {
  if (declared.subscripts.empty()) {
    return declared.name.span.end;
  }
  const std::size_t token =
      document_->FirstTokenFrom(declared.subscripts.back()->span.end);
  return document_->tokens()[token].end;  // The ']'.
}

std::uint32_t ClassText::EndOfBody(const ast::ClassDefinition& of) const {
  if (of.description.annotation != nullptr) {
    return document_->KeywordOf(*of.description.annotation);
  }
  const ast::Span name = document_->EndNameOf(of);
  const std::size_t token = document_->FirstTokenFrom(name.begin);
  return token == 0 ? name.begin : document_->tokens()[token - 1].begin;
}

// Adds lines before that of `offset`, if it is the first in its line.
TextEdit ClassText::BeforeLine(std::uint32_t offset,
                               const std::string& text) const {
  if (!IsFirstInLine(offset)) {
    return {.span = {.begin = offset, .end = offset}, .text = text + " "};
  }
  const auto begin =
      offset - static_cast<std::uint32_t>(IndentAt(offset).size());
  return {.span = {.begin = begin, .end = begin}, .text = text + line_end()};
}

TextEdit ClassText::NewEquation(const std::string& text) const {
  const ast::Section* last = nullptr;
  for (const ast::Section& section : body().sections) {
    const auto* const its = std::get_if<ast::EquationSection>(&section.node);
    if (its != nullptr && !its->is_initial) {
      last = &section;
    }
  }
  if (last != nullptr) {
    const auto& equations =
        std::get<ast::EquationSection>(last->node).equations;
    if (!equations.empty()) {
      return ItemBehind(WholeOf(equations.back()), text);
    }
    // Behind the keyword `equation`.
    const std::size_t token = document_->FirstTokenFrom(last->span.begin);
    const std::uint32_t at = BehindLine(document_->tokens()[token].end);
    return {.span = {.begin = at, .end = at},
            .text = line_end() + OwnIndent() + text};
  }
  const std::uint32_t end = EndOfBody(*definition_);
  const std::string own = IndentAt(definition_->span.begin);
  return IsFirstInLine(end)
             ? BeforeLine(end,
                          own + "equation" + line_end() + own + "  " + text)
             : BeforeLine(end, "equation " + text);
}

}  // namespace orrery::modelica::internal
