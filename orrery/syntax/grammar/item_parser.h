#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/grammar/element_parser.h"
#include "orrery/syntax/token.h"

namespace orrery::modelica::internal {

/// Parses the items of a section: equations and statements (specification 3.6,
/// appendix A.2.6).
class ItemParser : public ElementParser {
 protected:
  using ElementParser::ElementParser;

  /// A construct that an `end` must close.
  struct Block {
    TokenKind kind = TokenKind::kIf;
    ast::Span begin;        ///< The opening keyword.
    std::string_view name;  ///< Classes only.
  };

  [[nodiscard]] bool AtItemsEnd() const;

  /// @tparam Item ast::Equation or ast::Statement.
  template <typename Item>
  ast::List<Item> ParseItems();

  std::vector<Block> blocks_;  // Open blocks, outermost first.

 private:
  template <typename Item>
  std::optional<Item> ParseItem();
  std::optional<ast::Equation> ParseEquation();
  std::optional<ast::Statement> ParseStatement();
  template <typename Item>
  std::optional<Item> ParseCompound();
  template <typename Item>
  ast::List<ast::Branch<Item>> ParseBranches(TokenKind open, TokenKind next);
  template <typename Item>
  ast::For<Item> ParseFor();
  ast::While ParseWhile();
  std::optional<ast::Equation> ParseSimpleEquation();
  std::optional<ast::Statement> ParseAssignment();
  std::optional<ast::Statement> ParseMultiAssignment();
  void ParseMisplacedDeclaration(std::string_view section);
  bool TakeElseOfWhen();
  void ParseEndOf(TokenKind kind);
  [[nodiscard]] bool IsOpenBelow(TokenKind kind) const;
  [[nodiscard]] bool IsInLoop() const;
};

extern template ast::List<ast::Equation> ItemParser::ParseItems();
extern template ast::List<ast::Statement> ItemParser::ParseItems();

}  // namespace orrery::modelica::internal
