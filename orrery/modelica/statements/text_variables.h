#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/value.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// The Strings of a function that statements assign. They have no variables in
/// the run: the statements determine the possible texts of each, and a number
/// selects the one assigned last. While a body is lowered, the binding of each
/// String is its value at that place.
class TextVariables {
 public:
  /// Makes a variable like a formula, for `name`.
  using MakeTemporary = std::function<Expr(Expr like, const std::string& name)>;

  /// The value of each String at a place in the body.
  using Values = std::vector<Value>;

  TextVariables(LoweringContext& lowering, MakeTemporary make_temporary)
      : lowering_(lowering), make_temporary_(std::move(make_temporary)) {}

  /// Before the body: adds Strings that statements may assign.
  void Keep(const std::vector<Component*>& texts, Statements& out);

  /// After the body: gives the Strings their values at the function's end.
  void End();

  /// A text with its present values: variables keep those that may change
  /// later.
  [[nodiscard]] Value Kept(const Value& text,
                           const ast::Span& span,
                           Statements& out);

  void Assign(Component& component,
              const Value& value,
              const ast::Span& span,
              Statements& out);

  [[nodiscard]] Values Save() const;
  void Set(const Values& values);

  /// Merges the values of Strings after branches.
  /// @param ends their values at the end of each branch.
  void Join(const std::vector<Values>& ends);

  /// Makes the Strings unknown that a loop assigns, until they are assigned
  /// there.
  void EnterLoop(const ast::List<ast::Statement>& body);
  void LeaveLoop(const ast::List<ast::Statement>& body);

  /// The number of texts that each String was assigned so far.
  [[nodiscard]] std::vector<std::size_t> CountAssigned() const;

  /// Takes back what was assigned since.
  void TakeBack(std::span<const std::size_t> counts);

 private:
  struct Variable {
    Component* component = nullptr;
    Expr number;  // Number of the last text, from 1; 0: `declared`.
    Value declared;
    std::vector<Value> assigned;
  };

  [[nodiscard]] Value LastAssigned(const Variable& text);

  LoweringContext& lowering_;
  MakeTemporary make_temporary_;
  std::vector<Variable> variables_;
};

}  // namespace orrery::modelica::internal
