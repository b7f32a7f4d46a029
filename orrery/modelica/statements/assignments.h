#pragma once

#include <utility>
#include <vector>

#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/statements/picked_target.h"
#include "orrery/modelica/statements/statement_context.h"
#include "orrery/modelica/values/selection.h"

namespace orrery::modelica::internal {

/// Lowers assignments to variables, to their elements and fields, and to places
/// that only the run knows.
class AssignmentLowering {
 public:
  explicit AssignmentLowering(StatementContext& context) : context_(context) {}

  void Lower(const ast::Assignment& assignment,
             const ast::Span& span,
             Statements& out);
  void LowerMulti(const ast::MultiAssignment& assignment,
                  const ast::Span& span,
                  Statements& out);

 private:
  struct Target {
    Expr symbol;
    Component* text = nullptr;  ///< A String; it has no symbol.
    Value value = {};           ///< The String's value.
    std::vector<Subscript> subscripts;
    ast::Span span;
    /// If `symbol` is made up: the targets of its elements, row-major.
    std::vector<Expr> parts = {};
  };

  using Assignments = std::vector<std::pair<Target, Expr>>;

  /// Collects the targets of an assignment with their values, one for each
  /// array of numbers.
  void Collect(Component& component,
               const ast::Expressions& subscripts,
               const Value& value,
               const ast::Span& span,
               Assignments& out);
  void CollectRecords(Component& component,
                      const ast::Expressions& subscripts,
                      const Value& value,
                      const ast::Span& span,
                      Assignments& out);
  void CollectPlace(const NamedPlace& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectInRun(const NamedPlace& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectPicked(const PickedTarget& picked,
                     const Value& value,
                     const ast::Span& span,
                     Assignments& out);
  void CollectPickedNumbers(const PickedTarget& picked,
                            const Value& value,
                            const ast::Span& span,
                            Assignments& out);
  void AssignParts(const Target& target, Expr value, Statements& out);
  void AssignAll(const Assignments& assignments,
                 const ast::Span& span,
                 Statements& out);
  void Assign(const Target& target, Expr value, Statements& out);

  StatementContext& context_;
};

}  // namespace orrery::modelica::internal
