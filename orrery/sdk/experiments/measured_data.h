#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/calibration/calibration.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/sdk/experiments/data_source.h"

namespace orrery::internal {

/// A run of a calibration, with what is set for its data alone.
[[nodiscard]] RunDocument RunOf(const CalibrationDocument& document,
                                const DataSource& source);

/// The inputs of equations; none of other models.
[[nodiscard]] std::vector<std::string> InputsOf(const Subject& subject);

/// Of all measurements, ascending.
[[nodiscard]] std::vector<double> TimesOf(
    std::span<const MeasuredSignal> signals);

/// What was measured in one run, from its file, with the model under the
/// conditions of that run; what varies in it is left open.
/// @param warnings gets those of columns and rows that are left out.
/// @throws Error as LoadCalibration, of this file.
[[nodiscard]] MeasuredRun ReadMeasured(const CalibrationDocument& document,
                                       const DataSource& source,
                                       std::vector<std::string>& warnings);

}  // namespace orrery::internal
