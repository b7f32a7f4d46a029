#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/experiments/analysis_document.h"

namespace orrery {

/// The version of FMI called `name`: `2` or `3`.
/// @throws Error kInvalidArgument for another one.
[[nodiscard]] fmi::FmiVersion FmiVersionOf(const std::string& name);

/// The elementary functions called `name`: `same` or `libm`.
/// @throws Error kInvalidArgument for others.
[[nodiscard]] fmi::Elementary ElementaryOf(const std::string& name);

/// The kinds of use called `name`: `cs`, `me`, or both if it is empty.
/// @param what is exported, for messages.
/// @throws Error kInvalidArgument for others.
[[nodiscard]] fmi::ExportedUse ExportedUseOf(const std::string& name,
                                             const std::string& what);

/// Writes a compiled model as an FMU. Its settings are those of the model.
/// @param path of the FMU: `.fmu` ends it.
/// @returns warnings about the model, and a note of the parameters that are
///     constants of the FMU.
/// @throws Error as fmi::ExportFmu; kInvalidArgument for another ending; kIo.
[[nodiscard]] std::vector<Diagnostic> WriteFmu(const CompiledModel& model,
                                               fmi::ExportOptions options,
                                               const std::string& path);

/// What an FMU is to be. Plain data.
struct FmuForm {
  fmi::FmiVersion version = fmi::FmiVersion::k3;
  fmi::Elementary elementary = fmi::Elementary::kSame;
};

/// Writes the model of equations of a document as an FMU. Its method, step,
/// tolerance and settings are those of the FMU's runs, unless their importer
/// gives others; settings may shape the model.
/// @param path of the FMU: `.fmu` ends it.
/// @returns as WriteFmu.
/// @throws Error as LoadFile, Compile and fmi::ExportFmu; kInvalidArgument for
///     an unknown kind of use and another ending; kIo.
[[nodiscard]] std::vector<Diagnostic> ExportFmu(const RunDocument& document,
                                                const FmuForm& form,
                                                const std::string& path);

}  // namespace orrery
