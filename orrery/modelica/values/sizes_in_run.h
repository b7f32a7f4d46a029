#pragma once

#include <cstdint>
#include <optional>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The one formula of all that are the same sum of Integers.
Expr Simplified(ExprGraph& graph, Expr formula);

/// A size that differs from an assumed one by a number. Of an empty slice only
/// that it is empty is known.
std::optional<std::int64_t> KnownSize(LoweringContext& context, Expr size);

}  // namespace orrery::modelica::internal
