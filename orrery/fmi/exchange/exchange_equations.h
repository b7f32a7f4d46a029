#pragma once

#include <span>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/fmu.h"
#include "orrery/model/flat_model.h"

namespace orrery::fmi {

/// The equations of an FMU for Model Exchange. They call its code:
///
///     epoch = start(handle, t, parameters, x, discrete inputs)
///     x = start states(handle, epoch, u), for those without an exact start
///     der(x) = derivatives(handle, epoch, t, x, u)
///     y = outputs(handle, epoch, t, x, u)
///     z = indicators(handle, epoch, t, x, u); an event is where z > 0 changes
///     d = discrete(handle, epoch)
///
/// with continuous inputs u. In each event a handler updates the epoch, the
/// next event and the states. See ExchangeInstance.
///
/// Loads the code.
/// @param texts values of parameters that are Strings or Binaries.
/// @param sizes values of structural parameters, see `WithSizes`.
/// @throws Error as Library, ReadSettings and WithSizes.
[[nodiscard]] FlatModel EquationsOf(const Fmu& fmu,
                                    std::span<const ParameterText> texts = {},
                                    std::span<const ParameterText> sizes = {});

}  // namespace orrery::fmi
