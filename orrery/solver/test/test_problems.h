#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/solver/integrator.h"
#include "orrery/solver/ode.h"

namespace orrery::test {

/// A problem made of functions, as tests need them.
class FunctionProblem final : public OdeProblem {
 public:
  using Rhs = std::function<Evaluation(
      double, std::span<const double>, std::span<double>)>;

  FunctionProblem(int dimension, Rhs rhs)
      : dimension_(dimension), rhs_(std::move(rhs)) {}

  /// Adds an exact Jacobian; without a pattern all of it, column by column.
  FunctionProblem& WithJacobian(Rhs jacobian) {
    jacobian_ = std::move(jacobian);
    return *this;
  }

  FunctionProblem& WithPattern(SparsityPattern pattern) {
    pattern_ = std::move(pattern);
    return *this;
  }

  FunctionProblem& WithTimeDerivative(Rhs derivative) {
    time_derivative_ = std::move(derivative);
    return *this;
  }

  FunctionProblem& WithPositions(std::vector<std::uint8_t> positions) {
    positions_ = std::move(positions);
    return *this;
  }

  [[nodiscard]] int dimension() const override { return dimension_; }

  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override {
    ++calls_;
    return rhs_(t, x, dx);
  }

  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override {
    return pattern_.columns > 0 ? &pattern_ : nullptr;
  }

  [[nodiscard]] bool has_jacobian() const override {
    return jacobian_ != nullptr;
  }

  Evaluation Jacobian(double t,
                      std::span<const double> x,
                      std::span<double> values) override {
    return jacobian_(t, x, values);
  }

  [[nodiscard]] bool has_time_derivative() const override {
    return time_derivative_ != nullptr;
  }

  Evaluation TimeDerivative(double t,
                            std::span<const double> x,
                            std::span<double> dfdt) override {
    return time_derivative_(t, x, dfdt);
  }

  [[nodiscard]] std::span<const std::uint8_t> positions() const override {
    return positions_;
  }

  /// How often f was called.
  [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }

 private:
  int dimension_;
  Rhs rhs_;
  Rhs jacobian_;
  Rhs time_derivative_;
  SparsityPattern pattern_;
  std::vector<std::uint8_t> positions_;
  std::int64_t calls_ = 0;
};

/// x'' = -x as x' = v, v' = -x, with its Jacobian.
inline FunctionProblem Circle() {
  FunctionProblem problem(2, [](double, auto x, auto dx) {
    dx[0] = x[1];
    dx[1] = -x[0];
    return Evaluation::kOk;
  });
  problem
      .WithJacobian([](double, auto, auto values) {
        values[0] = 0;
        values[1] = -1;
        values[2] = 1;
        values[3] = 0;
        return Evaluation::kOk;
      })
      .WithPositions({1, 0});
  return problem;
}

/// Steps to `t_end` or to the first failure, which is returned.
inline StepResult StepTo(Integrator& integrator, double t_end) {
  while (integrator.t() < t_end) {
    const StepResult result = integrator.Step(t_end);
    if (!result.stepped()) {
      return result;
    }
  }
  return {};
}

}  // namespace orrery::test
