#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/sdk/fmu_code/class_run.h"

namespace orrery::sdk::internal {

/// What an FMU of a class holds beside its description and its code. Value
/// references are the places of variables, from 1 on; 0 is the time.
struct ClassModelFile {
  std::string token;
  std::vector<ParameterText> settings;   ///< In place of the class's defaults.
  std::vector<ClassVariable> variables;  ///< Numbers and texts as starts.
};

[[nodiscard]] std::string BytesOf(const ClassModelFile& file);

/// @throws Error kInvalidModel if the bytes are damaged.
[[nodiscard]] ClassModelFile ClassModelFromBytes(std::string_view bytes);

}  // namespace orrery::sdk::internal
