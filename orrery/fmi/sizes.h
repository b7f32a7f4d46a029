#pragma once

#include <span>
#include <string_view>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/fmu.h"

namespace orrery::fmi {

/// True if a variable is a parameter that decides sizes of arrays.
[[nodiscard]] bool IsStructural(const Fmu& fmu, std::string_view name);

/// An FMU with other sizes of its arrays (FMI 3.0.2, section 2.2.10). Arrays
/// whose sizes change have the start values that its code gives them, which is
/// run for that.
/// @param sizes values of structural parameters.
/// @throws Error kInvalidArgument for a name that is no structural parameter, a
///     value out of its range or no whole number; as Library and MakeInstance.
[[nodiscard]] Fmu WithSizes(const Fmu& fmu,
                            InterfaceKind kind,
                            std::span<const ParameterText> sizes);

}  // namespace orrery::fmi
