#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The version of FMI called `name`: `2` or `3`.
/// @throws Error kInvalidArgument for another one.
[[nodiscard]] fmi::FmiVersion FmiVersionOf(const std::string& name);

/// Writes the model of equations of a document as an FMU. Its method, step,
/// tolerance and settings are those of the FMU's runs, unless their importer
/// gives others; settings may shape the model.
/// @param path of the FMU: `.fmu` ends it.
/// @returns warnings about the model.
/// @throws Error as LoadFile, Compile and fmi::ExportFmu; kInvalidArgument for
///     an unknown kind of use and another ending; kIo.
[[nodiscard]] std::vector<Diagnostic> ExportFmu(const RunDocument& document,
                                                fmi::FmiVersion version,
                                                const std::string& path);

}  // namespace orrery
