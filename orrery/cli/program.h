#pragma once

#include "orrery/sdk/classes/plugin.h"

namespace orrery::cli {

/// The `main` of a program that is one model: `orrery` for this model, with the
/// commands `run`, which may be left out, `check` and `help`, and those for
/// saved experiments.
/// @returns the exit code.
int RunProgram(int argc, const char* const* argv, const ClassModel& model);

}  // namespace orrery::cli
