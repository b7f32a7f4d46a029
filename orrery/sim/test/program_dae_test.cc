#include "orrery/sim/machine/program_dae.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/test_model.h"

namespace orrery::sim::internal {
namespace {

// A loop, an assignment that depends on it, a second loop that depends on both,
// derivatives of them all and one that is another state.
//   z^3 + z = x + y,  q = z*x,  w^3 + 2*w = q + t,
//   x' = v,  v' = -z - w,  y' = w*v - q
TestModel TwoLoops() {
  TestModel model("TwoLoops");
  const Expr x = model.State("x", 1);
  const Expr v = model.State("v", 0);
  const Expr y = model.State("y", 0.5);
  const Expr z = model.Unknown("z");
  const Expr w = model.Unknown("w");
  const Expr q = model.Unknown("q");
  model.Equate(model.Der(x), v);
  model.Equate(model.Der(v), -z - w);
  model.Equate(model.Der(y), w * v - q);
  model.Equate(z * z * z + z, x + y);
  model.Equate(q, z * x);
  model.Equate(w * w * w + 2 * w, q + model.Time());
  return model;
}

// The unknowns' places in y, by name.
struct Places {
  std::size_t x, v, y, z, w;
};

Places PlacesOf(const Program& program) {
  const auto state = [&](std::string_view name) {
    const std::vector<std::string> states = StateNames(program);
    return static_cast<std::size_t>(std::ranges::find(states, name) -
                                    states.begin());
  };
  const NameTable names(program);
  std::vector<std::uint32_t> slots;
  for (const TangentProgram::Block& open : program.tangent.blocks) {
    const auto& block = program.blocks[open.block];
    slots.insert(
        slots.end(), block.unknown_slots.begin(), block.unknown_slots.end());
  }
  const auto loop = [&](std::string_view name) {
    const std::uint32_t slot = ReferenceOf(program, names.Get(name)).slot;
    return program.state_slots.size() +
           static_cast<std::size_t>(std::ranges::find(slots, slot) -
                                    slots.begin());
  };
  return {state("x"), state("v"), state("y"), loop("z"), loop("w")};
}

using Matrix = std::array<std::array<double, 5>, 5>;

RC_GTEST_PROP(ProgramDaeTest, MatrixIsThatOfTheFormulas, ()) {
  const auto number = [] {
    return *rc::gen::inRange(-3000, 3000) / 1000.0;
  };
  const auto program = TwoLoops().Compiled();
  RC_ASSERT(HasImplicitForm(*program));
  ProgramEvaluator evaluator(*program);
  InputSignals inputs(*program, nullptr);
  ProgramOde ode(evaluator, inputs);
  ProgramDae dae(evaluator, inputs, ode);
  RC_ASSERT(dae.dimension() == 5);
  const Places at = PlacesOf(*program);
  std::array<double, 5> y{};
  std::ranges::generate(y, number);
  const std::array<double, 5> yp = {1, 2, 3, 4, 5};
  constexpr double kTime = 0.25;
  constexpr double kShift = 7;

  std::array<double, 5> residual{};
  RC_ASSERT(dae.Residual(kTime, y, yp, residual) == Evaluation::kOk);
  const double q = y[at.z] * y[at.x];
  const auto near = [](double a, double b) {
    return std::abs(a - b) <= 1e-12 * (1 + std::abs(b));
  };
  RC_ASSERT(near(residual[at.x], yp[at.x] - y[at.v]));
  RC_ASSERT(near(residual[at.v], yp[at.v] + y[at.z] + y[at.w]));
  RC_ASSERT(near(residual[at.y], yp[at.y] - (y[at.w] * y[at.v] - q)));
  RC_ASSERT(near(std::abs(residual[at.z]),
                 std::abs(std::pow(y[at.z], 3) + y[at.z] - y[at.x] - y[at.y])));
  RC_ASSERT(near(std::abs(residual[at.w]),
                 std::abs(std::pow(y[at.w], 3) + 2 * y[at.w] - q - kTime)));

  Matrix expected{};
  expected[at.x][at.v] = -1;
  expected[at.v][at.z] = 1;
  expected[at.v][at.w] = 1;
  expected[at.y][at.w] = -y[at.v];
  expected[at.y][at.v] = -y[at.w];
  expected[at.y][at.z] = y[at.x];
  expected[at.y][at.x] = y[at.z];
  for (const std::size_t i : {at.x, at.v, at.y}) {
    expected[i][i] += kShift;
  }
  expected[at.z][at.z] = 3 * y[at.z] * y[at.z] + 1;
  expected[at.z][at.x] = -1;
  expected[at.z][at.y] = -1;
  expected[at.w][at.w] = 3 * y[at.w] * y[at.w] + 2;
  expected[at.w][at.x] = -y[at.z];
  expected[at.w][at.z] = -y[at.x];

  const SparsityPattern& pattern = *dae.jacobian_pattern();
  RC_ASSERT(pattern.nonzeros() == 16);
  std::vector<double> values(static_cast<std::size_t>(pattern.nonzeros()));
  RC_ASSERT(dae.Jacobian(kTime, kShift, y, yp, values) == Evaluation::kOk);
  Matrix found{};
  for (std::size_t j = 0; j < 5; ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_starts[j]);
         k < static_cast<std::size_t>(pattern.column_starts[j + 1]);
         ++k) {
      found[static_cast<std::size_t>(pattern.row_indices[k])][j] = values[k];
    }
  }
  // A loop's equation may be written with either sign.
  for (const std::size_t loop : {at.z, at.w}) {
    if (found[loop][loop] < 0) {
      for (double& value : found[loop]) {
        value = -value;
      }
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      RC_ASSERT(near(found[i][j], expected[i][j]));
    }
  }
}

TEST(ProgramDaeTest, IdaKeepsLoopsOpenAndAgreesWithTheOdeForm) {
  const auto program = TwoLoops().Compiled();
  SimulationOptions options{.stop = 3, .tolerance = 1e-9, .interval = 0.5};
  const RunResult reference = Simulate(program, options);
  options.method = Method::kIda;
  const RunResult run = Simulate(program, options);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.summary.solver, "ida");
  for (const char* name : {"x", "v", "y", "z", "w", "q", "der(y)"}) {
    for (int i = 0; i <= 6; ++i) {
      EXPECT_NEAR(run[name].at(0.5 * i), reference[name].at(0.5 * i), 1e-6)
          << name << " at " << 0.5 * i;
    }
  }
  // Loops are solved where rows are written, not in every evaluation.
  EXPECT_GT(run.summary.rhs_evaluations, 200);
  EXPECT_LT(run.summary.loop_iterations, run.summary.rhs_evaluations);
}

// x' = -z + u, z^3 + z = x + u, where u jumps from 1 to 3 at t = 0.5.
TEST(ProgramDaeTest, JumpOfAnInputMovesTheOpenLoops) {
  TestModel model("Driven");
  const Expr x = model.State("x", 1);
  const Expr z = model.Unknown("z");
  const Expr u = model.Input("u");
  model.Equate(model.Der(x), -z + u);
  model.Equate(z * z * z + z, x + u);
  const auto program = model.Compiled();
  SimulationOptions options{.stop = 1, .tolerance = 1e-9, .interval = 0.125};
  options.inputs = std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "", .values = {0, 0.5, 0.5, 1}},
          {.name = "u", .unit = "", .values = {1, 1, 3, 3}}});
  const RunResult reference = Simulate(program, options);
  options.method = Method::kIda;
  const RunResult run = Simulate(program, options);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  ASSERT_EQ(run.trajectory.rows(), reference.trajectory.rows());
  EXPECT_EQ(run.trajectory.rows(), 10);  // Both limits at the jump.
  const auto value = [](const RunResult& of, const char* name, std::size_t i) {
    return of.trajectory[name][i];
  };
  for (std::size_t i = 0; i < run.trajectory.rows(); ++i) {
    EXPECT_NEAR(value(run, "x", i), value(reference, "x", i), 1e-7);
    // Rows hold the loop's equation to rounding, whatever the tolerance.
    const double root = value(run, "z", i);
    EXPECT_NEAR(root * root * root + root,
                value(run, "x", i) + value(run, "u", i),
                1e-14);
  }
}

// z^2 = x loses its solution at x = 0, t = 2.
TEST(ProgramDaeTest, LoopThatLosesItsSolutionEndsTheRunThere) {
  TestModel model("Fold");
  const Expr x = model.State("x", 2);
  const Expr z = model.Unknown("z", 1.5);
  model.Equate(model.Der(x), -1 + 0 * z);
  model.Equate(z * z * z / z, x);
  const Expr y = model.State("y", 0);
  model.Equate(model.Der(y), z);
  const RunResult run =
      Simulate(model.Compiled(), {.stop = 3, .method = Method::kIda});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_NEAR(run.summary.end_time, 2, 1e-3);
  EXPECT_NE(run.summary.message, "");
}

TEST(ProgramDaeTest, ModelWithoutLoopsHasNoImplicitForm) {
  TestModel model("Plain");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), -x);
  const auto program = model.Compiled();
  EXPECT_FALSE(HasImplicitForm(*program));
  const RunResult run =
      Simulate(program, {.stop = 1, .tolerance = 1e-9, .method = Method::kIda});
  EXPECT_NEAR(run["x"].final(), std::exp(-1), 1e-7);
}

}  // namespace
}  // namespace orrery::sim::internal
