#pragma once

#include <string>

#include "orrery/compile/passes.h"

namespace orrery::compile::internal {

/// The working form of a model as text: its unknowns and its equations, matched
/// and sorted as far as the passes have come.
[[nodiscard]] std::string DescribeEquations(const Compilation& its);

}  // namespace orrery::compile::internal
