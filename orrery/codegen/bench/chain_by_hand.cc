#include "orrery/codegen/bench/chain_by_hand.h"

#include <vector>

#include "orrery/compile/bench/mass_chain.h"

namespace orrery {
namespace {

double Acceleration(double left, double here, double right, double velocity) {
  return MassChain::kInverseMass *
         (MassChain::kStiffness * left - 2 * MassChain::kStiffness * here +
          MassChain::kStiffness * right - MassChain::kDamping * velocity);
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

void ChainSteps(std::size_t masses,
                std::size_t steps,
                double h,
                double* __restrict position,
                double* __restrict velocity) {
  const std::size_t n = masses;
  std::vector<double> work(10 * n);
  double* const x = work.data();
  double* const v = x + n;
  double* const k1x = v + n;
  double* const k1v = k1x + n;
  double* const k2x = k1v + n;
  double* const k2v = k2x + n;
  double* const k3x = k2v + n;
  double* const k3v = k3x + n;
  double* const k4x = k3v + n;
  double* const k4v = k4x + n;
  const auto point =
      [&](double a, const double* __restrict kx, const double* __restrict kv) {
        for (std::size_t i = 0; i < n; ++i) {
          x[i] = position[i] + a * kx[i];
          v[i] = velocity[i] + a * kv[i];
        }
      };
  for (std::size_t step = 0; step < steps; ++step) {
    ChainSlopes(n, position, velocity, k1x, k1v);
    point(h / 2, k1x, k1v);
    ChainSlopes(n, x, v, k2x, k2v);
    point(h / 2, k2x, k2v);
    ChainSlopes(n, x, v, k3x, k3v);
    point(h, k3x, k3v);
    ChainSlopes(n, x, v, k4x, k4v);
    for (std::size_t i = 0; i < n; ++i) {
      position[i] += h / 6 * (k1x[i] + 2 * k2x[i] + 2 * k3x[i] + k4x[i]);
      velocity[i] += h / 6 * (k1v[i] + 2 * k2v[i] + 2 * k3v[i] + k4v[i]);
    }
  }
}

}  // namespace orrery
