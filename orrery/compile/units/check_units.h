#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"

namespace orrery::compile::internal {

/// Warns where the declared units of a model contradict each other: formulas,
/// equations, connections, bindings, start values and limits that relate
/// quantities of different dimensions; and variables that are equated or
/// connected although their units differ in scale, such as mm and m, or degC
/// and K, since nothing converts. An unreadable unit gives a warning here only
/// if the variable has no source text; else the reader of the text has warned.
///
/// A warning needs certainty. A quantity without a unit and a number in a
/// formula may measure anything, and so may a product with one of them: 9.81
/// may be an acceleration. A model without units gives no warning, whatever it
/// does with `time`. There is at most one warning for an equation, one for the
/// many instances of an equation in a class, and `kMaxUnitWarnings` in all.
///
/// Linear in the number of formulas of the model's graph, without recursion.
void CheckUnits(const FlatModel& model, Diagnostics& diagnostics);

/// Warnings beyond this number are counted, not made.
inline constexpr int kMaxUnitWarnings = 20;

}  // namespace orrery::compile::internal
