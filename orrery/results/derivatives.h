#pragma once

#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::results::internal {

/// Links signals that were read from a file to their time derivatives, by
/// name: `a.x` to `der(a.x)`, as OpenModelica and we call it, or to `a.der(x)`,
/// as Dymola does.
void LinkDerivatives(std::vector<SignalInfo>& signals);

}  // namespace orrery::results::internal
