#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"

namespace orrery::internal {

/// Warns where the declared units of a model contradict each other: formulas,
/// equations, connections, bindings, start values and limits that set
/// quantities of different dimensions against each other; and variables that
/// are equated or connected although their units, such as mm and m, or degC and
/// K, differ in scale, since nothing converts. Of a unit that cannot be read it
/// warns where no text stands behind a variable; else the text's reader has.
///
/// It speaks only where it is certain. A quantity without a unit and a number
/// in a formula may measure anything, and so may a product with one of
/// them: 9.81 may be an acceleration. A model without units gives no warning,
/// whatever it does with `time`. At most one warning for an equation, one for
/// the many instances of an equation in a class, and `kMaxUnitWarnings` in all.
///
/// Linear in the number of formulas of the model's graph, without recursion.
void CheckUnits(const FlatModel& model, Diagnostics& diagnostics);

/// Warnings beyond this number are counted, not made.
inline constexpr int kMaxUnitWarnings = 20;

}  // namespace orrery::internal
