#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

/// What of a run is written to a file. Plain data.
struct WriteOptions {
  /// Names of the signals, in the order wanted. Empty for all; in a `.csv`,
  /// where they would be the same in every row, without constants and
  /// parameters.
  std::vector<std::string> signals;
};

/// Writes `run` to the file `path`, in the format that its ending says:
/// `.csv` (`WriteCsv`), `.mat` (`WriteMat`), `.h5` or `.hdf5` (`WriteHdf5`).
/// The file appears whole or not at all (`OutputFile`).
///
/// @throws Error kInvalidArgument for another ending or an unknown signal,
///     kUnsupported if the format cannot hold the run, kIo if the file cannot
///     be written.
void WriteTrajectory(const std::string& path,
                     const Trajectory& run,
                     const WriteOptions& options = {});

/// Whether `WriteTrajectory` knows it, as of FormatEnding.
[[nodiscard]] bool IsTrajectoryEnding(const std::string& ending);

/// Those that it knows, for people.
inline constexpr const char* kTrajectoryEndings =
    ".csv, .mat (MATLAB, as Modelica tools write it), .h5 or .hdf5 (HDF5)";

/// Finds out whether `WriteTrajectory` can write to `path`; nothing is changed.
/// @throws Error as it does.
void CheckTrajectoryFile(const std::string& path);

/// The indices of the signals called `names`, in this order; of all signals if
/// there are no names.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] std::vector<std::size_t> SelectSignals(
    const SignalTable& table, std::span<const std::string> names);

}  // namespace orrery
