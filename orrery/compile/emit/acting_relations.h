#pragma once

#include <span>
#include <vector>

#include "orrery/compile/emit/emit.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Finds for each watch whether its change may affect the motion of the states
/// or end the run.
/// @param in_event all equations, as they are in an event.
/// @param of_derivatives those that derivatives depend on.
[[nodiscard]] std::vector<bool> FindActing(
    System& system,
    const CompiledSystem& compiled,
    std::span<const Step> in_event,
    std::span<const Step> of_derivatives);

}  // namespace orrery::compile::internal
