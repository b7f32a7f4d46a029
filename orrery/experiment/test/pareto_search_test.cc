#include "orrery/experiment/optimisation/pareto_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/system/in_this_thread.h"
#include "orrery/experiment/optimisation/remembered_problem.h"
#include "orrery/experiment/test/executors.h"

namespace orrery {
namespace {

using Numbers = std::vector<double>;
using Objectives = std::function<Numbers(std::span<const double>)>;

// Two objectives, and perhaps an inequality behind them, as one function.
class FrontProblem final : public OptimisationProblem {
 public:
  FrontProblem(const std::vector<std::string>& vary,
               Objectives function,
               bool has_constraint = false)
      : space_(ParseFactors("--vary", vary)), function_(std::move(function)) {
    if (has_constraint) {
      kinds_.push_back(ConstraintKind::kInequality);
    }
  }

  [[nodiscard]] const SearchSpace& space() const noexcept override {
    return space_;
  }

  [[nodiscard]] std::span<const ConstraintKind> constraints()
      const noexcept override {
    return kinds_;
  }

  [[nodiscard]] std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const override {
    return std::make_unique<Functions>(*this, executor);
  }

  [[nodiscard]] PointResult At(std::span<const double> x) const {
    const Numbers found = function_(x);
    PointResult result{.objective = found[0], .others = {found[1]}};
    if (!kinds_.empty()) {
      result.constraints.push_back({.value = found[2]});
    }
    return result;
  }

 private:
  class Functions final : public Evaluator {
   public:
    Functions(const FrontProblem& problem, Executor& executor)
        : problem_(problem), executor_(executor) {}

    std::vector<PointResult> Evaluate(
        std::span<const std::vector<double>> points,
        const GoesOn& goes_on) override {
      if (goes_on && !goes_on()) {
        return {};
      }
      std::vector<PointResult> results(points.size());
      executor_.ForEachThatMayThrow(points.size(), [&](std::size_t i) {
        results[i] = problem_.At(points[i]);
      });
      return results;
    }

   private:
    const FrontProblem& problem_;
    Executor& executor_;
  };

  SearchSpace space_;
  Objectives function_;
  std::vector<ConstraintKind> kinds_;
};

ParetoFront FrontOf(const OptimisationProblem& problem,
                    const OptimisationOptions& options = {}) {
  InThisThread here;
  return SeekFront(problem, options, here);
}

// The largest gap between neighbours in the first objective.
double LargestGap(const ParetoFront& front) {
  double gap = 0;
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    gap = std::max(gap,
                   front.points[i].point.evaluation.objective -
                       front.points[i - 1].point.evaluation.objective);
  }
  return gap;
}

// Schaffer (1985): x^2 and (x - 2)^2 contradict each other from 0 to 2, where
// the sum of their roots is 2.
FrontProblem Schaffer() {
  return FrontProblem({"x=[-1000,1000]"}, [](std::span<const double> x) {
    return Numbers{x[0] * x[0], (x[0] - 2) * (x[0] - 2)};
  });
}

TEST(ParetoSearchTest, TheFrontOfTwoParabolasIsBetweenTheirLeastPoints) {
  const ParetoFront front = FrontOf(Schaffer());
  EXPECT_TRUE(front.is_feasible);
  EXPECT_GE(front.points.size(), 30U);
  EXPECT_EQ(front.evaluations, 6400);
  for (const FrontPoint& its : front.points) {
    const PointResult& result = its.point.evaluation;
    EXPECT_NEAR(
        std::sqrt(result.objective) + std::sqrt(result.others[0]), 2, 1e-9);
  }
  EXPECT_LT(front.points.front().point.evaluation.objective, 0.01);
  EXPECT_LT(front.points.back().point.evaluation.others[0], 0.01);
  EXPECT_LT(LargestGap(front), 0.4);
}

// Zitzler, Deb & Thiele (2000), problem 1, in three factors: f2 = 1 - sqrt(f1).
TEST(ParetoSearchTest, TheFrontOfAKnownProblemIsFound) {
  const ParetoFront front = FrontOf(FrontProblem(
      {"a=[0,1]", "b=[0,1]", "c=[0,1]"}, [](std::span<const double> x) {
        const double g = 1 + 4.5 * (x[1] + x[2]);
        return Numbers{x[0], g * (1 - std::sqrt(x[0] / g))};
      }));
  for (const FrontPoint& its : front.points) {
    const PointResult& result = its.point.evaluation;
    EXPECT_NEAR(result.others[0], 1 - std::sqrt(result.objective), 0.02);
  }
  EXPECT_LT(LargestGap(front), 0.1);
}

// a and b, where a + b >= 1: the line between.
TEST(ParetoSearchTest, ConstraintsHoldOnTheFront) {
  const ParetoFront front = FrontOf(FrontProblem(
      {"a=[0,2]", "b=[0,2]"},
      [](std::span<const double> x) {
        return Numbers{x[0], x[1], 1 - x[0] - x[1]};
      },
      true));
  ASSERT_TRUE(front.is_feasible);
  for (const FrontPoint& its : front.points) {
    EXPECT_NEAR(its.point.values[0] + its.point.values[1], 1, 0.02);
    EXPECT_LE(its.point.violation, 1e-6);
  }
}

TEST(ParetoSearchTest, WholeNumbersStayWhole) {
  const ParetoFront front =
      FrontOf(FrontProblem({"n=integer[0,4]"}, [](std::span<const double> x) {
        return Numbers{x[0], (x[0] - 3) * (x[0] - 3)};
      }));
  Numbers values;
  for (const FrontPoint& its : front.points) {
    values.push_back(its.point.values[0]);
  }
  EXPECT_EQ(values, (Numbers{0, 1, 2, 3}));
}

TEST(ParetoSearchTest, ThreadsChangeNoBitAndSeedsDo) {
  Threads three(3);
  const ParetoFront one = FrontOf(Schaffer(), {.max_evaluations = 300});
  EXPECT_EQ(one.evaluations, 300);
  EXPECT_EQ(one.points,
            SeekFront(Schaffer(), {.max_evaluations = 300}, three).points);
  EXPECT_NE(one.points,
            FrontOf(Schaffer(), {.max_evaluations = 300, .seed = 2}).points);
}

// Points from before an interruption are not evaluated again, and the front is
// that of an uninterrupted search.
TEST(ParetoSearchTest, ASearchThatWasInterruptedGoesOnToTheSameBits) {
  const FrontProblem problem = Schaffer();
  RememberedProblem::Known known;
  int left = 150;
  InThisThread here;
  const ParetoFront begun = SeekFront(
      problem,
      {.max_evaluations = 640},
      here,
      {.take =
           [&](const EvaluatedPoint& point, const OptimisationProgress&) {
             known.emplace(point.values, point.evaluation);
             --left;
           },
       .goes_on =
           [&] {
             return left > 0;
           }});
  EXPECT_TRUE(begun.is_interrupted);
  EXPECT_LT(begun.evaluations, 640);
  const RememberedProblem remembered(problem, known);
  EXPECT_EQ(FrontOf(remembered, {.max_evaluations = 640}).points,
            FrontOf(problem, {.max_evaluations = 640}).points);
}

TEST(ParetoSearchTest, PointsThatFailAreNoneOfTheFront) {
  const ParetoFront front = FrontOf(
      FrontProblem({"x=[-3,3]"},
                   [](std::span<const double> x) {
                     return x[0] < 0.5
                                ? Numbers{std::nan(""), 0}
                                : Numbers{x[0] * x[0], (x[0] - 2) * (x[0] - 2)};
                   }),
      {.max_evaluations = 1280});
  EXPECT_GT(front.failed, 0);
  for (const FrontPoint& its : front.points) {
    EXPECT_GE(its.point.values[0], 0.5);
    EXPECT_LE(its.point.values[0], 2.05);
  }
}

}  // namespace
}  // namespace orrery
