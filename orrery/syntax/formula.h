#pragma once

#include <span>
#include <string>
#include <string_view>

#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica {

/// The first mistake in a formula; it ends the reading.
struct FormulaMistake {
  ast::Span span;
  std::string message;
  std::string hint;  ///< May be empty.
};

/// Reads a formula in Modelica's notation into a graph: names, numbers,
/// operators, elementary functions and choices (`if c then a else b`). A
/// derived class resolves the names and may add functions.
class FormulaReader {
 public:
  /// @param text contains the expressions to be read; must outlive the reader.
  /// @param kind of formula, for messages: "condition".
  FormulaReader(ExprGraph& graph, std::string_view text, std::string kind);
  virtual ~FormulaReader() = default;
  FormulaReader(const FormulaReader&) = delete;
  FormulaReader& operator=(const FormulaReader&) = delete;

  /// Returns a scalar formula, numeric or Boolean.
  /// @throws FormulaMistake
  Expr Read(const ast::Expression& expression);

  /// Like Read(), but the formula must be a condition, or a number.
  Expr Condition(const ast::Expression& expression);
  Expr Number(const ast::Expression& expression);

 protected:
  [[nodiscard]] ExprGraph& graph() const noexcept { return graph_; }

  [[nodiscard]] std::string TextOf(const ast::Span& span) const;

  /// The text at `span` without spaces: `mass[3].x`.
  [[nodiscard]] std::string NameOf(const ast::Span& span) const;

  /// Applies an elementary function, min or max of two arguments.
  /// @param others names of further functions, to suggest the nearest of all.
  Expr ApplyElementary(const ast::Call& call,
                       const ast::Span& span,
                       std::span<const std::string> others = {});

 private:
  /// The formula that a name refers to.
  /// @throws FormulaMistake
  virtual Expr Find(const ast::ComponentReference& reference) = 0;

  /// The result of a function call; by default only elementary functions are
  /// known.
  /// @throws FormulaMistake
  virtual Expr Apply(const ast::Call& call, const ast::Span& span) {
    return ApplyElementary(call, span);
  }

  /// True if a number is always 0 or 1 and so may be used as a condition.
  [[nodiscard]] virtual bool IsTruth(Expr /*number*/) const { return false; }

  Expr AsCondition(Expr value, const ast::Span& span);
  Expr Apply(const ast::IfExpression& choice);
  Expr Apply(const ast::Unary& unary);
  Expr Apply(const ast::Operation& operation);
  [[nodiscard]] Expr Combine(ast::BinaryOperator op,
                             Expr left,
                             Expr right,
                             const ast::Expression& at) const;

  ExprGraph& graph_;
  std::string_view text_;
  std::string kind_;
};

}  // namespace orrery::modelica
