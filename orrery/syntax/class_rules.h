#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// Reports errors that the texts of classes, nested ones included, show by
/// themselves: prefixes and sections that a specialized class must not have
/// (specification 3.6, section 4.6), and equal literals of an enumeration
/// (section 4.8.5).
void CheckRules(const ast::StoredDefinition& definition,
                Diagnostics& diagnostics);

}  // namespace orrery::modelica::internal
