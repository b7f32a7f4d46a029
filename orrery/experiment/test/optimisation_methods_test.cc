// Each method finds the minima of problems with known minima.

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/test/function_problem.h"
#include "orrery/experiment/test/optima.h"

namespace orrery {
namespace {

using enum OptimisationMethod;
using Point = std::span<const double>;

class LocalMethods : public testing::TestWithParam<OptimisationMethod> {};

TEST_P(LocalMethods, FindTheMinimumOfRosenbrock) {
  const OptimisationResult result = Optimum(
      RosenbrockProblem(),
      {.method = GetParam(), .tolerance = 1e-9, .difference_step = 1e-6});
  ExpectOptimum(result, {1, 1}, 0, 1e-8);
  EXPECT_LT(result.evaluations, 1500);
}

INSTANTIATE_TEST_SUITE_P(
    OptimisationMethodsTest,
    LocalMethods,
    testing::Values(kAuto, kBobyqa, kNelderMead, kSubplex, kSlsqp, kLbfgs),
    [](const auto& tested) {
      std::string name(InfoOf(tested.param).name);
      std::erase(name, '-');
      return name;
    });

// Hock & Schittkowski, "Test examples for nonlinear programming codes",
// Lecture Notes in Economics and Mathematical Systems 187 (1981).

class ConstrainedMethods : public testing::TestWithParam<OptimisationMethod> {
 protected:
  static OptimisationResult Optimum(const OptimisationProblem& problem) {
    return orrery::Optimum(problem, {.method = GetParam(), .tolerance = 1e-8});
  }
};

FunctionProblem Problem35() {
  return {{"x=0.5[0,10]", "y=0.5[0,10]", "z=0.5[0,10]"},
          [](Point x) {
            return 9 - 8 * x[0] - 6 * x[1] - 4 * x[2] + 2 * Square(x[0]) +
                   2 * Square(x[1]) + Square(x[2]) + 2 * x[0] * x[1] +
                   2 * x[0] * x[2];
          },
          {NotNegative([](Point x) { return 3 - x[0] - x[1] - 2 * x[2]; })}};
}

FunctionProblem Problem43() {
  return {{"a=0[-10,10]", "b=0[-10,10]", "c=0[-10,10]", "d=0[-10,10]"},
          [](Point x) {
            return Square(x[0]) + Square(x[1]) + 2 * Square(x[2]) +
                   Square(x[3]) - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3];
          },
          {NotNegative([](Point x) {
             return 8 - Square(x[0]) - Square(x[1]) - Square(x[2]) -
                    Square(x[3]) - x[0] + x[1] - x[2] + x[3];
           }),
           NotNegative([](Point x) {
             return 10 - Square(x[0]) - 2 * Square(x[1]) - Square(x[2]) -
                    2 * Square(x[3]) + x[0] + x[3];
           }),
           NotNegative([](Point x) {
             return 5 - 2 * Square(x[0]) - Square(x[1]) - Square(x[2]) -
                    2 * x[0] + x[1] + x[3];
           })}};
}

TEST_P(ConstrainedMethods, SolveHockSchittkowski24) {
  ExpectOptimum(Optimum(Problem24()), {3, std::sqrt(3.0)}, -1, 1e-6);
}

TEST_P(ConstrainedMethods, SolveHockSchittkowski35) {
  ExpectOptimum(
      Optimum(Problem35()), {4.0 / 3, 7.0 / 9, 4.0 / 9}, 1.0 / 9, 1e-6);
}

TEST_P(ConstrainedMethods, SolveHockSchittkowski43) {
  ExpectOptimum(Optimum(Problem43()), {0, 1, 2, -1}, -44, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(OptimisationMethodsTest,
                         ConstrainedMethods,
                         testing::Values(kAuto, kCobyla, kSlsqp, kMma, kCcsaq),
                         [](const auto& tested) {
                           return std::string(InfoOf(tested.param).name);
                         });

class MethodsForEquations : public ConstrainedMethods {};

TEST_P(MethodsForEquations, SolveHockSchittkowski6) {
  const FunctionProblem problem(
      {"x=-1.2[-10,10]", "y=1[-10,10]"},
      [](Point x) { return Square(1 - x[0]); },
      {Zero([](Point x) { return 10 * (x[1] - Square(x[0])); })});
  ExpectOptimum(Optimum(problem), {1, 1}, 0, 1e-6);
}

TEST_P(MethodsForEquations, SolveHockSchittkowski7) {
  const FunctionProblem problem(
      {"x=2[-10,10]", "y=2[-10,10]"},
      [](Point x) { return std::log(1 + Square(x[0])) - x[1]; },
      {Zero([](Point x) {
        return Square(1 + Square(x[0])) + Square(x[1]) - 4;
      })});
  ExpectOptimum(Optimum(problem), {0, std::sqrt(3.0)}, -std::sqrt(3.0), 1e-6);
}

TEST_P(MethodsForEquations, SolveHockSchittkowski71) {
  const FunctionProblem problem(
      {"a=1[1,5]", "b=5[1,5]", "c=5[1,5]", "d=1[1,5]"},
      [](Point x) { return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]; },
      {NotNegative([](Point x) { return x[0] * x[1] * x[2] * x[3] - 25; }),
       Zero([](Point x) {
         return Square(x[0]) + Square(x[1]) + Square(x[2]) + Square(x[3]) - 40;
       })});
  ExpectOptimum(
      Optimum(problem), {1, 4.7429994, 3.8211503, 1.3794082}, 17.0140173, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(OptimisationMethodsTest,
                         MethodsForEquations,
                         testing::Values(kAuto, kSlsqp),
                         [](const auto& tested) {
                           return std::string(InfoOf(tested.param).name);
                         });

// Global minima -------------------------------------------------------------

// Hartman, Report NPS55HH72051A, Naval Postgraduate School (1972).
template <std::size_t n>
double Hartmann(const std::array<std::array<double, n>, 4>& a,
                const std::array<std::array<double, n>, 4>& p,
                Point x) {
  constexpr std::array<double, 4> kWeights = {1, 1.2, 3, 3.2};
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double distance = 0;
    for (std::size_t j = 0; j < n; ++j) {
      distance += a[i][j] * Square(x[j] - p[i][j]);
    }
    sum -= kWeights[i] * std::exp(-distance);
  }
  return sum;
}

double Hartmann3(Point x) {
  return Hartmann<3>({{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}}},
                     {{{0.3689, 0.1170, 0.2673},
                       {0.4699, 0.4387, 0.7470},
                       {0.1091, 0.8732, 0.5547},
                       {0.0381, 0.5743, 0.8828}}},
                     x);
}

double Hartmann6(Point x) {
  return Hartmann<6>({{{10, 3, 17, 3.5, 1.7, 8},
                       {0.05, 10, 17, 0.1, 8, 14},
                       {3, 3.5, 1.7, 10, 17, 8},
                       {17, 8, 0.05, 10, 0.1, 14}}},
                     {{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                       {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                       {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                       {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}},
                     x);
}

double Rastrigin(Point x) {
  double sum = 0;
  for (const double its : x) {
    sum += Square(its) + 10 - 10 * std::cos(2 * std::numbers::pi * its);
  }
  return sum;
}

class GlobalMethods : public testing::TestWithParam<OptimisationMethod> {};

TEST_P(GlobalMethods, FindTheMinimumOfBranin) {
  const FunctionProblem problem({"x=[-5,10]", "y=[0,15]"}, Branin);
  ExpectOptimum(Optimum(problem, {.method = GetParam()}), {}, 0.397887, 1e-6);
}

TEST_P(GlobalMethods, FindTheMinimumOfHartmannInThreeDimensions) {
  const FunctionProblem problem({"x=[0,1]", "y=[0,1]", "z=[0,1]"}, Hartmann3);
  ExpectOptimum(Optimum(problem, {.method = GetParam()}),
                {0.114614, 0.555649, 0.852547},
                -3.86278,
                1e-5);
}

TEST_P(GlobalMethods, FindTheMinimumOfRastrigin) {
  const FunctionProblem problem({"x=[-5.12,4]", "y=[-5.12,4]"}, Rastrigin);
  ExpectOptimum(Optimum(problem, {.method = GetParam()}), {0, 0}, 0, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(OptimisationMethodsTest,
                         GlobalMethods,
                         testing::Values(kDirectL, kCrs2, kIsres, kEsch, kMlsl),
                         [](const auto& tested) {
                           std::string name(InfoOf(tested.param).name);
                           std::erase(name, '-');
                           return name;
                         });

// It has a local minimum of -3.2031 too.
TEST(OptimisationMethodsTest,
     TheMinimumOfHartmannInSixDimensionsIsFoundAmongOthers) {
  const FunctionProblem problem(
      {"a=[0,1]", "b=[0,1]", "c=[0,1]", "d=[0,1]", "e=[0,1]", "f=[0,1]"},
      Hartmann6);
  for (const OptimisationOptions& options :
       {OptimisationOptions{.method = kDirectL},
        OptimisationOptions{.method = kMlsl},
        OptimisationOptions{.method = kSlsqp, .starts = 8}}) {
    SCOPED_TRACE(InfoOf(options.method).name);
    ExpectOptimum(Optimum(problem, options),
                  {0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573},
                  -3.32237,
                  1e-5);
  }
}

}  // namespace
}  // namespace orrery
