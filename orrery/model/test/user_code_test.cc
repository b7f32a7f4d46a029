// The C++ example of the user's guide, as a user's program writes it: outside
// of the library's namespace.

#include <vector>

#include <gtest/gtest.h>

#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/model/lower.h"

namespace {

using orrery::Diagram;
using orrery::Gain;

struct Pendulum : orrery::Block {
  Parameter length{this, "length", 1.0, "m"};
  Input torque{this, "torque"};
  State angle{this, "angle", 0.1}, rate{this, "rate", 0.0};
  Output tip{this, "tip", "m"};

  void Equations(EquationSet& eq) override {
    eq.Der(angle) = rate;
    eq.Der(rate) = -9.81 / length * sin(angle) + torque;
    eq.Set(tip) = length * sin(angle);
  }
};

struct Heat : orrery::Block {
  State u{this, "u", Shape{4, 3}, 1.0, "K"};
  Input left{this, "left", {.unit = "K", .default_value = 300}};
  Local peak{this, "peak", 0.0, {.unit = "K", .is_protected = true}};

  void Equations(EquationSet& eq) override {
    eq.For(1, 3, [&](Expr j) {
      eq.Der(u(1, j)) = left - u(1, j);
      eq.For(2, 4, [&](Expr i) { eq.Der(u(i, j)) = u(i - 1, j) - u(i, j); });
    });
    eq.Set(peak) = max(u(1, 1), 2 * u(4, 3));
  }
};

TEST(UserCodeTest, ControlledPendulumOfTheGuide) {
  Diagram d{"Controlled"};
  auto& pendulum = d.Add<Pendulum>("pendulum");
  auto& gain = d.Add<Gain>("gain", -3.0);
  d.Connect(pendulum.tip, gain.u);
  d.Connect(gain.y, pendulum.torque);

  EXPECT_EQ(d.num_states(), 2);
  const std::vector<double> x = {0.5, -0.25};
  const auto dx = d.state_update_function(0, x, {});
  ASSERT_EQ(dx.size(), 2);
  EXPECT_DOUBLE_EQ(dx[0], -0.25);
  // -(9.81 + 3)*sin(0.5), to 17 digits.
  EXPECT_NEAR(dx[1], -6.1414411495198404, 1e-14);
}

TEST(UserCodeTest, LoopsOverTwoDimensionsStayLoops) {
  Heat heat;
  const orrery::FlatModel flat = orrery::Lower(heat);
  ASSERT_EQ(flat.equations.size(), 3);
  EXPECT_EQ(flat.equations[0].iterators.size(), 1);
  EXPECT_EQ(flat.equations[1].iterators.size(), 2);
  const orrery::Expr element = flat.equations[1].left.operand(0);
  ASSERT_EQ(element.op(), orrery::Op::kIndex);
  EXPECT_EQ(element.operand(1), flat.equations[1].iterators[1]);
  EXPECT_EQ(element.operand(2), flat.equations[1].iterators[0]);
}

}  // namespace
