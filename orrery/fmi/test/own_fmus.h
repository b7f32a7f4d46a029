#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orrery/fmi/fmu.h"
#include "orrery/fmi/test/zip_writer.h"

namespace orrery::fmi {

/// For tests: the lag in `fmus/lag2.cc` as an FMU of FMI 2.0.
/// @param token `{lag}` is the right one.
[[nodiscard]] std::vector<ZipEntry> LagEntries(
    const std::string& token = "{lag}");

/// For tests: `fmus/types3.cc` as an FMU of FMI 3.0.
[[nodiscard]] std::vector<ZipEntry> TypesEntries();

/// For tests: `fmus/ball3.cc` as an FMU of FMI 3.0 for Model Exchange.
[[nodiscard]] std::vector<ZipEntry> BallEntries();

/// For tests: `fmus/switch2.cc` as an FMU of FMI 2.0 for Model Exchange.
[[nodiscard]] std::vector<ZipEntry> SwitchEntries();

/// For tests: `fmus/rows3.cc` as an FMU of FMI 3.0 for both kinds of use.
[[nodiscard]] std::vector<ZipEntry> RowsEntries();

/// For tests: `fmus/ticks3.cc` as an FMU of FMI 3.0 for both kinds of use.
/// @param steps attributes of Co-Simulation.
[[nodiscard]] std::vector<ZipEntry> TicksEntries(
    const std::string& steps =
        R"(hasEventMode="true" canHandleVariableCommunicationStepSize="true")");

/// For tests: the FMU with these files.
[[nodiscard]] Fmu FmuOf(const std::vector<ZipEntry>& entries);

}  // namespace orrery::fmi
