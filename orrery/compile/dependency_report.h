#pragma once

#include "orrery/compile/dependencies.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Returns the dependencies among the equations of a problem with a perfect
/// matching.
[[nodiscard]] Dependencies DependenciesOf(const System& system,
                                          const MatchedProblem& matched);

}  // namespace orrery::compile::internal
