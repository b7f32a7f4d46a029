#pragma once

#include <string>

#include "orrery/base/diagnostic.h"

namespace orrery {

/// Writes a block in Modelica that uses the FMU at `path` as its equations. The
/// block has the name of the file that is written.
/// @param output path of the text; empty: that of the FMU, with `.mo`. It names
///     the FMU relative to itself.
/// @param as the kind of use, `me` or `cs`; empty: Model Exchange if the FMU is
///     made for it.
/// @param findings gets what is odd about the FMU.
/// @returns the path of the text.
/// @throws Error as LoadFmu and fmi::BlockText; kInvalidArgument for another
///     kind of use or ending than `.mo`, and for a file that is there and was
///     not written so; kIo.
std::string WrapFmu(const std::string& path,
                    const std::string& output,
                    const std::string& as,
                    Diagnostics& findings);

}  // namespace orrery
