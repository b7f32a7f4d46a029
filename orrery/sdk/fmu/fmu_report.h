#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/fmu.h"

namespace orrery {

/// Text for a start value: `1.5`, `1 2 3`, `'a'`; Binaries are in hexadecimal
/// digits. Empty if there is none.
[[nodiscard]] std::string StartText(const fmi::Variable& variable);

/// Facts, contents and abilities of an FMU, as one JSON object.
[[nodiscard]] std::string FmuReport(const fmi::Fmu& fmu,
                                    const std::vector<Diagnostic>& findings);

}  // namespace orrery
