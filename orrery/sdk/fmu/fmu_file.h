#pragma once

#include <string>
#include <string_view>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/fmi/fmu.h"

namespace orrery {

/// True for the name of an FMU: `.fmu` ends it.
[[nodiscard]] bool IsFmu(std::string_view path);

/// True for the name of a system of FMUs: `.ssp` or `.ssd` ends it.
[[nodiscard]] bool IsFmuSystem(std::string_view path);

/// Reads the FMU at `path`, of FMI 2.0 or 3.0. No code of it is run. Findings
/// that are no errors are added to `diagnostics`.
/// @param files source of the file.
/// @throws Error kIo if there is no such file, kInvalidModel with all that is
///     wrong.
[[nodiscard]] fmi::Fmu LoadFmu(const std::string& path,
                               Diagnostics& diagnostics,
                               const FileSet& files = {});

}  // namespace orrery
