// The heat equation u_t = u_xx on N cells, u = 0 at both ends, by central
// differences in a for-equation of Modelica. Measures the time and memory of
// its compilation, and the time of a step of the classical Runge-Kutta method,
// compared with a hand-written loop.
//
// A grid mode sin(k pi i h) decays by the eigenvalue -(4/h^2) sin^2(k pi h/2)
// of the discrete Laplacian (LeVeque, Finite Difference Methods for Ordinary
// and Partial Differential Equations, section 2.10), in each step of size dt by
// the factor 1 + z + z^2/2 + z^3/6 + z^4/24 with z = eigenvalue * dt.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/bench/apart.h"
#include "orrery/base/bench/report.h"
#include "orrery/sdk/orrery.h"

namespace {

constexpr const char* kModel = R"(model Heat
  constant Real pi = 3.141592653589793;
  parameter Integer n = 1000 "cells";
  parameter Real h = 1/(n + 1);
  parameter Real mode = div(n, 2);
  Real u[n](start = {sin(mode*pi*i*h) for i in 1:n}, each fixed = true);
equation
  der(u[1]) = (u[2] - 2*u[1])/h^2;
  for i in 2:n-1 loop
    der(u[i]) = (u[i+1] - 2*u[i] + u[i-1])/h^2;
  end for;
  der(u[n]) = (u[n-1] - 2*u[n])/h^2;
end Heat;
)";

// A graph and a few vectors need less for each state; formulas for each state
// would need more.
constexpr double kDoublesPerState = 40;
constexpr double kSecondsToCompile = 2;  // 10^6 cells.
constexpr int kSteps = 10;
constexpr double kCellSteps = 3e7;  // Total work in measurements of small
                                    // grids.

struct Grid {
  explicit Grid(std::size_t cells)
      : n(static_cast<double>(cells)),
        h(1 / (n + 1)),
        dt(0.5 * h * h),
        mode(std::floor(n / 2)) {}

  [[nodiscard]] double StartAt(double cell) const {
    return std::sin(mode * std::numbers::pi * cell * h);
  }

  // The factor of the mode in a step.
  [[nodiscard]] double Factor() const {
    const double s = std::sin(mode * std::numbers::pi * h / 2);
    const double z = -4 / (h * h) * s * s * dt;
    return 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
  }

  double n;
  double h;
  double dt;
  double mode;
};

// The method and the equations by hand.
class HeatByHand {
 public:
  explicit HeatByHand(std::size_t cells) : grid_(cells), u_(cells) {
    for (std::size_t i = 0; i < cells; ++i) {
      u_[i] = grid_.StartAt(static_cast<double>(i + 1));
    }
    for (std::vector<double>* vector : {&stage_, &du_, &sum_}) {
      vector->resize(cells);
    }
  }

  [[nodiscard]] const std::vector<double>& u() const { return u_; }

  void Step() {
    const double dt = grid_.dt;
    Slope(u_);
    sum_ = du_;
    for (const double part : {0.5, 0.5, 1.0}) {
      for (std::size_t i = 0; i < u_.size(); ++i) {
        stage_[i] = u_[i] + part * dt * du_[i];
      }
      Slope(stage_);
      const double weight = part == 1 ? 1 : 2;
      for (std::size_t i = 0; i < u_.size(); ++i) {
        sum_[i] += weight * du_[i];
      }
    }
    for (std::size_t i = 0; i < u_.size(); ++i) {
      u_[i] += dt / 6 * sum_[i];
    }
  }

 private:
  void Slope(const std::vector<double>& u) {
    const double scale = 1 / (grid_.h * grid_.h);
    const std::size_t last = u.size() - 1;
    du_[0] = (u[1] - 2 * u[0]) * scale;
    for (std::size_t i = 1; i < last; ++i) {
      du_[i] = (u[i + 1] - 2 * u[i] + u[i - 1]) * scale;
    }
    du_[last] = (u[last - 1] - 2 * u[last]) * scale;
  }

  Grid grid_;
  std::vector<double> u_;
  std::vector<double> stage_;
  std::vector<double> du_;
  std::vector<double> sum_;
};

struct Figures {
  double compile_s = 0;
  double step_s = 0;
  double by_hand_s = 0;
  double error = 1;
};

orrery::RunResult RunSteps(
    const std::shared_ptr<const orrery::Program>& program,
    const Grid& grid,
    int steps) {
  const orrery::Seconds stop{grid.dt * steps};
  return Simulate(program,
                  {.stop = stop,
                   .method = orrery::Method::kRungeKutta4,
                   .step = orrery::Seconds{grid.dt},
                   .interval = stop,
                   .code = orrery::CodeChoice::kNative,
                   .record = {"u[1]", "u[2]"}});
}

Figures Measure(std::size_t cells, bool with_hand) {
  const Grid grid(cells);
  const std::vector<orrery::Setting> settings = {
      {"n", static_cast<double>(cells)}};
  Figures figures;
  std::shared_ptr<const orrery::Program> program;
  figures.compile_s = orrery::SecondsOf([&] {
    program = Compile(
        LoadText(std::make_shared<const orrery::SourceFile>("heat.mo", kModel),
                 "Heat",
                 settings));
  });
  const int steps = std::max(
      kSteps, static_cast<int>(kCellSteps / static_cast<double>(cells)));
  const orrery::Trajectory run = RunSteps(program, grid, kSteps).trajectory;
  const double exact = std::pow(grid.Factor(), kSteps) * grid.StartAt(1);
  figures.error = std::abs(run["u[1]"].final() / exact - 1);
  const double one =
      orrery::SecondsOf([&] { (void)RunSteps(program, grid, 1); });
  const double more =
      orrery::SecondsOf([&] { (void)RunSteps(program, grid, 1 + steps); });
  figures.step_s = (more - one) / steps;
  if (with_hand) {
    HeatByHand by_hand(cells);
    by_hand.Step();
    figures.by_hand_s = orrery::SecondsOf([&] {
                          for (int i = 0; i < steps; ++i) {
                            by_hand.Step();
                          }
                        }) /
                        steps;
  }
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  orrery::BenchReport report("heat");
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  const std::size_t largest = is_smoke ? 1000 : 1'000'000;
  for (std::size_t cells = largest / 100; cells <= largest; cells *= 10) {
    using orrery::Apart;
    const auto timed = orrery::MeasureApart([&] {
                         return Measure(cells, true);
                       }).value_or(Apart<Figures>{});
    const bool is_right = timed.value.error < 1e-9;
    const double n = static_cast<double>(cells);
    const std::string name = std::to_string(cells) + " cells: ";
    report.Add(name + "compile",
               timed.value.compile_s,
               kSecondsToCompile * std::max(n / 1e6, 0.01),
               "s",
               is_right);
    if (cells == largest) {  // Memory that does not grow with the cells is
                             // negligible.
      const auto fresh = orrery::MeasureApart([&] {
                           return Measure(cells, false);
                         }).value_or(Apart<Figures>{});
      report.Add(name + "memory",
                 fresh.peak_megabytes * 1e6 / sizeof(double) / n,
                 kDoublesPerState,
                 "doubles/state",
                 fresh.value.error < 1e-9);
    }
    report.Add(name + "a step",
               timed.value.step_s * 1e9 / n,
               timed.value.by_hand_s * 1e9 / n,
               "ns/cell",
               is_right);
  }
  return report.ExitCode();
}
