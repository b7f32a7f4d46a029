#pragma once

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// Compiles a model, or loads one that is a class, and says what it consists
/// of.
int Check(const CheckCommand& asked);

/// How formulas are written.
enum class Notation { kText, kLatex };

/// Prints the sorted equations.
int Equations(const ModelCommand& command, Notation notation);

}  // namespace orrery::cli
