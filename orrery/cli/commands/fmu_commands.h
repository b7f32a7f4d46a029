#pragma once

#include <string>
#include <vector>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// The request of `orrery fmu export`.
struct FmuExportCommand {
  RunDocument document;               ///< The model, and how it is solved.
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::string version = "3";
  std::string elementary = "same";
  std::string output;  ///< A file.
};

/// The request of `orrery fmu wrap`.
struct FmuWrapCommand {
  std::string file;    ///< An FMU.
  std::string output;  ///< A file; empty: beside the FMU.
  std::string kind;    ///< me or cs; empty: as the FMU is made.
};

/// The requests of `orrery fmu`.
struct FmuCommands {
  FmuExportCommand exported;
  FmuWrapCommand wrapped;
};

/// Writes a model as an FMU.
/// @returns the exit code.
/// @throws Error as ExportFmu.
int WriteFmu(const FmuExportCommand& command);

/// Writes a block in Modelica that uses an FMU.
/// @returns the exit code.
/// @throws Error as WrapFmu.
int WriteWrapped(const FmuWrapCommand& command);

/// Says what an FMU is, has and can do, with all that is wrong with it. No code
/// of it is run.
/// @returns the exit code.
/// @throws Error kInvalidModel with all findings if one is an error.
int CheckFmu(const CheckCommand& asked);

/// Says what a system of FMUs is made of, with all that is wrong with its
/// description and connections. Its FMUs are loaded.
/// @returns the exit code.
/// @throws Error as MakeSteppedRun.
int CheckFmuSystem(const CheckCommand& asked);

}  // namespace orrery::cli
