#pragma once

#include <string_view>

#include "orrery/modelica/session/instances.h"

namespace orrery::modelica::internal {

/// A modifier of a class as its library wants it now, of one whose text may be
/// written for an older version of it (specification 3.6, section 18.8.2).
/// @param modifier may be null, and so may the result.
/// @param type has the elements: the class, or one that inherits from it.
/// @param old_name of the class in that version.
/// @param where the text names the class.
const Modifier* Converted(Session& session,
                          const Modifier* modifier,
                          ClassNode& type,
                          std::string_view old_name,
                          const Context& where);

}  // namespace orrery::modelica::internal
