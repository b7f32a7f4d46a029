#pragma once

#include <memory>
#include <span>
#include <string>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"
#include "orrery/sdk/model/model.h"

namespace orrery::sdk::internal {

/// Compiles, as Compile, with values of parameters that are Strings, by their
/// names in the model: the model is read again from its text.
[[nodiscard]] std::shared_ptr<const Program> CompileForRun(
    const Model& model,
    std::span<const Setting> settings,
    std::span<const ParameterText> texts,
    const std::string& until);

}  // namespace orrery::sdk::internal
