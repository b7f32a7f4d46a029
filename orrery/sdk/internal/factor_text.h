#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/parameters.h"
#include "orrery/experiment/factor.h"
#include "orrery/sdk/run_document.h"

namespace orrery::internal {

/// What `--vary` says of a run: see ParseFactors. Only where a range has
/// literals or a unit, the model is read to see of which enumerations they are,
/// and in which unit the quantity is.
/// @param labels what quantities are called there beside their own names: as
///     their values.
/// @throws Error as ParseFactors and LoadFile.
[[nodiscard]] std::vector<Factor> FactorsOf(
    std::span<const std::string> vary,
    const RunDocument& run,
    std::span<const ParameterText> labels = {});

/// The names of what `--vary` says of a run; their own for labels, see above.
[[nodiscard]] std::vector<std::string> NamesVaried(
    std::span<const std::string> vary,
    std::span<const ParameterText> labels = {});

}  // namespace orrery::internal
