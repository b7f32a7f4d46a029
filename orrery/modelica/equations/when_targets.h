#pragma once

#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// The branches of a when-equation, or of an if-equation in one: conditions
/// and assignments.
struct WhenChoice {
  std::vector<Expr> conditions;  ///< One fewer than branches with an `else`.
  std::vector<std::vector<Equation>> branches;
};

/// Reports a left side that an equation in a when-clause cannot assign.
void CheckTarget(LoweringContext& context, const ast::Expression& target);

/// Replaces equations of arrays by those of their elements.
void SplitIntoScalars(ExprGraph& graph, std::vector<Equation>& equations);

/// Splits arrays into elements if the target is not a variable or an element of
/// one, or always with `into_elements`.
void SplitTargets(ExprGraph& graph,
                  std::vector<Equation>& equations,
                  bool into_elements = false);

/// Notes what the equations of a branch assign.
void AddTargets(Session& session,
                const std::vector<Equation>& equations,
                EventTable::Target target);

/// The branches' assignments as equations. Without an else-branch, variables
/// keep their values.
[[nodiscard]] std::vector<Equation> AssignmentsOf(LoweringContext& context,
                                                  WhenChoice choice,
                                                  const ast::Span& span);

}  // namespace orrery::modelica::internal
