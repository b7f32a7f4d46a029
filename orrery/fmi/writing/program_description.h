#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orrery/base/values/setting.h"
#include "orrery/fmi/description.h"
#include "orrery/program/program.h"

namespace orrery::fmi {

/// Why a program cannot be integrated by others; empty if it can.
[[nodiscard]] std::string WhyNoExchange(const Program& program);

/// The description of a program as an FMU: its variables, as far as the model
/// does not protect them, their units and types, and its experiment. Value
/// references are those of `ReferenceNumber`. Without a token and interfaces.
/// @param with_exchange describes all states and the event indicators, which
///     have the references after that of the time.
/// @param settings replace start values.
/// @throws Error kInvalidArgument for a setting that cannot be made,
///     kInvalidModel if the model has no initial values.
[[nodiscard]] Description DescriptionOf(
    const std::shared_ptr<const Program>& program,
    FmiVersion version,
    bool with_exchange,
    const std::vector<Setting>& settings);

}  // namespace orrery::fmi
