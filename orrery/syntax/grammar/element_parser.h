#pragma once

#include <optional>

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/grammar/modification_parser.h"

namespace orrery::modelica::internal {

/// Parses the declarations in a class: components, imports, extends clauses,
/// and the words before a class (specification 3.6, appendices A.2.3 and
/// A.2.4).
class ElementParser : public ModificationParser {
 protected:
  using ModificationParser::ModificationParser;

  [[nodiscard]] bool AtClass() const final;
  [[nodiscard]] bool AtElement() const;
  [[nodiscard]] bool AtDoubtfulName() const;
  [[nodiscard]] bool AtEquation() const;
  ast::ClassPrefixes ParseClassPrefixes();
  std::optional<ast::Element> ParseElement(ast::Visibility visibility);
  const ast::ComponentClause* ParseComponentClause(bool is_single) final;

 private:
  bool ParseDeclaredElement(ast::Element& element);
  const ast::Import* ParseImport();
  const ast::Extends* ParseExtends();
  ast::TypePrefix ParseTypePrefix();
  ast::ComponentDeclaration ParseComponentDeclaration(bool is_single);
};

}  // namespace orrery::modelica::internal
