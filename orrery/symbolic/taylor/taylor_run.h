#pragma once

#include <span>

namespace orrery {

struct TaylorPlan;

/// Sets all steady numbers that are constant between events.
/// @param memory of the tape.
void HoldTaylor(const TaylorPlan& plan,
                std::span<const double> memory,
                double* numbers) noexcept;

/// Computes the coefficients of x up to `order` >= 1, and those of all else
/// below it, one order after the other. Native code agrees with it, bit for
/// bit.
/// @param numbers of `plan.Size(order)`. The states' first row is set, those of
///     t and the inputs are up to `order - 1`.
/// @param h the unit of time of the coefficients.
void RunTaylor(const TaylorPlan& plan,
               double h,
               int order,
               double* numbers) noexcept;

}  // namespace orrery
