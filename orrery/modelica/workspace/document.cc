#include "orrery/modelica/workspace/document.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "orrery/syntax/lexer.h"

namespace orrery::modelica {
namespace {

bool IsWord(TokenKind kind) {
  return kind == TokenKind::kIdentifier || kind < TokenKind::kLeftParen;
}

// Calls `visit(definition, name)` for the class and those in it until one call
// returns true.
bool AnyClass(const ast::ClassDefinition& text,
              const std::string& name,
              const std::function<bool(const ast::ClassDefinition&,
                                       const std::string&)>& visit) {
  if (visit(text, name)) {
    return true;
  }
  for (const ast::ClassDefinition* const nested : ClassesIn(text)) {
    if (AnyClass(*nested, name + "." + std::string(nested->name.text), visit)) {
      return true;
    }
  }
  return false;
}

bool AnyClass(const ast::StoredDefinition& tree,
              const std::function<bool(const ast::ClassDefinition&,
                                       const std::string&)>& visit) {
  std::string prefix;
  if (tree.within && !tree.within->parts.empty()) {
    prefix = ast::ToString(*tree.within) + ".";
  }
  return std::ranges::any_of(tree.classes, [&](const ast::StoredClass& stored) {
    return AnyClass(*stored.definition,
                    prefix + std::string(stored.definition->name.text),
                    visit);
  });
}

}  // namespace

Document::Document(std::shared_ptr<const ast::StoredDefinition> tree,
                   std::vector<Diagnostic> findings)
    : tree_(std::move(tree)),
      findings_(std::move(findings)),
      tokens_(Tokenize(tree_->file->text()).tokens) {}

bool Document::has_errors() const noexcept {
  return std::ranges::find(findings_,
                           Severity::kError,
                           &Diagnostic::severity) != findings_.end();
}

std::size_t Document::FirstTokenFrom(std::uint32_t offset) const {
  const auto found =
      std::ranges::lower_bound(tokens_, offset, {}, &Token::begin);
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::size_t Document::WordAt(std::uint32_t offset) const {
  const std::size_t next = FirstTokenFrom(offset);
  if (next < tokens_.size() && tokens_[next].begin == offset &&
      IsWord(tokens_[next].kind)) {
    return next;
  }
  const bool is_in = next > 0 && tokens_[next - 1].end >= offset &&
                     IsWord(tokens_[next - 1].kind);
  return is_in ? next - 1 : tokens_.size();
}

std::uint32_t Document::EndOfItem(const ast::Span& span) const {
  const std::size_t next = FirstTokenFrom(span.end);
  return next < tokens_.size() && tokens_[next].kind == TokenKind::kSemicolon
             ? tokens_[next].end
             : span.end;
}

ast::Span Document::EndNameOf(const ast::ClassDefinition& text) const {
  const std::size_t next = FirstTokenFrom(text.span.end);
  const bool is_there = std::holds_alternative<ast::LongClass>(text.node) &&
                        next >= 2 && next <= tokens_.size() &&
                        tokens_[next - 1].kind == TokenKind::kIdentifier &&
                        tokens_[next - 2].kind == TokenKind::kEnd;
  if (!is_there) {
    return {.begin = text.span.end, .end = text.span.end};
  }
  return {.begin = tokens_[next - 1].begin, .end = tokens_[next - 1].end};
}

std::uint32_t Document::KeywordOf(
    const ast::ClassModification& annotation) const {
  const std::size_t at = FirstTokenFrom(annotation.span.begin);
  return at > 0 && tokens_[at - 1].kind == TokenKind::kAnnotation
             ? tokens_[at - 1].begin
             : annotation.span.begin;
}

std::vector<const ast::ClassDefinition*> Document::ClassesAround(
    std::uint32_t offset) const {
  std::vector<const ast::ClassDefinition*> around;
  std::vector<const ast::ClassDefinition*> here;
  for (const ast::StoredClass& stored : tree_->classes) {
    here.push_back(stored.definition);
  }
  while (true) {
    const auto found = std::ranges::find_if(here, [offset](const auto* text) {
      return text->span.begin <= offset && offset <= text->span.end;
    });
    if (found == here.end()) {
      return around;
    }
    around.push_back(*found);
    here = ClassesIn(*around.back());
  }
}

const ast::ClassDefinition* Document::FindClass(std::string_view dotted) const {
  const ast::ClassDefinition* result = nullptr;
  AnyClass(*tree_, [&](const auto& text, const std::string& name) {
    result = name == dotted ? &text : nullptr;
    return result != nullptr;
  });
  return result;
}

std::string Document::NameOf(const ast::ClassDefinition& text) const {
  std::string result;
  AnyClass(*tree_, [&](const auto& its, const std::string& name) {
    result = &its == &text ? name : "";
    return !result.empty();
  });
  return result;
}

std::vector<const ast::ClassDefinition*> ClassesIn(
    const ast::ClassDefinition& text) {
  std::vector<const ast::ClassDefinition*> nested;
  const auto* const body = std::get_if<ast::LongClass>(&text.node);
  if (body == nullptr) {
    return nested;
  }
  for (const ast::Element& element : body->elements) {
    if (const auto* const its =
            std::get_if<const ast::ClassDefinition*>(&element.node)) {
      nested.push_back(*its);
    }
  }
  return nested;
}

}  // namespace orrery::modelica
