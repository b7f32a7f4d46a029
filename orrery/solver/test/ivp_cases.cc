#include "orrery/solver/test/ivp_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace orrery::test {
namespace {

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

// m x'' + c x' + k x = 0, m = 100, from x = 10.
IvpCase Oscillator(std::string name,
                   std::array<double, 2> parameters,
                   double t_end,
                   std::vector<double> reference) {
  const auto [damping, stiffness] = parameters;
  return {.name = std::move(name),
          .parts = {.dimension = 2,
                    .rhs =
                        [c = damping / 100, k = stiffness / 100](
                            double, auto x, auto dx) {
                          dx[0] = x[1];
                          dx[1] = -k * x[0] - c * x[1];
                          return Evaluation::kOk;
                        }},
          .start = {10, 0},
          .t_end = t_end,
          .reference = std::move(reference)};
}

}  // namespace

// DOP853 at 1e-13, 9 digits.
IvpCase VanDerPolMild() {
  return {.name = "VanDerPolMild",
          .parts = VanDerPol(1),
          .start = {2, 0},
          .t_end = 20,
          .reference = {2.00814976, -0.04250888},
          .floors = {2e-8}};
}

// IVP Test Set (Bari): vdpol. The set writes mu for the whole right-hand side:
// mu ((1 - x^2) x') - x with mu = 1000.
IvpCase VanDerPolStiff() {
  return {.name = "VanDerPolStiff",
          .parts = VanDerPol(1000),
          .start = {2, 0},
          .t_end = 2000,
          .reference = {0.1706167732170469e1, -0.8928097010248125e-3}};
}

// 9 digits.
IvpCase RobertsonShort() {
  return {.name = "RobertsonShort",
          .parts = RobertsonParts(),
          .start = {1, 0, 0},
          .t_end = 40,
          .absolute_tolerance = 1e-14,
          .reference = {0.715827069, 9.18553476e-6, 0.284163746},
          .floors = {1e-9, 1e-13, 1e-9}};
}

// IVP Test Set: rober.
IvpCase Robertson() {
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
IvpCase Oregonator() {
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
IvpCase Hires() {
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
IvpCase Pleiades() {
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
IvpCase Lorenz10() {
  return {.name = "Lorenz10",
          .parts = Lorenz(),
          .start = {1, 1, 1},
          .t_end = 10,
          .reference = {
              -4.90268754113464573, -3.74387292180291962, 24.6908581027905555}};
}

// 1-D Brusselator, 200 points, u and v in turn: band of width 2. Reference:
// extrapolated linearly implicit Euler in long double.
IvpCase Brusselator() {
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
  IvpCase result = {
      .name = "Brusselator",
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

// Exact, by Jacobi's sn.
IvpCase Pendulum() {
  return {.name = "Pendulum",
          .parts = {.dimension = 2,
                    .rhs =
                        [](double, auto x, auto dx) {
                          dx[0] = x[1];
                          dx[1] = -9.81 * std::sin(x[0]);
                          return Evaluation::kOk;
                        }},
          .start = {10 * std::numbers::pi / 180, 0},
          .t_end = 10,
          .reference = {0.17245314768038790834, 0.083928310698291119553}};
}

// Exact, by Kepler's equation; units of 1e11 m and 1e7 s.
IvpCase PlanetOrbit() {
  constexpr double kLength = 1e11;
  constexpr double kTime = 1e7;
  constexpr double kSpeed = kLength / kTime;
  return {.name = "PlanetOrbit",
          .parts = {.dimension = 4,
                    .rhs =
                        [](double, auto x, auto dx) {
                          constexpr double kPull =
                              6.67e-11 * 1.989e30 * kTime * kTime /
                              (kLength * kLength * kLength);
                          const double r = std::hypot(x[0], x[1]);
                          dx[0] = x[2];
                          dx[1] = x[3];
                          dx[2] = -kPull * x[0] / (r * r * r);
                          dx[3] = -kPull * x[1] / (r * r * r);
                          return Evaluation::kOk;
                        }},
          .start = {1.471, 0, 0, -30.29e3 / kSpeed},
          .t_end = 365.256 * 86400 / kTime,
          .reference = {147096290516.58657 / kLength,
                        1053660408.2279155 / kLength,
                        213.27330869 / kSpeed,
                        -30289.236164489708 / kSpeed}};
}

IvpCase Lag() {
  return {.name = "Lag",
          .parts = {.dimension = 1,
                    .rhs =
                        [](double, auto x, auto dx) {
                          dx[0] = -x[0];
                          return Evaluation::kOk;
                        }},
          .start = {10},
          .t_end = 3,
          .reference = {0.49787068367863942979}};
}

IvpCase CriticalOscillator() {
  return Oscillator("CriticalOscillator",
                    {20, 1},
                    30,
                    {1.9914827347145577192, -0.14936120510359182894});
}

IvpCase OverdampedOscillator() {
  return Oscillator("OverdampedOscillator",
                    {20, 0.5},
                    30,
                    {5.001127394470028502, -0.14473160296544160699});
}

IvpCase UnderdampedOscillator() {
  return Oscillator("UnderdampedOscillator",
                    {20, 2},
                    30,
                    {-0.42262872622568570075, -0.014051902978700240112});
}

IvpCase MassSpring() {
  return {.name = "MassSpring",
          .parts = {.dimension = 2,
                    .rhs =
                        [](double, auto x, auto dx) {
                          dx[0] = x[1];
                          dx[1] = -4 * x[0] - 0.4 * x[1];
                          return Evaluation::kOk;
                        }},
          .start = {1, 0},
          .t_end = 10,
          .reference = {0.0791160236189625, std::nan("")}};
}

// A step of voltage on the motor of the CTMS tutorials.
IvpCase Motor() {
  return {.name = "Motor",
          .parts = {.dimension = 2,
                    .rhs =
                        [](double, auto x, auto dx) {
                          dx[0] = (0.01 * x[1] - 0.1 * x[0]) / 0.01;
                          dx[1] = (1 - x[1] - 0.01 * x[0]) / 0.5;
                          return Evaluation::kOk;
                        }},
          .start = {0, 0},
          .t_end = 3,
          .reference = {0.0995927636418, std::nan("")}};
}

// Prothero & Robinson, Math. Comp. 28 (1974): the solution is cos t.
IvpCase Relaxation() {
  return {.name = "Relaxation",
          .parts = {.dimension = 1,
                    .rhs =
                        [](double t, auto x, auto dx) {
                          dx[0] = -1e6 * (x[0] - std::cos(t)) - std::sin(t);
                          return Evaluation::kOk;
                        },
                    .jacobian =
                        [](double, auto, auto j) {
                          j[0] = -1e6;
                          return Evaluation::kOk;
                        }},
          .start = {1},
          .t_end = 10,
          .reference = {std::cos(10.0)}};
}

}  // namespace orrery::test
