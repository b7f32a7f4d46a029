#pragma once

#include <span>
#include <vector>

#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// @throws CallFailure for values that a variable cannot have in C.
void CheckFits(const Description& its,
               VariableIndex index,
               std::span<const double> values);

/// Sets the variables of a row whose values differ from `before`, which takes
/// them.
/// @throws CallFailure for a value that a variable cannot have in C.
void SetChanged(const Description& its,
                Instance& instance,
                const VariableRow& row,
                std::span<const double> values,
                std::vector<double>& before);

/// Likewise for parameters in a run.
/// @throws CallFailure for one that is fixed.
void SetTunable(const Description& its,
                Instance& instance,
                const VariableRow& row,
                std::span<const double> values,
                std::vector<double>& before);

}  // namespace orrery::fmi
