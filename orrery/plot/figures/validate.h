#pragma once

#include <string>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/figure.h"

namespace orrery::plot::internal {

/// @throws Error kInvalidArgument if a series has another number of y than of
///     x, or a colour below `Series::kNextColor`.
void CheckFigure(const Figure& figure);

/// @throws Error kInvalidArgument that names `what` if `size` is not in
///     `allowed`.
void CheckSize(const char* what, double size, Range allowed);

/// The ending of a file name that plots are written to.
/// @throws Error kInvalidArgument if it is none of .svg, .png and .txt.
[[nodiscard]] std::string CheckedEnding(const std::string& path);

/// Writes a file whole or not at all.
/// @throws Error kIo.
void WriteWhole(const std::string& path, const std::string& bytes);

}  // namespace orrery::plot::internal
