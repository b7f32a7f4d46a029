#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/calibration/calibration.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/sdk/experiments/data_source.h"

namespace orrery::sdk::internal {

/// Returns the run of a calibration, with the settings of its data only.
[[nodiscard]] RunDocument RunOf(const CalibrationDocument& document,
                                const DataSource& source);

/// The inputs of equations; none for other models.
[[nodiscard]] std::vector<std::string> InputsOf(const Subject& subject);

/// The times of all measurements, ascending.
[[nodiscard]] std::vector<double> TimesOf(
    std::span<const MeasuredSignal> signals);

/// Reads the measurements of one run from its file, with the model under the
/// conditions of that run. `varied` is left empty.
/// @param warnings receives warnings about columns and rows that are left out.
/// @throws Error as LoadCalibration, for this file.
[[nodiscard]] MeasuredRun ReadMeasured(const CalibrationDocument& document,
                                       const DataSource& source,
                                       std::vector<std::string>& warnings);

}  // namespace orrery::sdk::internal
