#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/experiment/calibration/calibration.h"
#include "orrery/experiment/design/factor.h"

namespace orrery::internal {

/// NAME=VALUE; nothing before it if there is no '='.
[[nodiscard]] ParameterText Assignment(std::string_view text);

/// What was measured in one run of a calibration.
struct DataSource {
  std::string file;
  std::vector<ParameterText> settings = {};
  std::vector<ParameterText> labels = {};  ///< Set to what is estimated.
  std::string input = {};
};

/// FILE[, NAME=VALUE]...; see CalibrationDocument. Files with commas in their
/// names stand in double quotes.
/// @param estimated what is estimated: a value that is called so is a label.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] DataSource ParseData(const std::string& text,
                                   std::span<const Factor> estimated);

/// What varies in the run of `source`: what it sets by labels, and all that no
/// run sets so.
/// @param names of what is estimated.
[[nodiscard]] std::vector<VariedQuantity> VariedIn(
    const DataSource& source,
    std::span<const DataSource> sources,
    std::span<const std::string> names);

}  // namespace orrery::internal
