#pragma once

#include <string>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {

/// The value of `variable` after a second.
[[nodiscard]] inline double AfterASecond(const std::string& variable,
                                         const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 1})[variable].final();
}

}  // namespace orrery
