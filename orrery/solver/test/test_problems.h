#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::test {

/// A problem made of functions, for tests.
class FunctionProblem final : public OdeProblem {
 public:
  using Rhs = std::function<Evaluation(
      double, std::span<const double>, std::span<double>)>;

  /// x, h, order: as OdeProblem::Series; then the rows, one after the other.
  using TaylorSeries = std::function<void(
      std::span<const double>, double, int, std::span<double>)>;

  /// The parts of the problem; all but the first two are optional. A Jacobian
  /// without a pattern has all elements, column by column.
  struct Parts {
    int dimension = 0;
    Rhs rhs;
    Rhs jacobian = nullptr;
    SparsityPattern pattern = {};
    Rhs time_derivative = nullptr;
    std::vector<std::uint8_t> positions = {};
    TaylorSeries series = nullptr;
    SeriesCost series_cost = {};
    std::optional<int> degree = std::nullopt;
  };

  explicit FunctionProblem(Parts parts) : parts_(std::move(parts)) {}

  FunctionProblem(int dimension, Rhs rhs)
      : parts_{.dimension = dimension, .rhs = std::move(rhs)} {}

  [[nodiscard]] int dimension() const override { return parts_.dimension; }

  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override {
    ++calls_;
    return parts_.rhs(t, x, dx);
  }

  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override {
    return parts_.pattern.columns > 0 ? &parts_.pattern : nullptr;
  }

  [[nodiscard]] bool has_jacobian() const override {
    return parts_.jacobian != nullptr;
  }

  Evaluation Jacobian(double t,
                      std::span<const double> x,
                      std::span<double> values) override {
    return parts_.jacobian(t, x, values);
  }

  [[nodiscard]] bool has_time_derivative() const override {
    return parts_.time_derivative != nullptr;
  }

  Evaluation TimeDerivative(double t,
                            std::span<const double> x,
                            std::span<double> dfdt) override {
    return parts_.time_derivative(t, x, dfdt);
  }

  [[nodiscard]] std::optional<int> degree() const override {
    return parts_.degree;
  }

  [[nodiscard]] SeriesKind series() override {
    return parts_.series == nullptr ? SeriesKind::kNone : SeriesKind::kSmooth;
  }

  [[nodiscard]] SeriesCost CostOfSeries(int /*order*/) override {
    return parts_.series_cost;
  }

  Evaluation Series(double /*t*/,
                    std::span<const double> x,
                    double h,
                    int order,
                    SeriesRows& rows) override {
    coefficients_.resize(x.size() * (static_cast<std::size_t>(order) + 1));
    parts_.series(x, h, order, coefficients_);
    rows = {.begin = coefficients_.data(), .stride = x.size()};
    return Evaluation::kOk;
  }

  [[nodiscard]] std::span<const std::uint8_t> positions() const override {
    return parts_.positions;
  }

  /// Number of calls of f.
  [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }

 private:
  Parts parts_;
  std::vector<double> coefficients_;
  std::int64_t calls_ = 0;
};

/// x'' = -x as x' = v, v' = -x, with its Jacobian and its series.
inline FunctionProblem Circle(SeriesCost series_cost = {}) {
  return FunctionProblem({.dimension = 2,
                          .rhs =
                              [](double, auto x, auto dx) {
                                dx[0] = x[1];
                                dx[1] = -x[0];
                                return Evaluation::kOk;
                              },
                          .jacobian =
                              [](double, auto, auto values) {
                                values[0] = 0;
                                values[1] = -1;
                                values[2] = 1;
                                values[3] = 0;
                                return Evaluation::kOk;
                              },
                          .positions = {1, 0},
                          .series =
                              [](auto x, double h, int order, auto c) {
                                c[0] = x[0];
                                c[1] = x[1];
                                for (int k = 1; k <= order; ++k) {
                                  const auto at =
                                      2 * static_cast<std::size_t>(k);
                                  c[at] = c[at - 1] * h / k;
                                  c[at + 1] = -c[at - 2] * h / k;
                                }
                              },
                          .series_cost = series_cost});
}

/// Steps to `t_end` or to the first failure, which is returned.
inline StepResult StepTo(TimeIntegrator& integrator, double t_end) {
  while (integrator.t() < t_end) {
    const StepResult result = integrator.Step(t_end);
    if (!result.stepped()) {
      return result;
    }
  }
  return {};
}

}  // namespace orrery::test
