#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "orrery/results/trajectory.h"

namespace orrery {

/// Writes `run` as a MATLAB level-4 file in the layout of Dymola and
/// OpenModelica (version 1.1, `binTrans`), which their plotters, DyMat,
/// ModelicaRes and scipy.io.loadmat read:
///
/// - `Aclass`: the layout's name;
/// - `name`, `description`: one column of characters for each variable, `time`
///   first, units at the end of the description as `[m/s]`;
/// - `dataInfo`: four integers for each: the matrix that holds it (0: time, 1:
///   data_1, 2: data_2), its row there from 1, negative for minus it, and how
///   it behaves between rows (0: linear) and beyond them (-1: undefined);
/// - `data_1`: constants and parameters, at the first and the last time;
/// - `data_2`: time and the other columns, one matrix column a row of the run.
///
/// Aliases share their row of `data_2`. The difference between discrete
/// and continuous signals has no place in the format; which signal is the
/// derivative of which is told by the names, `der(x)`.
///
/// Source: "The MATv4 Result File Format", OpenModelica User's Guide.
///
/// @param signals indices of the signals to write, in their order.
/// @param sink takes the bytes piece by piece.
/// @throws Error kUnsupported if there are 2^31 rows or more.
void WriteMat(const Trajectory& run,
              std::span<const std::size_t> signals,
              const std::function<void(std::string_view)>& sink);

/// Reads the bytes of such a file, as written by us, Dymola or OpenModelica:
/// little-endian, `binTrans` or `binNormal`, of any numeric type.
///
/// @param name name in messages, mostly the file's path.
/// @throws Error kIo as `cannot read '<name>': <why>`.
[[nodiscard]] Trajectory ParseMat(const std::string& name,
                                  std::string_view bytes);

/// Likewise, from the file at `path`.
[[nodiscard]] Trajectory ReadMat(const std::string& path);

}  // namespace orrery
