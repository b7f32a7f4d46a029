#pragma once

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/grammar/expression_parser.h"

namespace orrery::modelica::internal {

/// Parses modifications, annotations and descriptions (specification 3.6,
/// appendix A.2.5). Redeclarations have declarations in them: those come from
/// the parsers above.
class ModificationParser : public ExpressionParser {
 public:
  ModificationParser(const ModificationParser&) = delete;
  ModificationParser& operator=(const ModificationParser&) = delete;
  virtual ~ModificationParser() = default;

 protected:
  using ExpressionParser::ExpressionParser;

  [[nodiscard]] virtual bool AtClass() const = 0;

  /// @param must_be_short true for `type A = B`, as redeclarations have it.
  /// @returns null where not even a name can be found.
  virtual const ast::ClassDefinition* ParseClassDefinition(
      bool must_be_short) = 0;

  /// @param is_single true for the one component of a redeclaration.
  virtual const ast::ComponentClause* ParseComponentClause(bool is_single) = 0;

  ast::Description ParseDescription();
  ast::Description ParseOwnDescription();
  const ast::ClassModification* ParseAnnotation();

  [[nodiscard]] bool AtModification() const;
  const ast::Modification* ParseModification();
  const ast::ClassModification* ParseClassModification(bool may_break = false);
  const ast::ConstrainingClause* ParseConstrainingClause();

  /// An equation, or what `break connect(a, b)` leaves out.
  ast::Connect ParseConnect();

 private:
  ast::Argument ParseArgument();
  void ParseReplacement(ast::Argument& argument);
  ast::Argument ParseInheritanceBreak();
};

}  // namespace orrery::modelica::internal
