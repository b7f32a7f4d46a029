#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Finds a steady state and reports it.
/// @returns the exit code: kModelFailed if there is none.
int Steady(const SteadyCommand& command);

/// Linearises a model and reports its matrices, modes and responses.
/// @returns the exit code.
int LinearizeModel(const LinearizeCommand& command);

}  // namespace orrery::cli
