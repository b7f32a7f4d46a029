#pragma once

#include <string>
#include <string_view>

#include "orrery/fmi/fmu.h"

namespace orrery::fmi {

/// The parameter of parts by Co-Simulation that is their communication step,
/// and its description. FMUs with a variable of this name have no such
/// parameter.
inline constexpr std::string_view kCommunication = "communication";
inline constexpr std::string_view kCommunicationText =
    "Time between communication points";

/// True if an FMU leaves the name to that parameter.
[[nodiscard]] bool HasCommunicationParameter(const Description& its);

/// The communication step that an FMU has by itself, s: that of its experiment,
/// else 1/500 of its length; the nearest multiple of an inner step if it has to
/// be one.
/// @throws Error as InterfaceFor, if it is not for Co-Simulation.
[[nodiscard]] double UsualStep(const Fmu& fmu);

/// Why an FMU cannot take communication steps of this length, s; empty if it
/// can.
/// @throws Error as UsualStep.
[[nodiscard]] std::string WhyNotStep(const Fmu& fmu, double step);

}  // namespace orrery::fmi
