#include "orrery/codegen/bench/chain_by_hand.h"

#include "orrery/compile/bench/mass_chain.h"

namespace orrery {
namespace {

double Acceleration(double left, double here, double right, double velocity) {
  constexpr double k = MassChain::kStiffness;
  constexpr double c = MassChain::kDamping;
  return MassChain::kInverseMass *
         (k * left - 2 * k * here + k * right - c * velocity);
}

}  // namespace

void ChainSlopes(std::size_t masses,
                 const double* __restrict position,
                 const double* __restrict velocity,
                 double* __restrict position_slope,
                 double* __restrict velocity_slope) {
  const std::size_t n = masses;
  for (std::size_t i = 0; i < n; ++i) {
    position_slope[i] = velocity[i];
  }
  velocity_slope[0] = Acceleration(0, position[0], position[1], velocity[0]);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    velocity_slope[i] = Acceleration(
        position[i - 1], position[i], position[i + 1], velocity[i]);
  }
  velocity_slope[n - 1] =
      Acceleration(position[n - 2], position[n - 1], 0, velocity[n - 1]);
}

}  // namespace orrery
