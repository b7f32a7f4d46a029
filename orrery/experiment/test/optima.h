#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/experiment/test/function_problem.h"

namespace orrery {

inline OptimisationResult Optimum(const OptimisationProblem& problem,
                                  const OptimisationOptions& options,
                                  std::size_t threads = 1,
                                  const OptimisationWatch& watch = {}) {
  Threads executor(threads);
  return Optimise(problem, options, executor, watch);
}

inline double Square(double x) {
  return x * x;
}

inline FunctionProblem::Constraint NotNegative(
    const FunctionProblem::Function& function) {
  return {.kind = ConstraintKind::kInequality,
          .function = [function](std::span<const double> x) {
            return -function(x);
          }};
}

inline FunctionProblem::Constraint Zero(FunctionProblem::Function function) {
  return {.kind = ConstraintKind::kEquality, .function = std::move(function)};
}

inline void ExpectOptimum(const OptimisationResult& result,
                          const std::vector<double>& values,
                          double objective,
                          double tolerance) {
  ASSERT_TRUE(result.best.has_value());
  EXPECT_TRUE(result.is_feasible);
  EXPECT_EQ(result.searches[result.best_search], SearchEnd::kConverged)
      << Describe(result.searches[result.best_search]);
  EXPECT_NEAR(result.best->evaluation.objective,
              objective,
              tolerance * (1 + std::abs(objective)));
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_NEAR(result.best->values[k], values[k], std::sqrt(tolerance))
        << "value " << k;
  }
}

/// Rosenbrock, Comput. J. 3 (1960) 175-184.
inline double Rosenbrock(std::span<const double> x) {
  return 100 * Square(x[1] - Square(x[0])) + Square(1 - x[0]);
}

inline FunctionProblem RosenbrockProblem() {
  return {{"x=-1.2[-5,5]", "y=1[-5,5]"}, Rosenbrock};
}

/// Hock & Schittkowski, "Test examples for nonlinear programming codes",
/// Lecture Notes in Economics and Mathematical Systems 187 (1981).
inline FunctionProblem Problem24() {
  const double root = std::sqrt(3.0);
  return {{"x=1[0,10]", "y=0.5[0,10]"},
          [=](std::span<const double> x) {
            return (Square(x[0] - 3) - 9) * std::pow(x[1], 3) / (27 * root);
          },
          {NotNegative(
               [=](std::span<const double> x) { return x[0] / root - x[1]; }),
           NotNegative(
               [=](std::span<const double> x) { return x[0] + root * x[1]; }),
           NotNegative([=](std::span<const double> x) {
             return 6 - x[0] - root * x[1];
           })}};
}

/// Dixon & Szego, "Towards global optimisation 2" (1978).
inline double Branin(std::span<const double> x) {
  constexpr double kPi = std::numbers::pi;
  const double b = 5.1 / (4 * kPi * kPi);
  return Square(x[1] - b * Square(x[0]) + 5 / kPi * x[0] - 6) +
         10 * (1 - 1 / (8 * kPi)) * std::cos(x[0]) + 10;
}

}  // namespace orrery
