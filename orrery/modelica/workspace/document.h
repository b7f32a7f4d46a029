#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/token.h"

namespace orrery::modelica {

/// One state of a text: its tree, its tokens and the findings of its parser.
/// Immutable; copies share the tree.
class Document {
 public:
  Document(std::shared_ptr<const ast::StoredDefinition> tree,
           std::vector<Diagnostic> findings);

  [[nodiscard]] const std::string& path() const noexcept {
    return tree_->file->name();
  }

  [[nodiscard]] std::string_view text() const noexcept {
    return tree_->file->text();
  }

  [[nodiscard]] const std::shared_ptr<const SourceFile>& file() const noexcept {
    return tree_->file;
  }

  [[nodiscard]] const ast::StoredDefinition& tree() const noexcept {
    return *tree_;
  }

  /// Findings of the parser.
  [[nodiscard]] const std::vector<Diagnostic>& findings() const noexcept {
    return findings_;
  }

  [[nodiscard]] bool has_errors() const noexcept;

  /// The last one is kEndOfFile.
  [[nodiscard]] const std::vector<Token>& tokens() const noexcept {
    return tokens_;
  }

  [[nodiscard]] std::string_view TextOf(const ast::Span& span) const {
    return text().substr(span.begin, span.end - span.begin);
  }

  [[nodiscard]] std::string_view TextOf(const Token& token) const {
    return text().substr(token.begin, token.end - token.begin);
  }

  /// The number of the first token that begins at `offset` or behind it.
  [[nodiscard]] std::size_t FirstTokenFrom(std::uint32_t offset) const;

  /// The number of the identifier or keyword that contains `offset` or ends
  /// there; the number of tokens if there is none.
  [[nodiscard]] std::size_t WordAt(std::uint32_t offset) const;

  /// The end of the `;` that follows `span`; the end of `span` if none does.
  [[nodiscard]] std::uint32_t EndOfItem(const ast::Span& span) const;

  /// The name after the `end` of a class; an empty span if there is none.
  [[nodiscard]] ast::Span EndNameOf(const ast::ClassDefinition& text) const;

  /// Where the keyword `annotation` in front of these parentheses begins.
  [[nodiscard]] std::uint32_t KeywordOf(
      const ast::ClassModification& annotation) const;

  /// The classes around `offset`, the outermost first.
  [[nodiscard]] std::vector<const ast::ClassDefinition*> ClassesAround(
      std::uint32_t offset) const;

  /// The class with that dotted name, counted from the top of all classes;
  /// null if this text has none.
  [[nodiscard]] const ast::ClassDefinition* FindClass(
      std::string_view dotted) const;

  /// The full name of a class of this text; empty if it is none.
  [[nodiscard]] std::string NameOf(const ast::ClassDefinition& text) const;

 private:
  std::shared_ptr<const ast::StoredDefinition> tree_;
  std::vector<Diagnostic> findings_;
  std::vector<Token> tokens_;
};

/// The classes written right in a class.
[[nodiscard]] std::vector<const ast::ClassDefinition*> ClassesIn(
    const ast::ClassDefinition& text);

/// An equation or a statement with its description and annotation.
template <typename Item>
[[nodiscard]] ast::Span WholeOf(const Item& item) {
  ast::Span span = item.span;
  if (!item.description.strings.empty()) {
    span.end = std::max(span.end, item.description.strings.back().span.end);
  }
  if (item.description.annotation != nullptr) {
    span.end = std::max(span.end, item.description.annotation->span.end);
  }
  return span;
}

}  // namespace orrery::modelica
