#include "orrery/experiment/optimise.h"

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/experiment/test/function_problem.h"

namespace orrery {
namespace {

using enum OptimisationMethod;
using testing::HasSubstr;
using Point = std::span<const double>;
using Constraint = FunctionProblem::Constraint;

OptimisationResult Optimum(const OptimisationProblem& problem,
                           const OptimisationOptions& options,
                           std::size_t threads = 1,
                           const OptimisationWatch& watch = {}) {
  Threads executor(threads);
  return Optimise(problem, options, executor, watch);
}

double Square(double x) {
  return x * x;
}

Constraint NotNegative(const FunctionProblem::Function& function) {
  return {.kind = ConstraintKind::kInequality, .function = [function](Point x) {
            return -function(x);
          }};
}

Constraint Zero(FunctionProblem::Function function) {
  return {.kind = ConstraintKind::kEquality, .function = std::move(function)};
}

void ExpectOptimum(const OptimisationResult& result,
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

// Rosenbrock, Comput. J. 3 (1960) 175-184.
double Rosenbrock(Point x) {
  return 100 * Square(x[1] - Square(x[0])) + Square(1 - x[0]);
}

FunctionProblem RosenbrockProblem() {
  return {{"x=-1.2[-5,5]", "y=1[-5,5]"}, Rosenbrock};
}

class LocalMethods : public testing::TestWithParam<OptimisationMethod> {};

TEST_P(LocalMethods, FindTheMinimumOfRosenbrock) {
  const OptimisationResult result = Optimum(
      RosenbrockProblem(),
      {.method = GetParam(), .tolerance = 1e-9, .difference_step = 1e-6});
  ExpectOptimum(result, {1, 1}, 0, 1e-8);
  EXPECT_LT(result.evaluations, 1500);
}

INSTANTIATE_TEST_SUITE_P(
    OptimiseTest,
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

FunctionProblem Problem24() {
  const double root = std::sqrt(3.0);
  return {{"x=1[0,10]", "y=0.5[0,10]"},
          [=](Point x) {
            return (Square(x[0] - 3) - 9) * std::pow(x[1], 3) / (27 * root);
          },
          {NotNegative([=](Point x) { return x[0] / root - x[1]; }),
           NotNegative([=](Point x) { return x[0] + root * x[1]; }),
           NotNegative([=](Point x) { return 6 - x[0] - root * x[1]; })}};
}

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

INSTANTIATE_TEST_SUITE_P(OptimiseTest,
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

INSTANTIATE_TEST_SUITE_P(OptimiseTest,
                         MethodsForEquations,
                         testing::Values(kAuto, kSlsqp),
                         [](const auto& tested) {
                           return std::string(InfoOf(tested.param).name);
                         });

// The height to begin to burn at, as low as it may be so that what falls from
// 1,000 m on the moon lands with 5 m/s at most: with the strongest thrust.
FunctionProblem LanderFrom(double height) {
  return {{"height=" + std::to_string(height) + "[200,900]", "thrust=4[2,6]"},
          [](Point x) { return x[0]; },
          {NotNegative([](Point x) { return 25 - 3250 + 2 * x[0] * x[1]; })}};
}

TEST(OptimiseTest, BoundsThatLimitAreReachedExactly) {
  for (const double height : {450, 500, 550, 600, 700, 800}) {
    const OptimisationResult result =
        Optimum(LanderFrom(height), {.method = kSlsqp});
    ASSERT_TRUE(result.best.has_value());
    EXPECT_EQ(result.best->values[1], 6) << height;
    EXPECT_NEAR(result.best->values[0], 268.75, 1e-3) << height;
  }
}

TEST(OptimiseTest, ASearchBySlopesLeavesAMaximumAndASaddle) {
  const FunctionProblem top{{"x=0[-5,4]"}, [](Point x) {
                              return -Square(x[0]);
                            }};
  const FunctionProblem saddle{{"x=0[-5,5]", "y=0[-5,5]"}, [](Point x) {
                                 return x[0] * x[1];
                               }};
  for (const OptimisationMethod method : {kSlsqp, kLbfgs}) {
    const OptimisationResult from_top = Optimum(top, {.method = method});
    ASSERT_TRUE(from_top.best.has_value());
    EXPECT_NE(from_top.best->values[0], 0);
    EXPECT_LE(from_top.best->evaluation.objective, -16);
    const OptimisationResult from_saddle = Optimum(saddle, {.method = method});
    ASSERT_TRUE(from_saddle.best.has_value());
    EXPECT_NEAR(from_saddle.best->evaluation.objective, -25, 1e-6);
  }
}

TEST(OptimiseTest, AMinimumToBeginWithIsKept) {
  const FunctionProblem bowl{{"x=0[-5,5]"}, [](Point x) {
                               return Square(x[0]);
                             }};
  const OptimisationResult result = Optimum(bowl, {.method = kSlsqp});
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->values[0], 0);
  EXPECT_LT(result.evaluations, 10);
}

// Global minima: Dixon & Szego, "Towards global optimisation 2" (1978).

double Branin(Point x) {
  constexpr double kPi = std::numbers::pi;
  const double b = 5.1 / (4 * kPi * kPi);
  return Square(x[1] - b * Square(x[0]) + 5 / kPi * x[0] - 6) +
         10 * (1 - 1 / (8 * kPi)) * std::cos(x[0]) + 10;
}

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

INSTANTIATE_TEST_SUITE_P(OptimiseTest,
                         GlobalMethods,
                         testing::Values(kDirectL, kCrs2, kIsres, kEsch, kMlsl),
                         [](const auto& tested) {
                           std::string name(InfoOf(tested.param).name);
                           std::erase(name, '-');
                           return name;
                         });

// It has a local minimum of -3.2031 too.
TEST(OptimiseTest, TheMinimumOfHartmannInSixDimensionsIsFoundAmongOthers) {
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

// By hand: (x - n/3)^2 + (n - 4.4)^2/10 is least for n = 4, x = 4/3.
TEST(OptimiseTest, WholeNumbersAreGoneThrough) {
  const FunctionProblem problem({"n=integer[0,9]", "x=[-5,5]"}, [](Point x) {
    return Square(x[1] - x[0] / 3) + Square(x[0] - 4.4) / 10;
  });
  const OptimisationResult result = Optimum(problem, {.tolerance = 1e-8});
  ExpectOptimum(result, {4, 4.0 / 3}, 0.016, 1e-10);
  EXPECT_EQ(result.searches.size(), 10U);
  EXPECT_EQ(result.best_search, 4U);
}

// The least is found among 6 x 7 points, each evaluated once.
TEST(OptimiseTest, WholeNumbersAloneAreEnumerated) {
  const FunctionProblem problem(
      {"m=integer[0,5]", "n=integer[-3,3]"}, [](Point x) {
        return Square(x[0] + x[1] - 3.25) + Square(x[0] - 2 * x[1]);
      });
  const OptimisationResult result = Optimum(problem, {});
  EXPECT_EQ(result.searches, std::vector<SearchEnd>{SearchEnd::kEnumerated});
  EXPECT_EQ(result.evaluations, 42);
  EXPECT_EQ(result.best->values, (std::vector<double>{2, 1}));
  EXPECT_EQ(result.best->evaluation.objective, Square(0.25));
}

TEST(OptimiseTest, ALogarithmicScaleIsSearchedByItsLogarithm) {
  const FunctionProblem problem(
      {"k=log[1e-6,1e6]", "c=log[1e-6,1e6]"}, [](Point x) {
        return Square(std::log10(x[0]) + 4) + Square(std::log10(x[1]) - 3);
      });
  const OptimisationResult result = Optimum(problem, {.tolerance = 1e-9});
  EXPECT_NEAR(result.best->values[0], 1e-4, 1e-10);
  EXPECT_NEAR(result.best->values[1], 1e3, 1e-3);
  EXPECT_LT(result.evaluations, 100);
}

// Units of neither the objective nor the values matter.
TEST(OptimiseTest, ScalesChangeNothing) {
  for (const OptimisationMethod method : {kBobyqa, kCobyla, kSlsqp, kLbfgs}) {
    const auto steps = [&](double unit, const std::string& high) {
      const FunctionProblem problem(
          {"x=[0," + high + "]", "y=[0,1]"}, [=](Point x) {
            const double z = x[0] / std::stod(high);
            return unit * (1 + Square(z - 0.3) + Square(x[1] - z));
          });
      return Optimum(problem, {.method = method}).evaluations;
    };
    EXPECT_EQ(steps(1, "1"), steps(0x1p60, "1")) << InfoOf(method).name;
    EXPECT_EQ(steps(1, "1"), steps(0x1p-60, "1048576")) << InfoOf(method).name;
  }
}

// Points that come to nothing ----------------------------------------------

TEST(OptimiseTest, PointsThatComeToNothingAreAvoided) {
  const FunctionProblem problem({"x=2[-3,5]", "y=2[-5,5]"}, [](Point x) {
    return std::sqrt(x[0] - 0.5) + Square(x[1] - x[0]);
  });
  for (const OptimisationMethod method : {kBobyqa, kCobyla, kNelderMead}) {
    const OptimisationResult result = Optimum(problem, {.method = method});
    EXPECT_GT(result.failed, 0) << InfoOf(method).name;
    EXPECT_NEAR(result.best->values[0], 0.5, 0.05) << InfoOf(method).name;
    EXPECT_TRUE(result.best->evaluation.failure.empty());
  }
}

TEST(OptimiseTest, ASearchThatBeginsAtNothingEnds) {
  const FunctionProblem problem({"x=-1[-3,5]", "y=1[-5,5]"},
                                [](Point x) { return std::log(x[0]); });
  const OptimisationResult result = Optimum(problem, {});
  EXPECT_FALSE(result.best.has_value());
  EXPECT_EQ(result.searches, std::vector<SearchEnd>{SearchEnd::kStartFailed});
  EXPECT_EQ(result.evaluations, 1);
  EXPECT_EQ(result.failed, 1);
}

TEST(OptimiseTest, OtherStartsAreNotConcerned) {
  const FunctionProblem problem({"x=-1[-3,5]", "y=1[-5,5]"}, [](Point x) {
    return Square(std::log(x[0])) + Square(x[1]);
  });
  const OptimisationResult result = Optimum(problem, {.starts = 6});
  EXPECT_EQ(result.searches[0], SearchEnd::kStartFailed);
  EXPECT_NEAR(result.best->values[0], 1, 1e-4);
}

TEST(OptimiseTest, AGlobalMethodMayBeginAtNothing) {
  const FunctionProblem problem({"x=[-3,5]", "y=[-5,5]"}, [](Point x) {
    return x[0] > 1.2 ? Square(x[0] - 3) + Square(x[1] + 2)
                      : std::numeric_limits<double>::quiet_NaN();
  });
  for (const OptimisationMethod method :
       {kDirectL, kCrs2, kIsres, kEsch, kMlsl}) {
    const OptimisationResult result = Optimum(problem, {.method = method});
    EXPECT_NEAR(result.best->values[0], 3, 1e-4) << InfoOf(method).name;
  }
}

TEST(OptimiseTest, WhereNoPointIsFeasibleTheNearestIsTold) {
  const FunctionProblem problem(
      {"x=[0,1]", "y=[0,1]"},
      [](Point x) { return x[0] + x[1]; },
      {NotNegative([](Point x) { return x[0] + x[1] - 3; })});
  const OptimisationResult result = Optimum(problem, {});
  EXPECT_FALSE(result.is_feasible);
  EXPECT_NEAR(result.best->violation, 1, 1e-6);
  EXPECT_NEAR(result.best->values[0], 1, 1e-6);
}

// How it is carried out ------------------------------------------------------

struct Course {
  std::vector<EvaluatedPoint> points;
  OptimisationResult result;
};

Course CourseOf(const OptimisationProblem& problem,
                const OptimisationOptions& options,
                std::size_t threads) {
  Course course;
  course.result =
      Optimum(problem,
              options,
              threads,
              {.take =
                   [&](const EvaluatedPoint& point,
                       const OptimisationProgress& progress) {
                     course.points.push_back(point);
                     EXPECT_EQ(progress.evaluations,
                               static_cast<std::int64_t>(course.points.size()));
                   },
               .goes_on = {}});
  return course;
}

TEST(OptimiseTest, ThreadsChangeNoBit) {
  const FunctionProblem mixed(
      {"n=integer[0,3]", "x=[-2,2]", "y=[-2,2]"},
      [](Point x) { return Rosenbrock(x.subspan(1)) + Square(x[0] - 2.2); });
  for (const OptimisationOptions& options :
       {OptimisationOptions{.method = kSlsqp},
        OptimisationOptions{.method = kBobyqa, .starts = 3},
        OptimisationOptions{.method = kCrs2, .max_evaluations = 2000},
        OptimisationOptions{.method = kEsch, .max_evaluations = 2000}}) {
    const Course one = CourseOf(mixed, options, 1);
    const Course four = CourseOf(mixed, options, 4);
    EXPECT_EQ(one.points, four.points) << InfoOf(options.method).name;
    EXPECT_EQ(one.result.best, four.result.best);
    EXPECT_EQ(one.result.searches, four.result.searches);
  }
}

TEST(OptimiseTest, TheSeedDeterminesMethodsThatAreRandom) {
  const FunctionProblem problem({"x=[-5,10]", "y=[0,15]"}, Branin);
  for (const OptimisationMethod method : {kCrs2, kIsres, kEsch}) {
    const auto points = [&](std::uint64_t seed) {
      return CourseOf(problem,
                      {.method = method, .max_evaluations = 500, .seed = seed},
                      1)
          .points;
    };
    EXPECT_EQ(points(7), points(7)) << InfoOf(method).name;
    EXPECT_NE(points(7), points(8)) << InfoOf(method).name;
  }
}

TEST(OptimiseTest, NoMorePointsAreEvaluatedThanAllowed) {
  for (const OptimisationMethodInfo& info : OptimisationMethods()) {
    const OptimisationResult result = Optimum(
        RosenbrockProblem(), {.method = info.method, .max_evaluations = 20});
    EXPECT_LE(result.evaluations, 20) << info.name;
    EXPECT_TRUE(result.best.has_value()) << info.name;
  }
  const OptimisationResult shared =
      Optimum(RosenbrockProblem(), {.max_evaluations = 100, .starts = 8});
  EXPECT_EQ(shared.evaluations, 8 * 12);
}

TEST(OptimiseTest, TheBestPointIsTheLeastOfAll) {
  const Course course =
      CourseOf(RosenbrockProblem(), {.max_evaluations = 60}, 1);
  double least = std::numeric_limits<double>::infinity();
  for (const EvaluatedPoint& point : course.points) {
    least = std::min(least, point.evaluation.objective);
  }
  EXPECT_EQ(course.result.best->evaluation.objective, least);
  EXPECT_EQ(course.points[0].values, (std::vector<double>{-1.2, 1}));
  EXPECT_NEAR(course.points[0].evaluation.objective, 24.2, 1e-12);
}

TEST(OptimiseTest, WhatIsInterruptedTellsTheBestSoFar) {
  std::atomic<int> asked = 0;
  const OptimisationResult result = Optimum(
      RosenbrockProblem(), {.starts = 4}, 2, {.take = {}, .goes_on = [&] {
                                                return ++asked < 50;
                                              }});
  EXPECT_LT(result.evaluations, 50);
  EXPECT_EQ(result.searches[3], SearchEnd::kInterrupted);
  EXPECT_TRUE(result.best.has_value());
}

TEST(OptimiseTest, WhatAnEvaluationThrowsIsThrown) {
  const FunctionProblem problem({"x=[0,1]", "y=[0,1]"}, [](Point x) -> double {
    if (x[0] > 0.6) {
      throw Error(ErrorCode::kIo, "the disk is full");
    }
    return -x[0];
  });
  for (const OptimisationMethodInfo& info : OptimisationMethods()) {
    EXPECT_EQ(MessageOf([&] {
                static_cast<void>(Optimum(problem, {.method = info.method}));
              }),
              "the disk is full")
        << info.name;
  }
}

// Errors ---------------------------------------------------------------------

std::string RefusalOfSearch(const FunctionProblem& problem,
                            const OptimisationOptions& options) {
  return MessageOf([&] { static_cast<void>(Optimum(problem, options)); });
}

TEST(OptimiseTest, MethodsThatKnowNoConstraintsAreRefused) {
  EXPECT_EQ(RefusalOfSearch(Problem24(), {.method = kBobyqa}),
            "cannot optimise: the method bobyqa knows no constraints; take one "
            "of auto, cobyla, slsqp, mma, ccsaq, isres");
  const FunctionProblem equation({"x=[0,1]", "y=[0,1]"},
                                 Rosenbrock,
                                 {Zero([](Point x) { return x[0] - 0.5; })});
  EXPECT_EQ(RefusalOfSearch(equation, {.method = kMma}),
            "cannot optimise: the method mma knows no equations; take one of "
            "auto, cobyla, slsqp, isres");
}

TEST(OptimiseTest, MethodsThatDoNotFitTheFactorsAreRefused) {
  const FunctionProblem line({"x=[0,1]"}, [](Point x) { return x[0]; });
  EXPECT_EQ(RefusalOfSearch(line, {.method = kBobyqa}),
            "cannot optimise: the method bobyqa needs 2 factors that are no "
            "whole numbers, and there is 1; take cobyla, or auto");
  const FunctionProblem numbers({"n=integer[0,3]"},
                                [](Point x) { return x[0]; });
  EXPECT_EQ(RefusalOfSearch(numbers, {.method = kCobyla}),
            "cannot optimise: all factors are whole numbers, which are gone "
            "through; leave out the method cobyla");
  EXPECT_EQ(
      RefusalOfSearch(RosenbrockProblem(), {.method = kEsch, .starts = 2}),
      "cannot optimise: the method esch is global and has no starts; "
      "take a local method, or one start");
}

TEST(OptimiseTest, TooManyCombinationsAreRefused) {
  const FunctionProblem problem({"m=integer[1,1000]", "n=integer[1,1000]"},
                                [](Point x) { return x[0]; });
  EXPECT_EQ(RefusalOfSearch(problem, {}),
            "cannot optimise: whole numbers are gone through one by one, and "
            "with n from 1 to 1000 there are 1e+06 combinations; narrow the "
            "bounds to at most 1e+05");
  const FunctionProblem fewer({"n=integer[1,1000]"},
                              [](Point x) { return x[0]; });
  EXPECT_EQ(RefusalOfSearch(fewer, {.max_evaluations = 50}),
            "cannot optimise: at most 50 points may be evaluated, and there "
            "are 1000 combinations of whole numbers; allow more, or narrow the "
            "bounds");
  EXPECT_EQ(
      RefusalOfSearch(RosenbrockProblem(), {.max_evaluations = 3, .starts = 4}),
      "cannot optimise: at most 3 points may be evaluated, and there are "
      "4 searches; allow more, or fewer starts");
}

TEST(OptimiseTest, OptionsOutOfRangeAreRefused) {
  const auto refusal = [](const OptimisationOptions& options) {
    return RefusalOfSearch(RosenbrockProblem(), options);
  };
  EXPECT_EQ(refusal({.tolerance = 0}),
            "cannot optimise: the tolerance is 0; give a number above 0, at "
            "most 0.1");
  EXPECT_THAT(refusal({.feasibility = -1}), HasSubstr("the feasibility is -1"));
  EXPECT_THAT(refusal({.difference_step = 0.5}),
              HasSubstr("the step of differences is 0.5"));
  EXPECT_EQ(refusal({.starts = 0}),
            "cannot optimise: there are 0 starts; give a number from 1 to "
            "100000");
  EXPECT_EQ(refusal({.max_evaluations = 0}),
            "cannot optimise: it may evaluate 0 points; give a number from 1 "
            "on");
}

TEST(OptimiseTest, UnknownMethodsAreMetWithTheNearest) {
  EXPECT_EQ(MessageOf([] { static_cast<void>(OptimisationMethodOf("boyqa")); }),
            "cannot optimise by 'boyqa': there is no such method; did you mean "
            "'bobyqa'?");
  for (const OptimisationMethodInfo& info : OptimisationMethods()) {
    EXPECT_EQ(OptimisationMethodOf(info.name), info.method);
  }
}

TEST(OptimiseTest, MethodsAreListedWhereNoneIsNear) {
  EXPECT_EQ(
      MessageOf([] { static_cast<void>(OptimisationMethodOf("global")); }),
      "cannot optimise by 'global': there is no such method; known: auto, "
      "bobyqa, cobyla, nelder-mead, subplex, slsqp, l-bfgs, mma, ccsaq, "
      "direct-l, crs2, isres, esch, mlsl");
}

}  // namespace
}  // namespace orrery
