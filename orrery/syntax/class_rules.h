#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// Reports what the texts of the classes alone show to be wrong, of those
/// within them too: prefixes and sections that a specialized class cannot have
/// (specification 3.6, section 4.6), and literals of an enumeration that are
/// equal (section 4.8.5).
void CheckRules(const ast::StoredDefinition& definition,
                Diagnostics& diagnostics);

}  // namespace orrery::modelica::internal
