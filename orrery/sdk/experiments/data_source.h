#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/experiment/calibration/calibration.h"
#include "orrery/experiment/design/factor.h"

namespace orrery::sdk::internal {

/// Reads NAME=VALUE; the name is empty if there is no '='.
[[nodiscard]] ParameterText Assignment(std::string_view text);

/// The source of the measurements of one run of a calibration.
struct DataSource {
  std::string file;
  std::vector<ParameterText> settings = {};
  std::vector<ParameterText> labels = {};  ///< Names that are set to estimates.
  std::string input = {};
};

/// Reads FILE[, NAME=VALUE]...; see CalibrationDocument. Files with commas in
/// their names stand in double quotes.
/// @param estimated the estimated quantities: a value with the name of one is a
///     label.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] DataSource ParseData(const std::string& text,
                                   std::span<const Factor> estimated);

/// Returns the quantities that vary in the run of `source`: those that it sets
/// by labels, and all that no run sets by labels.
/// @param names of the estimated quantities.
[[nodiscard]] std::vector<VariedQuantity> VariedIn(
    const DataSource& source,
    std::span<const DataSource> sources,
    std::span<const std::string> names);

}  // namespace orrery::sdk::internal
