#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// Makes `part` the equations of a component of `into`. A variable of the part
/// that the component declares is one with it: there, values, starts and limits
/// of the component hold, else those of the part. All others are added under
/// the component's path. An input that the component does not declare keeps its
/// default.
///
/// Reports variables that the part lacks, or that differ in type, size, kind or
/// unit.
/// @param block of `into`; not in its list.
void JoinPart(const FlatModel& part,
              const ForeignBlock& block,
              FlatModel& into,
              Diagnostics& diagnostics);

}  // namespace orrery
