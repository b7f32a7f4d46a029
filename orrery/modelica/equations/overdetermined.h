#pragma once

#include <string>

#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// True if a condition calls Connections.isRoot or Connections.rooted. Roots
/// are known only after all other equations.
[[nodiscard]] bool AsksForRoots(const ast::Expression& condition);

/// True if a condition in the equation does.
[[nodiscard]] bool AsksForRoots(const ast::Equation& equation);

/// True if the type of a component has more numbers than a connection may set
/// equal.
[[nodiscard]] bool IsOverdetermined(Session& session,
                                    const Component& component);

/// Two overdetermined components that are connected.
struct OverdeterminedPair {
  Component& a;
  Component& b;
  ConnectionSides sides;
};

/// Connects them. The other connections decide if the two become equal or are
/// only checked for equality.
void ConnectOverdetermined(LoweringContext& from,
                           SignalSets& signals,
                           const OverdeterminedPair& pair,
                           const ast::Span& span);

/// Lowers a call of an operator in `Connections`, such as Connections.root.
void LowerConnectionsOperator(LoweringContext& lowering,
                              const std::string& name,
                              const ast::Call& call,
                              const ast::Span& span);

}  // namespace orrery::modelica::internal
