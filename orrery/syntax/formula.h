#pragma once

#include <span>
#include <string>
#include <string_view>

#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica {

/// What is wrong with a formula; the first mistake ends the reading.
struct FormulaMistake {
  ast::Span span;
  std::string message;
  std::string hint;  ///< May be empty.
};

/// Makes a formula over a graph of one that is written in Modelica's notation:
/// names, numbers, operators, elementary functions and choices (`if c then a
/// else b`). What the names stand for, and which further functions there are,
/// is for a derived class to say.
class FormulaReader {
 public:
  /// @param text that the expressions to be read are of; must outlive it.
  /// @param kind of formula, for messages: "condition".
  FormulaReader(ExprGraph& graph, std::string_view text, std::string kind);
  virtual ~FormulaReader() = default;
  FormulaReader(const FormulaReader&) = delete;
  FormulaReader& operator=(const FormulaReader&) = delete;

  /// A scalar formula, of numbers or of truths.
  /// @throws FormulaMistake
  Expr Read(const ast::Expression& expression);

  /// The same; it must be one of truths, or of numbers.
  Expr Condition(const ast::Expression& expression);
  Expr Number(const ast::Expression& expression);

 protected:
  [[nodiscard]] ExprGraph& graph() const noexcept { return graph_; }

  [[nodiscard]] std::string TextOf(const ast::Span& span) const;

  /// As written, but for spaces: `mass[3].x`.
  [[nodiscard]] std::string NameOf(const ast::Span& span) const;

  /// Applies an elementary function, min or max of two arguments.
  /// @param others names of further functions, to suggest the nearest of all.
  Expr ApplyElementary(const ast::Call& call,
                       const ast::Span& span,
                       std::span<const std::string> others = {});

 private:
  /// What a name stands for.
  /// @throws FormulaMistake
  virtual Expr Find(const ast::ComponentReference& reference) = 0;

  /// A call of a function, by default of one that all formulas know.
  /// @throws FormulaMistake
  virtual Expr Apply(const ast::Call& call, const ast::Span& span) {
    return ApplyElementary(call, span);
  }

  /// Whether a number is a truth, 0 or 1, and so may stand as a condition.
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
