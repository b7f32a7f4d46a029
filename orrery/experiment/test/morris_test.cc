#include "orrery/experiment/sensitivity/morris.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using Matrix = std::vector<std::vector<double>>;
using Function = std::function<double(const std::vector<double>&)>;

MorrisDesign MakeScreening(const std::vector<std::string>& texts,
                           const MorrisOptions& options = {}) {
  return {ParseFactors("--vary", texts), options};
}

Matrix ScreeningPoints(const Design& design) {
  Matrix points;
  for (std::int64_t i = 0; i < design.size(); ++i) {
    design.Point(i, points.emplace_back(design.dimension()));
  }
  return points;
}

std::vector<double> OutputsOf(const MorrisDesign& morris,
                              const Function& function) {
  std::vector<double> outputs;
  for (const std::vector<double>& point : ScreeningPoints(morris.design())) {
    outputs.push_back(function(point));
  }
  return outputs;
}

double Linear(const std::vector<double>& x) {
  return 2 * x[0] - 3 * x[1] + 0.5 * x[2];
}

TEST(MorrisTest, EffectsOfALinearFunctionAreItsSlopes) {
  const MorrisDesign morris =
      MakeScreening({"x1=[0,1]", "x2=[0,1]", "x3=[0,1]"});
  EXPECT_EQ(morris.design().size(), 40);
  const auto effects = morris.Estimate(OutputsOf(morris, Linear));
  const std::vector<double> slopes = {2, -3, 0.5};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(effects[k].mean, slopes[k], 1e-14);
    EXPECT_NEAR(effects[k].mean_magnitude, std::abs(slopes[k]), 1e-14);
    EXPECT_NEAR(effects[k].deviation, 0, 1e-14);
    EXPECT_EQ(effects[k].count, 10);
  }
}

TEST(MorrisTest, EffectsAreOfTheWholeRange) {
  const MorrisDesign morris =
      MakeScreening({"x1=[0,10]", "x2=log[1,100]", "x3=uniform(-1,1)"});
  const auto effects =
      morris.Estimate(OutputsOf(morris, [](const std::vector<double>& x) {
        return 2 * x[0] - 3 * std::log10(x[1]) + 0.5 * x[2];
      }));
  EXPECT_NEAR(effects[0].mean, 20, 1e-12);
  EXPECT_NEAR(effects[1].mean, -6, 1e-12);
  EXPECT_NEAR(effects[2].mean, 1, 1e-12);
}

// With levels 0, 1/3, 2/3, 1 the effects of (x1 - 1/2)^2 are +-1/3, and those
// of x1 in x1 x2 are the values of x2.
TEST(MorrisTest, CurvatureAndInteractionShowInTheDeviation) {
  const MorrisDesign morris =
      MakeScreening({"x1=[0,1]", "x2=[0,1]"}, {.trajectories = 4000});
  const auto curved =
      morris.Estimate(OutputsOf(morris, [](const std::vector<double>& x) {
        return (x[0] - 0.5) * (x[0] - 0.5);
      }));
  EXPECT_NEAR(curved[0].mean, 0, 0.02);
  EXPECT_NEAR(curved[0].mean_magnitude, 1.0 / 3, 1e-13);
  EXPECT_NEAR(curved[0].deviation, 1.0 / 3, 1e-3);
  EXPECT_EQ(curved[1].mean_magnitude, 0);
  const auto product = morris.Estimate(OutputsOf(
      morris, [](const std::vector<double>& x) { return x[0] * x[1]; }));
  EXPECT_NEAR(product[0].mean, 0.5, 0.02);
  EXPECT_NEAR(product[0].deviation, std::sqrt(5.0) / 6, 0.01);
}

RC_GTEST_PROP(MorrisTest, ATrajectoryMovesEachFactorOnceByHalfOfTheLevels, ()) {
  const std::int64_t levels = 2 * *rc::gen::inRange(1, 10);
  const int count = *rc::gen::inRange(1, 8);
  std::vector<std::string> texts;
  for (int k = 0; k < count; ++k) {
    texts.push_back("x" + std::to_string(k) + "=[0,1]");
  }
  const MorrisDesign morris =
      MakeScreening(texts,
                    {.trajectories = 3,
                     .levels = levels,
                     .seed = *rc::gen::arbitrary<std::uint64_t>()});
  const double step =
      static_cast<double>(levels) / 2 / static_cast<double>(levels - 1);
  const Matrix points = ScreeningPoints(morris.design());
  const auto dimension = static_cast<std::size_t>(count);
  for (std::size_t t = 0; t < 3; ++t) {
    std::vector<int> moves(dimension);
    for (std::size_t s = 1; s <= dimension; ++s) {
      const std::size_t i = t * (dimension + 1) + s;
      for (std::size_t k = 0; k < dimension; ++k) {
        RC_ASSERT(points[i][k] >= 0 && points[i][k] <= 1);
        const double moved = std::abs(points[i][k] - points[i - 1][k]);
        RC_ASSERT(moved == 0 || std::abs(moved - step) < 1e-15);
        moves[k] += moved == 0 ? 0 : 1;
      }
    }
    RC_ASSERT(moves == std::vector<int>(dimension, 1));
  }
}

TEST(MorrisTest, LevelsAreEquallyLikely) {
  const MorrisDesign morris =
      MakeScreening({"x=[0,3]", "y=[0,3]"}, {.trajectories = 3000});
  std::map<double, int> counts;
  for (const std::vector<double>& point : ScreeningPoints(morris.design())) {
    ++counts[point[0]];
  }
  EXPECT_EQ(counts.size(), 4U);
  for (const auto& [level, count] : counts) {
    EXPECT_NEAR(count, 9000 / 4, 150) << level;
  }
}

TEST(MorrisTest, MoreTrajectoriesKeepTheEarlierOnes) {
  const auto points = [](std::int64_t trajectories) {
    return ScreeningPoints(
        MakeScreening({"x=[0,1]", "y=[0,1]"}, {.trajectories = trajectories})
            .design());
  };
  Matrix many = points(50);
  many.resize(15);
  EXPECT_EQ(points(5), many);
}

TEST(MorrisTest, AFailedRunCostsTheEffectsBesideIt) {
  const MorrisDesign morris =
      MakeScreening({"x1=[0,1]", "x2=[0,1]", "x3=[0,1]"});
  std::vector<double> outputs = OutputsOf(morris, Linear);
  outputs[1] = std::numeric_limits<double>::quiet_NaN();
  const auto effects = morris.Estimate(outputs);
  EXPECT_EQ(effects[0].count + effects[1].count + effects[2].count, 28);
  EXPECT_NEAR(effects[1].mean, -3, 1e-14);
}

TEST(MorrisTest, WhatCannotBeScreenedIsRefused) {
  const auto error = [](const std::string& text, const MorrisOptions& options) {
    return MessageOf([&] { MakeScreening({text}, options); });
  };
  const std::string begin = "cannot screen by the method of Morris: ";
  EXPECT_EQ(error("a=4", {}),
            begin +
                "a is 4 alone, and moves through no range; give bounds, as "
                "a=[0.1,10], set it by --set, or take --method local for "
                "the derivative there");
  EXPECT_EQ(error("a={4,4}", {}), error("a=4", {}));
  EXPECT_EQ(error("k=normal(4,0.2)", {}),
            begin +
                "k may become infinite, by normal(4, 0.2); give bounds as "
                "[0.1,10], or truncate it as in normal(4,0.2,3.4,4.6)");
  EXPECT_EQ(
      error("k=[0,1]", {.levels = 5}),
      begin + "there are 5 levels; give an even number from 2 to 1000000");
  EXPECT_EQ(
      error("k=[0,1]", {.trajectories = 0}),
      begin + "there are 0 trajectories; give a number from 1 to 1000000");
  EXPECT_EQ(MessageOf([] { MakeScreening({}); }),
            "cannot design an experiment: nothing varies; give a factor, as in "
            "k=1:0.5:10");
}

// s = n + x: at any levels, n moves through its range as a whole number, and
// mu* is the move of s.
TEST(MorrisTest, EffectsOfWholeNumbersAreThoseOfTheirRange) {
  const Function sum = [](const std::vector<double>& p) {
    return p[0] + p[1];
  };
  for (const auto& [range, width] :
       std::map<std::string, double>{{"uniforminteger(0,1)", 1},
                                     {"integer[0,1]", 1},
                                     {"{0,1}", 1},
                                     {"{false,true}", 1},
                                     {"uniforminteger(0,5)", 5},
                                     {"{1,2,3}", 2},
                                     {"{1,2,5}", 4},
                                     {"{-2,7}", 9},
                                     {"discrete({0,1},{3,1})", 1},
                                     {"binomial(10,0.5)", 10}}) {
    const MorrisDesign morris =
        MakeScreening({"n=" + range, "x=[0,3]"}, {.trajectories = 40});
    const auto effects = morris.Estimate(OutputsOf(morris, sum));
    EXPECT_NEAR(effects[0].mean_magnitude, width, 1e-12) << range;
    EXPECT_NEAR(effects[0].mean, width, 1e-12) << range;
    EXPECT_NEAR(effects[0].deviation, 0, 1e-12) << range;
    EXPECT_NEAR(effects[1].mean_magnitude, 3, 1e-12) << range;
  }
}

// With a weight so large that neighbouring levels coincide, effects are taken
// only where the value changes.
TEST(MorrisTest, AMoveThatChangesNoValueHasNoEffect) {
  const MorrisDesign morris =
      MakeScreening({"n=discrete({0,1},{3,1})"}, {.trajectories = 40});
  const auto effects = morris.Estimate(
      OutputsOf(morris, [](const std::vector<double>& p) { return 4 * p[0]; }));
  EXPECT_LT(effects[0].count, 40);
  EXPECT_GT(effects[0].count, 0);
  EXPECT_NEAR(effects[0].mean_magnitude, 4, 1e-12);
}

TEST(MorrisTest, FactorsOfAGroupMoveAtOnce) {
  const std::vector<FactorGroup> groups = {{.name = "pair", .factors = {0, 2}},
                                           {.name = "x2", .factors = {1}}};
  const MorrisDesign morris =
      MakeScreening({"x1=[0,1]", "x2=[0,1]", "x3=[0,1]"}, {.groups = groups});
  EXPECT_EQ(morris.design().size(), 30);
  const auto effects = morris.Estimate(OutputsOf(morris, Linear));
  ASSERT_EQ(effects.size(), 2U);
  // 2 and 0.5 with either sign each.
  EXPECT_GE(effects[0].mean_magnitude, 1.5 - 1e-12);
  EXPECT_LE(effects[0].mean_magnitude, 2.5 + 1e-12);
  EXPECT_TRUE(std::isnan(effects[0].mean));
  EXPECT_NEAR(effects[1].mean, -3, 1e-12);
  for (std::int64_t t = 0; t < 10; ++t) {
    const Matrix points = ScreeningPoints(morris.design());
    const auto first = static_cast<std::size_t>(3 * t);
    for (std::size_t run = first; run < first + 2; ++run) {
      EXPECT_EQ(points[run][0] != points[run + 1][0],
                points[run][2] != points[run + 1][2]);
      EXPECT_NE(points[run][0] != points[run + 1][0],
                points[run][1] != points[run + 1][1]);
    }
  }
}

}  // namespace
}  // namespace orrery
