#include "orrery/experiment/optimisation/optimise.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/system/in_this_thread.h"
#include "orrery/base/test/message_of.h"
#include "orrery/experiment/test/function_problem.h"
#include "orrery/experiment/test/optima.h"

namespace orrery {
namespace {

using enum OptimisationMethod;
using testing::HasSubstr;
using Point = std::span<const double>;

// Minimises the altitude at which the engine is ignited, so that a fall from
// 1,000 m on the moon ends with 5 m/s at most. At the optimum the thrust is at
// its upper bound.
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

// The result does not depend on the units of the objective and the values.
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

// Points that fail ----------------------------------------------------

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

// Execution ------------------------------------------------------

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

TEST(OptimiseTest, OpenBoundsAreRefused) {
  const FunctionProblem open({"x=[0,1]", "y=0.5[0,]"}, Rosenbrock);
  EXPECT_EQ(RefusalOfSearch(open, {}),
            "cannot optimise: the bounds of 'y' are open, and a search steps "
            "on the scale of bounds; give both, as wide as may be");
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

OptimisationResult MinimumOf(
    const std::vector<std::string>& vary,
    const FunctionProblem::Function& objective,
    const std::vector<FunctionProblem::Constraint>& constraints,
    const OptimisationOptions& options = {}) {
  InThisThread here;
  return Optimise(FunctionProblem(vary, objective, constraints), options, here);
}

// f = -a - b on the unit circle: a violation within a tolerance would gain as
// much.
TEST(OptimiseTest, ConstraintsHoldToRoundingAtTheOptimum) {
  const auto circle = [](std::span<const double> x) {
    return x[0] * x[0] + x[1] * x[1] - 1;
  };
  for (const ConstraintKind kind :
       {ConstraintKind::kEquality, ConstraintKind::kInequality}) {
    const OptimisationResult result =
        MinimumOf({"a=[-2,2]", "b=[-2,2]"},
                  [](std::span<const double> x) { return -x[0] - x[1]; },
                  {{kind, circle}});
    EXPECT_LE(std::abs(circle(result.best->values)), 1e-12);
    EXPECT_NEAR(result.best->evaluation.objective, -std::sqrt(2.0), 1e-9);
  }
}

// The nearest point of a line to the origin, 1/2 from it; of two planes' line;
// a product under its sum.
TEST(OptimiseTest, ConstraintsOfSeveralKindsHoldToRounding) {
  const OptimisationResult line = MinimumOf(
      {"a=[-5,5]", "b=[-5,5]"},
      [](std::span<const double> x) { return x[0] * x[0] + x[1] * x[1]; },
      {{ConstraintKind::kInequality, [](std::span<const double> x) {
          return 2.5 - 3 * x[0] - 4 * x[1];
        }}});
  EXPECT_NEAR(line.best->evaluation.objective, 0.25, 1e-10);
  EXPECT_LE(2.5 - 3 * line.best->values[0] - 4 * line.best->values[1], 1e-13);
  const OptimisationResult planes =
      MinimumOf({"a=[-5,5]", "b=[-5,5]", "c=[-5,5]"},
                [](std::span<const double> x) {
                  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
                },
                {{ConstraintKind::kEquality,
                  [](std::span<const double> x) {
                    return x[0] + x[1] + x[2] - 3;
                  }},
                 {ConstraintKind::kEquality, [](std::span<const double> x) {
                    return x[0] - x[1] - 2;
                  }}});
  EXPECT_NEAR(planes.best->evaluation.objective, 5, 1e-9);
  EXPECT_LE(planes.best->violation, 1e-13);
  const OptimisationResult product =
      MinimumOf({"a=[0,4]", "b=[0,4]"},
                [](std::span<const double> x) { return -x[0] * x[1]; },
                {{ConstraintKind::kInequality, [](std::span<const double> x) {
                    return x[0] + x[1] - 3;
                  }}});
  EXPECT_NEAR(product.best->evaluation.objective, -2.25, 1e-9);
  EXPECT_LE(product.best->violation, 1e-13);
}

// NLopt takes no more equations than unknowns, and reports that by a code only.
TEST(OptimiseTest, MoreEquationsThanFactorsAreNotLeftOut) {
  const auto equation = [](double slope, double value) {
    return FunctionProblem::Constraint{ConstraintKind::kEquality,
                                       [=](std::span<const double> x) {
                                         return slope * x[0] - value;
                                       }};
  };
  for (const OptimisationMethod method : {OptimisationMethod::kAuto,
                                          OptimisationMethod::kCobyla,
                                          OptimisationMethod::kSlsqp,
                                          OptimisationMethod::kIsres}) {
    const OptimisationResult two =
        MinimumOf({"a=0[-5,5]"},
                  [](std::span<const double> x) { return x[0] * x[0]; },
                  {equation(1, 2), equation(2, 4)},
                  {.method = method});
    EXPECT_TRUE(two.is_feasible) << InfoOf(method).name;
    EXPECT_NEAR(two.best->values[0], 2, 1e-9) << InfoOf(method).name;
  }
  const OptimisationResult three =
      MinimumOf({"a=0[-5,5]", "b=0[-5,5]"},
                [](std::span<const double> x) { return x[0] + x[1]; },
                {{ConstraintKind::kEquality,
                  [](std::span<const double> x) {
                    return x[0] + x[1] - 3;
                  }},
                 {ConstraintKind::kEquality,
                  [](std::span<const double> x) {
                    return x[0] - x[1] - 1;
                  }},
                 {ConstraintKind::kEquality, [](std::span<const double> x) {
                    return 2 * x[0] + x[1] - 5;
                  }}});
  EXPECT_TRUE(three.is_feasible);
  EXPECT_NEAR(three.best->values[0], 2, 1e-9);
  EXPECT_NEAR(three.best->values[1], 1, 1e-9);
  const OptimisationResult none =
      MinimumOf({"a=0[-5,5]"},
                [](std::span<const double> x) { return x[0] * x[0]; },
                {equation(1, 2), equation(2, 5)});
  EXPECT_FALSE(none.is_feasible) << "they contradict each other";
}

}  // namespace
}  // namespace orrery
