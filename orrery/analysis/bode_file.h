#pragma once

#include <span>
#include <string>

#include "orrery/analysis/frequency_response.h"

namespace orrery {

/// Writes responses at the same frequencies as comma-separated values: the
/// column `frequency [rad/s]`, then for each response `magnitude(u:y) [dB]` and
/// `phase(u:y) [deg]`, where u and y are its input and output. `ReadTable`
/// reads them back, bit for bit.
///
/// @throws Error kInvalidArgument for an ending other than `.csv`, kIo if the
///     file cannot be written.
void WriteFrequencyResponses(const std::string& path,
                             std::span<const FrequencyResponse> responses);

/// Finds out whether that is possible; nothing is changed.
/// @throws Error as it does.
void CheckFrequencyFile(const std::string& path);

}  // namespace orrery
