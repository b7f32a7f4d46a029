#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/model/flat_model.h"

namespace orrery::fmi {

/// Joins the equations of FMUs to the components of `flat` that name them, all
/// of `FlatModel::foreign_blocks`. Components with one file and the same texts
/// share its code. Reports files that cannot be read or used, and what
/// JoinPart() does.
void JoinBlocks(FlatModel& flat,
                const FileSet& files,
                Diagnostics& diagnostics);

}  // namespace orrery::fmi
