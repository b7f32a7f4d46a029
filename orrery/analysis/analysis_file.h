#pragma once

#include <span>
#include <string>

#include "orrery/analysis/frequency_response.h"
#include "orrery/analysis/linear_system.h"
#include "orrery/analysis/steady_state.h"

namespace orrery {

// Results of analyses as comma-separated values, whole or not at all. Numbers
// are read back bit for bit. All throw Error kInvalidArgument for an ending
// other than `.csv`, and kIo if the file cannot be written.

/// Writes responses at the same frequencies: the column `frequency [rad/s]`,
/// then for each response `magnitude(u:y) [dB]` and `phase(u:y) [deg]`, where u
/// and y are its input and output. `ReadTable` reads them.
void WriteFrequencyResponses(const std::string& path,
                             std::span<const FrequencyResponse> responses);

/// Finds out whether that is possible; nothing is changed.
void CheckFrequencyFile(const std::string& path);

/// Writes the matrices as one, [A B; C D]: its columns are called as the states
/// and inputs, its rows, in the column `d`, as the derivatives of states and
/// the outputs.
void WriteLinearSystem(const std::string& path, const LinearSystem& system);

/// Writes a quantity a row: `name,role,value,unit`, where its role is `state`,
/// `input` or `output`.
void WriteSteadyState(const std::string& path, const SteadyState& state);

}  // namespace orrery
