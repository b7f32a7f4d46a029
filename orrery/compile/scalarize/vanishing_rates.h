#pragma once

#include <optional>

#include "orrery/model/flat_model.h"

namespace orrery::compile::internal {

/// Returns the model without derivatives that are multiplied by 0: by a
/// variable that is 0 whatever happens, such as a capacity that functions
/// compute from parameters which are known. What it would have made a state is
/// then an unknown of the other equations. Empty if there is no such variable.
[[nodiscard]] std::optional<FlatModel> WithoutVanishingRates(
    const FlatModel& model);

}  // namespace orrery::compile::internal
