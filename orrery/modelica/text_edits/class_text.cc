#include "orrery/modelica/text_edits/class_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica::internal {
namespace {

bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

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
  Parse();
  if (definition_ == nullptr ||
      !std::holds_alternative<ast::LongClass>(definition_->node)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot edit '" + class_name_ +
                    "': the text has no class of that name with a body");
  }
}

void ClassText::Parse() {
  Diagnostics diagnostics;
  auto tree = modelica::Parse(
      std::make_shared<const SourceFile>(path_, text_.text()), diagnostics);
  document_ = std::make_shared<const Document>(
      std::shared_ptr<const ast::StoredDefinition>(std::move(tree)),
      diagnostics.list());
  definition_ = document_->FindClass(class_name_);
}

void ClassText::Apply(const std::vector<TextEdit>& edits) {
  const EditedText old_text = text_;
  const auto old_document = document_;
  const ast::ClassDefinition* const old_definition = definition_;
  text_.Apply(edits);
  Parse();
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

ClassText::Component ClassText::Find(const std::string& name) const {
  for (const ast::Element& element : body().elements) {
    const auto* const clause =
        std::get_if<const ast::ComponentClause*>(&element.node);
    if (clause == nullptr) {
      continue;
    }
    for (const ast::ComponentDeclaration& declared : (*clause)->components) {
      if (declared.name.text == name) {
        return {
            .element = &element, .clause = *clause, .declaration = &declared};
      }
    }
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
  return text_.text().find("\r\n") == std::string::npos ? "\n" : "\r\n";
}

std::string ClassText::IndentAt(std::uint32_t offset) const {
  const std::string& text = text_.text();
  const std::size_t end =
      offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = end == std::string::npos ? 0 : end + 1;
  std::size_t at = begin;
  while (at < text.size() && IsBlank(text[at])) {
    ++at;
  }
  return text.substr(begin, at - begin);
}

bool ClassText::IsFirstInLine(std::uint32_t offset) const {
  const std::string& text = text_.text();
  std::size_t at = offset;
  while (at > 0 && IsBlank(text[at - 1])) {
    --at;
  }
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}

std::uint32_t ClassText::BehindLine(std::uint32_t offset) const {
  const std::string& text = text_.text();
  std::size_t at = offset;
  while (at < text.size() && IsBlank(text[at])) {
    ++at;
  }
  const bool is_comment = text.compare(at, 2, "//") == 0;
  const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
  return is_comment ? static_cast<std::uint32_t>(end) : offset;
}

ast::Span ClassText::WithLines(const ast::Span& span) const {
  const std::string& text = text_.text();
  const std::uint32_t end = document_->EndOfItem(span);
  std::size_t behind = BehindLine(end);
  while (behind < text.size() && IsBlank(text[behind])) {
    ++behind;
  }
  const bool ends_line =
      behind == text.size() || text[behind] == '\n' || text[behind] == '\r';
  if (!IsFirstInLine(span.begin) || !ends_line) {
    std::uint32_t begin = span.begin;
    // One of the spaces around it goes, too.
    const bool has_space =
        begin > 0 && text[begin - 1] == ' ' &&
        (end == text.size() || text[end] == ' ' || ends_line);
    begin -= has_space ? 1 : 0;
    return {.begin = begin, .end = end};
  }
  std::size_t begin = span.begin;
  while (begin > 0 && IsBlank(text[begin - 1])) {
    --begin;
  }
  if (behind < text.size() && text[behind] == '\r') {
    ++behind;
  }
  if (behind < text.size() && text[behind] == '\n') {
    ++behind;
  }
  return {.begin = static_cast<std::uint32_t>(begin),
          .end = static_cast<std::uint32_t>(behind)};
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

std::uint32_t ClassText::EndOfBody() const {
  if (definition_->description.annotation != nullptr) {
    return document_->KeywordOf(*definition_->description.annotation);
  }
  const ast::Span name = document_->EndNameOf(*definition_);
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
  const std::uint32_t end = EndOfBody();
  const std::string own = IndentAt(definition_->span.begin);
  return IsFirstInLine(end)
             ? BeforeLine(end,
                          own + "equation" + line_end() + own + "  " + text)
             : BeforeLine(end, "equation " + text);
}

}  // namespace orrery::modelica::internal
