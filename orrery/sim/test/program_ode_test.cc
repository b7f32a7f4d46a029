#include "orrery/sim/machine/program_ode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/sim/test/test_model.h"

namespace orrery::sim::internal {
namespace {

// A position, a velocity, a linear loop and a cubic one in a chain, so that the
// Jacobian has an alias, and derivatives through both kinds of loop.
//   x' = v,  v' = -z - w,  y' = z*v
//   z^3 + z = x + y,  w = 2*u + x,  u = 0.25*w + y
TestModel Chain() {
  TestModel model("Chain");
  const Expr x = model.State("x", 1);
  const Expr v = model.State("v", 0);
  const Expr y = model.State("y", 0.5);
  const Expr z = model.Unknown("z");
  const Expr w = model.Unknown("w");
  const Expr u = model.Unknown("u");
  model.Equate(model.Der(x), v);
  model.Equate(model.Der(v), -z - w);
  model.Equate(model.Der(y), z * v);
  model.Equate(z * z * z + z, x + y);
  model.Equate(w, 2 * u + x);
  model.Equate(u, 0.25 * w + y);
  return model;
}

RC_GTEST_PROP(ProgramOdeTest, JacobianIsThatOfTheFormulas, ()) {
  const auto number = [] {
    return *rc::gen::inRange(-3000, 3000) / 1000.0;
  };
  const std::array<double, 3> state = {number(), number(), number()};
  const auto program = Chain().Compiled();
  ProgramEvaluator evaluator(*program);
  InputSignals inputs(*program, nullptr);
  ProgramOde ode(evaluator, inputs);
  RC_ASSERT(ode.has_jacobian());

  std::array<double, 3> slope{};
  RC_ASSERT(ode.Derivative(0, state, slope) == Evaluation::kOk);
  const auto index = [&](std::string_view name) {
    const std::vector<std::string> states = StateNames(*program);
    return static_cast<std::size_t>(std::ranges::find(states, name) -
                                    states.begin());
  };
  const std::size_t x = index("x");
  const std::size_t v = index("v");
  const std::size_t y = index("y");

  // z' = 1/(3 z^2 + 1) in x and in y; w = 4*y + 2*x.
  double z = 0;
  for (int i = 0; i < 100; ++i) {
    z -= (z * z * z + z - state[x] - state[y]) / (3 * z * z + 1);
  }
  const double dz = 1 / (3 * z * z + 1);
  std::array<std::array<double, 3>, 3> expected{};
  expected[x][v] = 1;
  expected[v][x] = -dz - 2;
  expected[v][y] = -dz - 4;
  expected[y][x] = dz * state[v];
  expected[y][y] = dz * state[v];
  expected[y][v] = z;

  const SparsityPattern& pattern = *ode.jacobian_pattern();
  std::vector<double> values(static_cast<std::size_t>(pattern.nonzeros()));
  RC_ASSERT(ode.Jacobian(0, state, values) == Evaluation::kOk);
  std::array<std::array<double, 3>, 3> found{};
  for (std::size_t j = 0; j < 3; ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_starts[j]);
         k < static_cast<std::size_t>(pattern.column_starts[j + 1]);
         ++k) {
      found[static_cast<std::size_t>(pattern.row_indices[k])][j] = values[k];
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      RC_ASSERT(std::abs(found[i][j] - expected[i][j]) <=
                1e-13 * (1 + std::abs(expected[i][j])));
    }
  }
}

// x' = x sin(3 t) + u z, z^3 + z = t + x, with u = 1 + 2 t from a table.
TEST(ProgramOdeTest, TimeDerivativeGoesThroughLoopsAndInputs) {
  TestModel model("Driven");
  const Expr x = model.State("x", 1);
  const Expr z = model.Unknown("z");
  const Expr u = model.Input("u");
  model.Equate(model.Der(x), x * sin(3 * model.Time()) + u * z);
  model.Equate(z * z * z + z, model.Time() + x);
  const auto program = model.Compiled();
  ProgramEvaluator evaluator(*program);
  InputSignals inputs(*program,
                      std::make_shared<const Table>(
                          "u.csv",
                          std::vector<TableColumn>{
                              {.name = "time", .unit = "", .values = {0, 2}},
                              {.name = "u", .unit = "", .values = {1, 5}}}));
  ProgramOde ode(evaluator, inputs);
  ASSERT_TRUE(ode.has_time_derivative());

  constexpr double kTime = 0.7;
  const std::array<double, 1> state = {1.3};
  double root = 1;
  for (int i = 0; i < 100; ++i) {
    root -=
        (root * root * root + root - kTime - state[0]) / (3 * root * root + 1);
  }
  const double slope = 1 / (3 * root * root + 1);
  std::array<double, 1> dfdt{};
  ASSERT_EQ(ode.TimeDerivative(kTime, state, dfdt), Evaluation::kOk);
  EXPECT_NEAR(
      dfdt[0],
      3 * state[0] * std::cos(3 * kTime) + 2 * root + (1 + 2 * kTime) * slope,
      1e-14);
  // After the last row the input is held.
  ASSERT_EQ(ode.Derivative(2, state, dfdt), Evaluation::kOk);
  ASSERT_EQ(ode.TimeDerivative(2, state, dfdt), Evaluation::kOk);
  for (int i = 0; i < 100; ++i) {
    root -= (root * root * root + root - 2 - state[0]) / (3 * root * root + 1);
  }
  EXPECT_NEAR(
      dfdt[0], 3 * state[0] * std::cos(6) + 5 / (3 * root * root + 1), 1e-14);
}

TEST(ProgramOdeTest, TimeDerivativeOfAnAutonomousModelIsZero) {
  const auto program = Chain().Compiled();
  EXPECT_TRUE(program->time_tangent.schedule.empty());
  ProgramEvaluator evaluator(*program);
  InputSignals inputs(*program, nullptr);
  ProgramOde ode(evaluator, inputs);
  const std::array<double, 3> state = {1, 2, 3};
  std::array<double, 3> dfdt = {7, 7, 7};
  ASSERT_EQ(ode.TimeDerivative(0, state, dfdt), Evaluation::kOk);
  EXPECT_EQ(dfdt, (std::array<double, 3>{0, 0, 0}));
}

}  // namespace
}  // namespace orrery::sim::internal
