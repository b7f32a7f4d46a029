#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"

namespace orrery {

/// N masses between two walls, each tied to its neighbours by springs and
/// braked by a damper: built from elementary blocks, four for each mass.
struct MassChain {
  static constexpr double kStiffness = 100;
  static constexpr double kDamping = 0.3;
  static constexpr double kInverseMass = 2;

  static double StartOf(std::size_t mass) {
    return 0.001 * static_cast<double>(mass % 17);
  }

  explicit MassChain(std::size_t masses) {
    auto& wall = diagram.Add<Constant>("wall", 0.0);
    std::vector<Integrator*> positions;
    std::vector<Sum*> forces;
    for (std::size_t i = 0; i < masses; ++i) {
      const std::string at = "[" + std::to_string(i + 1) + "]";
      auto& force = diagram.Add<Sum>(
          "force" + at,
          std::vector<double>{
              kStiffness, -2 * kStiffness, kStiffness, -kDamping});
      auto& acceleration = diagram.Add<Gain>("acceleration" + at, kInverseMass);
      auto& velocity = diagram.Add<Integrator>("velocity" + at);
      auto& position = diagram.Add<Integrator>("position" + at, StartOf(i));
      diagram.Connect(force.y, acceleration.u);
      diagram.Connect(acceleration.y, velocity.u);
      diagram.Connect(velocity.y, position.u);
      diagram.Connect(position.y, force.u[1]);
      diagram.Connect(velocity.y, force.u[3]);
      positions.push_back(&position);
      forces.push_back(&force);
    }
    for (std::size_t i = 0; i < masses; ++i) {
      diagram.Connect(i > 0 ? positions[i - 1]->y : wall.y, forces[i]->u[0]);
      diagram.Connect(i + 1 < masses ? positions[i + 1]->y : wall.y,
                      forces[i]->u[2]);
    }
  }

  Diagram diagram{"MassChain"};
};

/// The accelerations of the same chain, by hand, in the blocks' order of
/// operations. All vectors have `masses` elements.
inline void HandWrittenChain(const std::vector<double>& position,
                             const std::vector<double>& velocity,
                             std::vector<double>& acceleration) {
  constexpr double kStiffness = MassChain::kStiffness;
  const std::size_t n = position.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i > 0 ? position[i - 1] : 0;
    const double right = i + 1 < n ? position[i + 1] : 0;
    acceleration[i] = MassChain::kInverseMass *
                      (kStiffness * left + -2 * kStiffness * position[i] +
                       kStiffness * right + -MassChain::kDamping * velocity[i]);
  }
}

}  // namespace orrery
