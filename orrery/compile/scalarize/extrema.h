#pragma once

#include <optional>

#include "orrery/model/flat_model.h"

namespace orrery::internal {

/// The model with a variable for each extremum of a large array, as max(x),
/// that large loops and equations between large arrays read: its kinks, which
/// are of scalars, then are in its own equation, and the others stay loops.
/// Nothing if there is none.
[[nodiscard]] std::optional<FlatModel> WithExtremaApart(const FlatModel& model);

}  // namespace orrery::internal
