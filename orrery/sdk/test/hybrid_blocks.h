#pragma once

#include "orrery/sdk/orrery.h"

namespace orrery {

inline constexpr double kGravity = 9.81;

/// Falls from rest and loses a part of its speed at each impact.
struct Ball : orrery::Block {
  Parameter restitution;
  State h, v{this, "v", 0.0, "m/s"};
  Event impact{this, "impact", Direction::kFalling};

  explicit Ball(double height = 10, double e = 0.8)
      : restitution(this, "restitution", e), h(this, "h", height, "m") {}

  void Equations(EquationSet& eq) override {
    eq.Der(h) = v;
    eq.Der(v) = -kGravity;
    eq.Set(impact) = h;
    eq.On(impact).Set(v) = -restitution * v;
  }
};

/// x' = -x from 2.
struct Decay : orrery::Block {
  State x{this, "x", 2.0};
  Output y{this, "y"};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = -x;
    eq.Set(y) = x;
  }
};

}  // namespace orrery
