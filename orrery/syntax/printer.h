#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/print_expression.h"

namespace orrery::modelica::internal {

/// Writes a tree as text; implements Unparse().
class Printer {
 public:
  /// @param has_descriptions whether descriptions and annotations are written.
  explicit Printer(bool has_descriptions)
      : has_descriptions_(has_descriptions) {}

  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;
  ~Printer() = default;

  void Print(const ast::StoredDefinition& definition);
  void Print(const ast::ClassDefinition& definition);
  void Print(const ast::Element& element);
  void Print(const ast::Equation& equation);
  void Print(const ast::Statement& statement);

  /// In parentheses if its outermost operator binds less than `min`.
  void Print(const ast::Expression& expression,
             ast::Precedence min = ast::Precedence::kIf) {
    expressions_.Print(expression, min);
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  template <typename... Parts>
  void Write(const Parts&... parts) {
    ((text_ += parts), ...);
  }

  void WriteIf(bool condition, std::string_view word) {
    text_ += condition ? word : std::string_view();
  }

  void NewLine() {
    text_ += '\n';
    text_.append(2 * indent_, ' ');
  }

  // Names and descriptions.
  void Print(const ast::Name& name) { expressions_.Print(name); }

  void Print(const ast::ComponentReference& reference) {
    expressions_.Print(reference);
  }

  void Print(const ast::StringLiteral& string) { expressions_.Print(string); }

  void PrintStrings(const ast::List<ast::StringLiteral>& strings);
  void PrintDescription(const ast::Description& description);
  void PrintAnnotation(const ast::ClassModification* annotation);

  // Modifications.
  void PrintModification(const ast::Modification* modification);
  void PrintArguments(const ast::ClassModification* modification);
  void Print(const ast::Argument& argument);
  void PrintNode(const ast::ElementModification& node);
  void PrintNode(const ast::ClassDefinition* node);
  void PrintNode(const ast::ComponentClause* node);
  void PrintNode(const ast::BreakElement& node);
  void PrintNode(const ast::BreakConnect& node);
  void PrintConstraint(const ast::ConstrainingClause* constraint);

  // Equations and statements.
  void PrintNode(const ast::SimpleEquation& node);
  void PrintNode(const ast::CallItem& node);
  void PrintNode(const ast::Connect& node);
  void PrintNode(const ast::Assignment& node);
  void PrintNode(const ast::MultiAssignment& node);
  void PrintNode(const ast::While& node);
  void PrintNode(const ast::Break& node);
  void PrintNode(const ast::Return& node);
  template <typename Item>
  void PrintNode(const ast::If<Item>& node);
  template <typename Item>
  void PrintNode(const ast::When<Item>& node);
  template <typename Item>
  void PrintNode(const ast::For<Item>& node);
  template <typename Item>
  void PrintBranches(const ast::List<ast::Branch<Item>>& branches,
                     std::string_view keyword);
  template <typename Item>
  void PrintItems(const ast::List<Item>& items);

  // Classes.
  void PrintPrefixes(const ast::ClassPrefixes& prefixes);
  void PrintClassNode(const ast::LongClass& node,
                      const ast::ClassDefinition& definition);
  void PrintClassNode(const ast::ShortClass& node,
                      const ast::ClassDefinition& definition);
  void PrintClassNode(const ast::Enumeration& node,
                      const ast::ClassDefinition& definition);
  void PrintClassNode(const ast::DerivativeClass& node,
                      const ast::ClassDefinition& definition);
  void PrintNode(const ast::ElementSection& node);
  void PrintNode(const ast::EquationSection& node);
  void PrintNode(const ast::AlgorithmSection& node);
  void Print(const ast::External& external);
  void PrintNode(const ast::Import* node);
  void PrintNode(const ast::Extends* node);
  void Print(const ast::ComponentDeclaration& component);

  std::string text_;
  ExpressionPrinter expressions_{text_};
  std::size_t indent_ = 0;
  bool has_descriptions_;
};

}  // namespace orrery::modelica::internal
