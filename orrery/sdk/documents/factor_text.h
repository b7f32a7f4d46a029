#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery::sdk::internal {

/// Reads the ranges of `--vary` for a run: see ParseFactors. The model is read
/// only if a range has literals or a unit, for the enumerations and units of
/// its quantities.
/// @param labels further names of quantities, as their values.
/// @throws Error as ParseFactors and LoadFile.
[[nodiscard]] std::vector<Factor> FactorsOf(
    std::span<const std::string> vary,
    const RunDocument& run,
    std::span<const ParameterText> labels = {});

/// The names of what `--vary` says of a run; their own for labels, see above.
[[nodiscard]] std::vector<std::string> NamesVaried(
    std::span<const std::string> vary,
    std::span<const ParameterText> labels = {});

}  // namespace orrery::sdk::internal
