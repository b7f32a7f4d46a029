#pragma once

#include <string>
#include <vector>

#include "orrery/modelica/workspace/class_index.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// The classes that may stand for a replaceable one: those of its kind that
/// extend its constraint and are not partial, by name. Looked at are those
/// near the constraint, as all of Modelica.Media for one of its interfaces, and
/// those of some folders: to look at all takes as long as to read them.
/// @param folders without a slash at their ends.
/// @param constraint the full name of a class that the document sees; none fit
///     if it is unknown.
[[nodiscard]] std::vector<const ClassEntry*> FittingClasses(
    Workspace& workspace,
    const ClassIndex& index,
    const Document& document,
    const std::vector<std::string>& folders,
    const std::string& constraint);

}  // namespace orrery::modelica
