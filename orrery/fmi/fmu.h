#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/fmi/archive.h"
#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// An FMU as a file: its archive, and what it says of itself. Immutable; code
/// of it is not run. A handle, cheap to copy.
struct Fmu {
  std::shared_ptr<const Archive> archive;
  std::shared_ptr<const Description> description;
  std::vector<std::string> platforms;  ///< Folders with code: `x86_64-linux`.
  bool has_sources = false;
  /// Structural parameters that each instance is given, see `WithSizes`.
  std::vector<VariableIndex> sizes = {};
};

/// The folder for code of this machine: `linux64` in FMI 2.0, `x86_64-linux` in
/// FMI 3.0.
[[nodiscard]] std::string PlatformHere(FmiVersion version);

/// Reads an FMU. Findings that are no errors are added to `diagnostics`.
/// @throws Error kInvalidModel "cannot read X.fmu: ...", or with all errors of
///     its description.
[[nodiscard]] Fmu ReadFmu(std::shared_ptr<const SourceFile> file,
                          Diagnostics& diagnostics);

}  // namespace orrery::fmi
