#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "orrery/results/trajectory.h"

namespace orrery {

/// Writes `run` as comma-separated values (RFC 4180): a line of names, `time`
/// first, then a line for every row. Numbers are the shortest that read back to
/// the same bits; not-a-number is `nan`, infinity `inf`.
///
/// @param signals indices of the signals to write, in their order.
/// @param sink takes the text piece by piece.
void WriteCsv(const Trajectory& run,
              std::span<const std::size_t> signals,
              const std::function<void(std::string_view)>& sink);

}  // namespace orrery
