#pragma once

#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/session.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// Lowers an algorithm section to a function: from the quantities read to those
/// assigned.
void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span);

}  // namespace orrery::modelica::internal
