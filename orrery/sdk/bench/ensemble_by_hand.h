#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// The ends of the trajectories of an ensemble, in order.
struct LorenzEnds {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  std::int64_t steps = 0;  ///< Accepted steps of all trajectories.
};

/// Every trajectory starts at (1, 1, 1) at time 0 and ends at this one.
inline constexpr double kEnsembleStop = 10;
inline constexpr int kEnsembleSteps = 1000;  ///< For the fixed-step method.

/// Relative and absolute tolerance of Dormand-Prince 5(4).
inline constexpr double kEnsembleTolerance = 1e-8;

/// The last terms of a Taylor series relative to the state: machine precision,
/// since the truncated terms are far smaller.
inline constexpr double kEnsembleLastTerm = 1e-15;

// Lorenz' equations with sigma = 10, beta = 8/3 and a `rho` for each
// trajectory, hand-written for one core with vectors. In the adaptive methods
// every lane has its own step. A lane whose trajectory has ended takes the next
// one.

/// The classical Runge-Kutta method.
[[nodiscard]] LorenzEnds LorenzByRungeKutta4(std::span<const double> rho);

/// Dormand & Prince's 5(4): Hairer, Norsett & Wanner, Solving ODEs I, table
/// II.5.2; error norm and choice of steps: ibid., II.4.
[[nodiscard]] LorenzEnds LorenzByDormandPrince5(std::span<const double> rho);

/// Taylor series of a fixed order: Jorba & Zou, A software package for the
/// numerical integration of ODEs by means of high-order Taylor methods, 2005;
/// steps by their eq. (3-9).
[[nodiscard]] LorenzEnds LorenzByTaylor(std::span<const double> rho);

}  // namespace orrery
