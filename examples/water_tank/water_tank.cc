// The water tank in C++: it is brought to a steady state, which is linearised.
// Both are compared with results by hand.

#include <cmath>
#include <cstdio>

#include "orrery/sdk/orrery.h"

struct WaterTank : orrery::Block {
  Parameter area{this, "area", 0.2, "m2"};
  Parameter inlet{this, "inlet", 0.01, "m2"};
  Parameter outlet{this, "outlet", 0.02, "m2"};
  Input v{this, "v", "m/s"};
  State height{this, "height", 1.0, "m"};
  Output h{this, "h", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(height) = (inlet * v - outlet * sqrt(2 * 9.81 * height)) / area;
    eq.Set(h) = height;
  }
};

int main() {
  WaterTank tank;
  orrery::OperatingPoint point = orrery::InitialPoint(tank);
  const orrery::SteadyState state = orrery::FindSteadyState(
      point,
      {.ranges = {{.name = "height", .lower = 5, .upper = 5},
                  {.name = "v", .lower = 0}}});
  const orrery::LinearSystem system = orrery::Linearize(point);
  const double v = state.inputs[0].value;
  const double a = system.a(0, 0);
  std::printf("v = %.12f m/s, A = %.12f 1/s, B = %.3f\n", v, a, system.b(0, 0));

  const double exact_v = std::sqrt(2 * 9.81 * 5) * 0.02 / 0.01;
  const double exact_a = -0.02 / 0.2 * std::sqrt(9.81 / (2 * 5));
  const bool is_right = state.found() && std::abs(v - exact_v) < 1e-13 &&
                        std::abs(a - exact_a) < 1e-15 &&
                        std::abs(system.b(0, 0) - 0.05) < 1e-16 &&
                        system.c(0, 0) == 1 && system.d(0, 0) == 0;
  return is_right ? 0 : 1;
}
