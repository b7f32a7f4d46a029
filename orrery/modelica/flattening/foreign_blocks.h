#pragma once

#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Lists an instance in FlatModel::foreign_blocks if its class, or one that it
/// inherits, names a file with its equations:
///
///     annotation(__Orrery(fmu = "Motor.fmu", kind = "ModelExchange"))
///
/// The file is beside the text of that class, else where its name says; it may
/// be `modelica://Library/Resources/Motor.fmu`. The variables that the class
/// declares are those of the file.
void ListForeignBlocks(Session& session, Instance& instance);

}  // namespace orrery::modelica::internal
