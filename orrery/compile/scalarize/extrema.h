#pragma once

#include <optional>

#include "orrery/model/flat_model.h"

namespace orrery::compile::internal {

/// Returns the model with a variable for each extremum of a large array, such
/// as max(x), that large loops or equations between large arrays read. The
/// equation of that variable then has the kinks, which are between scalars, and
/// the other equations stay loops. Empty if there is no such extremum.
[[nodiscard]] std::optional<FlatModel> WithExtremaApart(const FlatModel& model);

}  // namespace orrery::compile::internal
