#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/modelica/workspace/document.h"

namespace orrery::modelica::internal {

/// A class of a text that is edited: its tree after each step, and the places
/// where something is added.
class ClassText {
 public:
  ClassText(const Document& document, std::string class_name);

  /// A component of the class.
  struct Component {
    const ast::Element* element = nullptr;
    const ast::ComponentClause* clause = nullptr;
    const ast::ComponentDeclaration* declaration = nullptr;
  };

  /// A connection, wherever in the class it is written.
  using Connection = const ast::Equation*;

  [[nodiscard]] const Document& document() const { return *document_; }

  [[nodiscard]] const ast::ClassDefinition& definition() const {
    return *definition_;
  }

  [[nodiscard]] const ast::LongClass& body() const {
    return std::get<ast::LongClass>(definition_->node);
  }

  [[nodiscard]] const EditedText& edited() const noexcept { return text_; }

  /// None if the class itself declares none.
  [[nodiscard]] std::optional<Component> TryFind(std::string_view name) const;

  /// @throws Error kInvalidArgument if the class itself declares none.
  [[nodiscard]] Component Find(const std::string& name) const;

  [[nodiscard]] bool Declares(std::string_view name) const;

  [[nodiscard]] std::vector<Connection> Connections() const;

  /// @throws Error kInvalidArgument if there is none.
  [[nodiscard]] Connection FindConnection(const std::string& from,
                                          const std::string& to) const;

  /// The text of a reference, without white-space.
  [[nodiscard]] std::string TextOf(
      const ast::ComponentReference& reference) const;

  /// "\n" or "\r\n", as the text has it.
  [[nodiscard]] std::string line_end() const;

  /// The white-space at the beginning of the line of `offset`.
  [[nodiscard]] std::string IndentAt(std::uint32_t offset) const;

  /// True if only white-space stands before `offset` in its line.
  [[nodiscard]] bool IsFirstInLine(std::uint32_t offset) const;

  /// Behind the item that ends at `offset`, and its line comment.
  [[nodiscard]] std::uint32_t BehindLine(std::uint32_t offset) const;

  /// All of an item and, if nothing else stands in its lines, of them.
  [[nodiscard]] ast::Span WithLines(const ast::Span& span) const;

  /// The edit that adds an item behind another one in a line of its own.
  [[nodiscard]] TextEdit ItemBehind(const ast::Span& item,
                                    const std::string& text) const;

  /// The edit that adds a declaration: behind the last component, else where
  /// the class begins.
  [[nodiscard]] TextEdit NewDeclaration(const std::string& text) const;

  /// The edit that adds an equation behind the last one.
  [[nodiscard]] TextEdit NewEquation(const std::string& text) const;

  /// The edit that adds a declaration as the first one of the class.
  [[nodiscard]] TextEdit FirstDeclaration(const std::string& text) const;

  /// Where the annotation of a class or, without one, its `end` begins.
  [[nodiscard]] std::uint32_t EndOfBody(const ast::ClassDefinition& of) const;

  /// Where the modification of a declaration begins, or is to begin.
  [[nodiscard]] std::uint32_t NameEnd(
      const ast::ComponentDeclaration& declared) const;

  /// Applies the edits and parses the text.
  /// @throws Error kInvalidArgument if it has new errors; nothing is changed.
  void Apply(const std::vector<TextEdit>& edits,
             EditKind kind = EditKind::kText);

 private:
  void Take(std::shared_ptr<const Document> document);
  [[nodiscard]] std::string OwnIndent() const;
  [[nodiscard]] std::uint32_t HeaderEnd() const;
  [[nodiscard]] TextEdit BeforeLine(std::uint32_t offset,
                                    const std::string& text) const;

  std::string path_;
  std::string class_name_;
  EditedText text_;
  std::shared_ptr<const Document> document_;
  const ast::ClassDefinition* definition_ = nullptr;
};

}  // namespace orrery::modelica::internal
