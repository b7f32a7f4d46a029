#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Relations whose changes matter in one direction only, because nothing but
/// their edges is used. A change in the other direction re-arms them and is no
/// event.
struct Rearming {
  std::vector<std::uint32_t> truths;  ///< By watch: the scalar of its value;
                                      ///< kNone if both directions matter.
  std::vector<bool> rearmed;          ///< By watch: the value to which it
                                      ///< changes without an event.
  std::vector<Step> following;        ///< Compute what else changes.
};

/// @param steps all equations, as they are in an event.
[[nodiscard]] Rearming FindRearming(System& system,
                                    std::span<const Step> steps);

}  // namespace orrery::compile::internal
