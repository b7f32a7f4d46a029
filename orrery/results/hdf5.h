#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "orrery/results/trajectory.h"

namespace orrery {

/// Writes `run` as an HDF5 file for h5py, pandas, MATLAB and HDFView.
///
/// Every signal is a dataset of doubles directly in the root group, under its
/// dotted name as users know it, so that `f["pendulum.angle"][:]` and
/// `pandas.DataFrame({k: f[k][:] for k in f if f[k].ndim})` work as they stand:
///
/// - `time`: one-dimensional, attribute `unit` = "s";
/// - a signal: of the length of `time`; attributes `unit`, `description`,
///   `variability` ("discrete" or "continuous"). A '/' in a name becomes
///   U+2215;
/// - a constant or parameter: a scalar, `variability` = "constant";
/// - an alias: a hard link to the same data if it has the same sign and the
///   same attributes; else a dataset of its own;
/// - the root group has the attribute `format` = "orrery trajectory 1" and
///   lists its datasets in the order of the signals (creation order).
///
/// @param path is overwritten in place; `WriteTrajectory` does it safely.
/// @param signals indices of the signals to write, in their order.
/// @throws Error kIo as `cannot write '<path>': <why>`.
void WriteHdf5(const std::string& path,
               const Trajectory& run,
               std::span<const std::size_t> signals);

/// Reads such a file.
/// @throws Error kIo as `cannot read '<path>': <why>`.
[[nodiscard]] Trajectory ReadHdf5(const std::string& path);

}  // namespace orrery
