#pragma once

#include <span>
#include <string>

#include "orrery/analysis/frequency_response.h"
#include "orrery/analysis/linear_system.h"
#include "orrery/analysis/steady_state.h"

namespace orrery {

// Write results of analyses as comma-separated values, whole or not at all.
// Numbers are read back bit for bit. All throw Error kInvalidArgument for an
// ending other than `.csv`, and kIo if the file cannot be written.

/// Writes responses at the same frequencies: the column `frequency [rad/s]`,
/// then for each response `magnitude(u:y) [dB]` and `phase(u:y) [deg]`, where u
/// and y are its input and output. `ReadTable` reads them.
void WriteFrequencyResponses(const std::string& path,
                             std::span<const FrequencyResponse> responses);

/// Checks whether that is possible; changes nothing.
void CheckFrequencyFile(const std::string& path);

/// Writes the matrices as one, [A B; C D]. Columns have the names of states and
/// inputs; rows, in the column `d`, those of the states' derivatives and the
/// outputs.
void WriteLinearSystem(const std::string& path, const LinearSystem& system);

/// Writes one quantity per row: `name,role,value,unit`. Its role is `state`,
/// `input` or `output`.
void WriteSteadyState(const std::string& path, const SteadyState& state);

}  // namespace orrery
