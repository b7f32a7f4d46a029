#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

/// Options for writing a run to a file. Plain data.
struct WriteOptions {
  /// Names of the signals, in the order of writing. Empty for all; but a `.csv`
  /// then has no constants and parameters, which would be equal in every row.
  std::vector<std::string> signals;
};

/// Writes `run` to the file `path`, in the format of its ending: `.csv`
/// (`WriteCsv`), `.mat` (`WriteMat`), `.h5` or `.hdf5` (`WriteHdf5`). The file
/// appears whole or not at all (`OutputFile`).
///
/// @throws Error kInvalidArgument for another ending or an unknown signal,
///     kUnsupported if the format cannot hold the run, kIo if the file cannot
///     be written.
void WriteTrajectory(const std::string& path,
                     const Trajectory& run,
                     const WriteOptions& options = {});

/// True if `WriteTrajectory` supports this ending, in the form of FormatEnding.
[[nodiscard]] bool IsTrajectoryEnding(const std::string& ending);

/// The supported endings, for users.
inline constexpr const char* kTrajectoryEndings =
    ".csv, .mat (MATLAB, as Modelica tools write it), .h5 or .hdf5 (HDF5)";

/// Checks that `WriteTrajectory` can write to `path`, without any change.
/// @throws Error as it does.
void CheckTrajectoryFile(const std::string& path);

/// The indices of the signals called `names`, in this order; of all signals if
/// `names` is empty.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] std::vector<std::size_t> SelectSignals(
    const SignalTable& table, std::span<const std::string> names);

}  // namespace orrery
