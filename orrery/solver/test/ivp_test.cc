// Published test problems for initial value solvers, through every adaptive
// method that fits them.
//
// Unless said otherwise: relative tolerance 1e-10, absolute 1e-12 (1e-14 for
// Robertson, HIRES, Oregonator, Akzo), and every component must reach 1e-6 of
// its reference, or 1e-9.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/solver/method.h"
#include "orrery/solver/test/test_problems.h"

namespace orrery {
namespace {

using test::FunctionProblem;
using test::StepTo;

struct Case {
  std::string name;
  FunctionProblem::Parts parts;
  std::vector<double> start;
  double t_end = 0;
  double absolute_tolerance = 1e-12;
  std::vector<double> reference;
  std::vector<double> floors = {1e-9};  // One, or one a component.
};

// x'' = mu (1 - x^2) x' - x.
FunctionProblem::Parts VanDerPol(double mu) {
  return {.dimension = 2,
          .rhs =
              [mu](double, auto x, auto dx) {
                dx[0] = x[1];
                dx[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
                return Evaluation::kOk;
              },
          .jacobian =
              [mu](double, auto x, auto values) {
                values[0] = 0;
                values[1] = -2 * mu * x[0] * x[1] - 1;
                values[2] = 1;
                values[3] = mu * (1 - x[0] * x[0]);
                return Evaluation::kOk;
              }};
}

// DOP853 at 1e-13, 9 digits.
Case VanDerPolMild() {
  return {.name = "VanDerPolMild",
          .parts = VanDerPol(1),
          .start = {2, 0},
          .t_end = 20,
          .reference = {2.00814976, -0.04250888},
          .floors = {2e-8}};
}

// IVP Test Set (Bari): vdpol. The set writes mu for the whole right-hand side:
// mu ((1 - x^2) x') - x with mu = 1000.
Case VanDerPolStiff() {
  return {.name = "VanDerPolStiff",
          .parts = VanDerPol(1000),
          .start = {2, 0},
          .t_end = 2000,
          .reference = {0.1706167732170469e1, -0.8928097010248125e-3}};
}

FunctionProblem::Parts RobertsonParts() {
  return {.dimension = 3,
          .rhs =
              [](double, auto y, auto dy) {
                dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
                dy[2] = 3e7 * y[1] * y[1];
                dy[1] = -dy[0] - dy[2];
                return Evaluation::kOk;
              },
          .jacobian =
              [](double, auto y, auto j) {
                j[0] = -0.04;
                j[1] = 0.04;
                j[2] = 0;
                j[3] = 1e4 * y[2];
                j[4] = -1e4 * y[2] - 6e7 * y[1];
                j[5] = 6e7 * y[1];
                j[6] = 1e4 * y[1];
                j[7] = -1e4 * y[1];
                j[8] = 0;
                return Evaluation::kOk;
              }};
}

// 9 digits.
Case RobertsonShort() {
  return {.name = "RobertsonShort",
          .parts = RobertsonParts(),
          .start = {1, 0, 0},
          .t_end = 40,
          .absolute_tolerance = 1e-14,
          .reference = {0.715827069, 9.18553476e-6, 0.284163746},
          .floors = {1e-9, 1e-13, 1e-9}};
}

// IVP Test Set: rober.
Case Robertson() {
  return {.name = "Robertson",
          .parts = RobertsonParts(),
          .start = {1, 0, 0},
          .t_end = 1e11,
          .absolute_tolerance = 1e-14,
          .reference = {0.2083340149701255e-7,
                        0.8333360770334713e-13,
                        0.9999999791665050},
          .floors = {1e-9, 1e-15, 1e-9}};
}

// IVP Test Set: orego.
Case Oregonator() {
  return {
      .name = "Oregonator",
      .parts = {.dimension = 3,
                .rhs =
                    [](double, auto y, auto dy) {
                      dy[0] =
                          77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
                      dy[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
                      dy[2] = 0.161 * (y[0] - y[2]);
                      return Evaluation::kOk;
                    },
                .jacobian =
                    [](double, auto y, auto j) {
                      j[0] = 77.27 * (1 - 2 * 8.375e-6 * y[0] - y[1]);
                      j[1] = -y[1] / 77.27;
                      j[2] = 0.161;
                      j[3] = 77.27 * (1 - y[0]);
                      j[4] = -(1 + y[0]) / 77.27;
                      j[5] = 0;
                      j[6] = 0;
                      j[7] = 1 / 77.27;
                      j[8] = -0.161;
                      return Evaluation::kOk;
                    }},
      .start = {1, 2, 3},
      .t_end = 360,
      .absolute_tolerance = 1e-14,
      .reference = {
          0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3}};
}

// IVP Test Set: hires. No Jacobian: by differences.
Case Hires() {
  return {.name = "Hires",
          .parts = {.dimension = 8,
                    .rhs =
                        [](double, auto y, auto dy) {
                          dy[0] =
                              -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
                          dy[1] = 1.71 * y[0] - 8.75 * y[1];
                          dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
                          dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
                          dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
                          dy[5] = -280 * y[5] * y[7] + 0.69 * y[3] +
                                  1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
                          dy[6] = 280 * y[5] * y[7] - 1.81 * y[6];
                          dy[7] = -dy[6];
                          return Evaluation::kOk;
                        }},
          .start = {1, 0, 0, 0, 0, 0, 0, 0.0057},
          .t_end = 321.8122,
          .absolute_tolerance = 1e-14,
          .reference = {0.7371312573325668e-3,
                        0.1442485726316185e-3,
                        0.5888729740967575e-4,
                        0.1175651343283149e-2,
                        0.2386356198831331e-2,
                        0.6238968252742796e-2,
                        0.2849998395185769e-2,
                        0.2850001604814231e-2},
          .floors = {1e-11}};
}

// IVP Test Set: plei, seven stars in a plane.
Case Pleiades() {
  return {.name = "Pleiades",
          .parts = {.dimension = 28,
                    .rhs =
                        [](double, auto y, auto dy) {
                          for (std::size_t i = 0; i < 7; ++i) {
                            dy[i] = y[14 + i];
                            dy[7 + i] = y[21 + i];
                            dy[14 + i] = 0;
                            dy[21 + i] = 0;
                            for (std::size_t j = 0; j < 7; ++j) {
                              if (j == i) {
                                continue;
                              }
                              const double dx = y[j] - y[i];
                              const double dz = y[7 + j] - y[7 + i];
                              const double r = std::sqrt(dx * dx + dz * dz);
                              const double pull =
                                  static_cast<double>(j + 1) / (r * r * r);
                              dy[14 + i] += pull * dx;
                              dy[21 + i] += pull * dz;
                            }
                          }
                          return Evaluation::kOk;
                        }},
          .start = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                    0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0},
          .t_end = 3,
          .reference = {0.3706139143970502e+000,  0.3237284092057233e+001,
                        -0.3222559032418324e+001, 0.6597091455775310e+000,
                        0.3425581707156584e+000,  0.1562172101400631e+001,
                        -0.7003092922212495e+000, -0.3943437585517392e+001,
                        -0.3271380973972550e+001, 0.5225081843456543e+001,
                        -0.2590612434977470e+001, 0.1198213693392275e+001,
                        -0.2429682344935824e+000, 0.1091449240428980e+001,
                        0.3417003806314313e+001,  0.1354584501625501e+001,
                        -0.2590065597810775e+001, 0.2025053734714242e+001,
                        -0.1155815100160448e+001, -0.8072988170223021e+000,
                        0.5952396354208710e+000,  -0.3741244961234010e+001,
                        0.3773459685750630e+000,  0.9386858869551073e+000,
                        0.3667922227200571e+000,  -0.3474046353808490e+000,
                        0.2344915448180937e+001,  -0.1947020434263292e+001}};
}

FunctionProblem::Parts Lorenz() {
  return {.dimension = 3, .rhs = [](double, auto x, auto dx) {
            dx[0] = 10 * (x[1] - x[0]);
            dx[1] = x[0] * (28 - x[2]) - x[1];
            dx[2] = x[0] * x[1] - 8.0 / 3 * x[2];
            return Evaluation::kOk;
          }};
}

// Taylor series of order 110 in 150 digits.
Case Lorenz10() {
  return {.name = "Lorenz10",
          .parts = Lorenz(),
          .start = {1, 1, 1},
          .t_end = 10,
          .reference = {
              -4.90268754113464573, -3.74387292180291962, 24.6908581027905555}};
}

// 1-D Brusselator, 200 points, u and v in turn: band of width 2. Reference:
// extrapolated linearly implicit Euler in long double.
Case Brusselator() {
  constexpr std::size_t kPoints = 200;
  FunctionProblem::Parts parts;
  parts.dimension = 2 * kPoints;
  parts.rhs = [](double, auto x, auto dx) {
    const double c = 0.02 * (kPoints + 1) * (kPoints + 1);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double u = x[2 * i];
      const double v = x[2 * i + 1];
      const double u_left = i > 0 ? x[2 * i - 2] : 1;
      const double v_left = i > 0 ? x[2 * i - 1] : 3;
      const double u_right = i + 1 < kPoints ? x[2 * i + 2] : 1;
      const double v_right = i + 1 < kPoints ? x[2 * i + 3] : 3;
      dx[2 * i] = 1 + u * u * v - 4 * u + c * (u_left - 2 * u + u_right);
      dx[2 * i + 1] = 3 * u - u * u * v + c * (v_left - 2 * v + v_right);
    }
    return Evaluation::kOk;
  };
  parts.pattern = {.rows = parts.dimension,
                   .columns = parts.dimension,
                   .column_starts = {0}};
  for (int j = 0; j < parts.dimension; ++j) {
    for (int i = std::max(0, j - 2); i <= std::min(j + 2, parts.dimension - 1);
         ++i) {
      const bool same_point = i / 2 == j / 2;
      if (same_point || i % 2 == j % 2) {
        parts.pattern.row_indices.push_back(i);
      }
    }
    parts.pattern.column_starts.push_back(parts.pattern.nonzeros());
  }
  Case result = {.name = "Brusselator",
                 .parts = parts,
                 .start = {},
                 .t_end = 10,
                 .reference = std::vector<double>(2 * kPoints, std::nan(""))};
  for (std::size_t i = 1; i <= kPoints; ++i) {
    result.start.push_back(1 +
                           std::sin(2 * std::numbers::pi *
                                    static_cast<double>(i) / (kPoints + 1)));
    result.start.push_back(3);
  }
  result.reference[0] = 9.87102662509947540576e-01;
  result.reference[1] = 3.01626258272707928137e+00;
  result.reference[2 * 49] = 5.28575952222114393722e-01;
  result.reference[2 * 49 + 1] = 3.58311021349673775710e+00;
  result.reference[2 * 99] = 4.29861653918187266939e-01;
  result.reference[2 * 99 + 1] = 3.68806318395396537878e+00;
  return result;
}

struct Run {
  Case problem;
  Method method;
  double relative_tolerance = 1e-10;
};

void PrintTo(const Run& run, std::ostream* out) {
  *out << run.problem.name << " by " << NameOf(run.method).name;
}

std::string NameOfRun(const testing::TestParamInfo<Run>& info) {
  std::string name = info.param.problem.name + "_" +
                     std::string(NameOf(info.param.method).name);
  std::ranges::replace(name, '-', '_');
  return name;
}

class IvpTest : public testing::TestWithParam<Run> {};

TEST_P(IvpTest, ReachesTheReference) {
  const Case& c = GetParam().problem;
  FunctionProblem problem(c.parts);
  const auto integrator =
      MakeIntegrator(GetParam().method,
                     problem,
                     {.relative_tolerance = GetParam().relative_tolerance,
                      .absolute_tolerances = {c.absolute_tolerance}});
  integrator->Restart(0, c.start);
  const StepResult result = StepTo(*integrator, c.t_end);
  ASSERT_EQ(result.outcome, StepOutcome::kStepped)
      << Describe(result.outcome) << " at " << integrator->t();
  EXPECT_EQ(integrator->t(), c.t_end);
  for (std::size_t i = 0; i < c.reference.size(); ++i) {
    if (std::isnan(c.reference[i])) {
      continue;
    }
    const double least = c.floors.size() > 1 ? c.floors[i] : c.floors[0];
    EXPECT_NEAR(integrator->x()[i],
                c.reference[i],
                std::max(1e-6 * std::abs(c.reference[i]), least))
        << i;
  }
  const IntegratorStatistics& s = integrator->statistics();
  RecordProperty("steps", std::to_string(s.steps));
  RecordProperty("rhs", std::to_string(s.rhs_evaluations));
  EXPECT_LT(s.steps, 60'000);
}

std::vector<Run> StiffRuns() {
  std::vector<Run> runs;
  for (const Method method :
       {Method::kRosenbrock, Method::kCvodeBdf, Method::kIda, Method::kAuto}) {
    for (const Case& c : {VanDerPolStiff(),
                          RobertsonShort(),
                          Robertson(),
                          Oregonator(),
                          Hires(),
                          Brusselator()}) {
      runs.push_back({.problem = c, .method = method});
    }
  }
  return runs;
}

std::vector<Run> NonStiffRuns() {
  std::vector<Run> runs;
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock,
                              Method::kCvodeAdams,
                              Method::kAuto}) {
    for (const Case& c : {VanDerPolMild(), Pleiades(), Lorenz10()}) {
      runs.push_back({.problem = c, .method = method});
    }
  }
  return runs;
}

INSTANTIATE_TEST_SUITE_P(Stiff,
                         IvpTest,
                         testing::ValuesIn(StiffRuns()),
                         NameOfRun);
INSTANTIATE_TEST_SUITE_P(NonStiff,
                         IvpTest,
                         testing::ValuesIn(NonStiffRuns()),
                         NameOfRun);

// Errors grow by e^(0.9 t): what is left at t = 20 decides.
TEST(LorenzTest, KeepsFourDigitsToTwenty) {
  for (const Method method : {Method::kDormandPrince8, Method::kAuto}) {
    FunctionProblem problem(Lorenz());
    const auto integrator = MakeIntegrator(
        method,
        problem,
        {.relative_tolerance = 1e-13, .absolute_tolerances = {1e-13}});
    integrator->Restart(0, std::array{1.0, 1.0, 1.0});
    ASSERT_TRUE(StepTo(*integrator, 20).stepped());
    EXPECT_NEAR(integrator->x()[0], 13.7931995951286188, 1e-4);
    EXPECT_NEAR(integrator->x()[1], 12.9518039361898985, 1e-4);
    EXPECT_NEAR(integrator->x()[2], 34.9016086811351429, 1e-4);
  }
}

}  // namespace
}  // namespace orrery
