#pragma once

#include <cstddef>

namespace orrery {

/// The derivatives of N masses between two walls, each tied to its neighbours
/// by springs and braked by a damper, by hand.
void ChainSlopes(std::size_t masses,
                 const double* position,
                 const double* velocity,
                 double* position_slope,
                 double* velocity_slope);

/// Steps of length h of the classical Runge-Kutta method from `position` and
/// `velocity`, by hand.
void ChainSteps(std::size_t masses,
                std::size_t steps,
                double h,
                double* position,
                double* velocity);

}  // namespace orrery
