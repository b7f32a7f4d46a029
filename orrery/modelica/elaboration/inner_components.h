#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Makes an outer component refer to the inner one around it (specification
/// 3.6, section 5.4). False if there is none and the component may be an
/// instance of its own. Throws Abandoned, after a report.
[[nodiscard]] bool TakeInner(Session& session, Component& component);

}  // namespace orrery::modelica::internal
