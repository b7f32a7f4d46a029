#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

struct Session;

/// The value that a modifier gives to its element of an array of components.
/// Throws Abandoned.
Value ModifierValue(Session& session, const Modifier& modifier);

/// The value given to a component, of its type and shape; empty if there is
/// none. Throws Abandoned.
const Value& BindingOf(Session& session, Component& given);

/// The value of a constant. Throws Abandoned.
Value ConstantValue(Session& session,
                    Component& component,
                    const Context& user,
                    const ast::Span& span);

/// The numbers of a formula over constants and parameters, row-major. The
/// parameters become structural. Reports `why` the value is needed and throws
/// Abandoned if the formula depends on more.
std::vector<double> Evaluate(Session& session,
                             Expr expr,
                             const Context& context,
                             const ast::Span& span,
                             std::string_view why);

/// True if a formula's value depends on parameters that runs give other values.
bool DependsOnVaried(Session& session, Expr expr);

/// Like Evaluate(), but without a report: none if it cannot be evaluated.
std::optional<std::vector<double>> TryEvaluate(Session& session, Expr expr);

}  // namespace orrery::modelica::internal
