#pragma once

#include "orrery/plot/figure.h"
#include "orrery/plot/internal/ticks.h"

namespace orrery::internal {

/// @throws Error kInvalidArgument if a series has another number of y than of
///     x, or a colour below `Series::kNextColor`.
void CheckFigure(const Figure& figure);

/// @throws Error kInvalidArgument that names `what` if `size` is not in
///     `allowed`.
void CheckSize(const char* what, double size, Range allowed);

}  // namespace orrery::internal
