#include "orrery/experiment/design/design.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using Matrix = std::vector<std::vector<double>>;

std::vector<Factor> Factors(const std::vector<std::string>& texts) {
  return ParseFactors("--vary", texts);
}

std::vector<Correlation> Correlations(const std::vector<std::string>& texts) {
  return ParseCorrelations("--correlate", texts);
}

Matrix PointsOf(const Design& design) {
  Matrix points;
  for (std::int64_t i = 0; i < design.size(); ++i) {
    design.Point(i, points.emplace_back(design.dimension()));
  }
  return points;
}

Matrix PointsOf(const std::vector<std::string>& texts,
                const DesignOptions& options) {
  return PointsOf(Design(Factors(texts), options));
}

std::vector<double> ColumnOf(const Matrix& points, std::size_t k) {
  std::vector<double> column;
  for (const std::vector<double>& point : points) {
    column.push_back(point[k]);
  }
  return column;
}

// Grids, lists and tables ----------------------------------------------------

TEST(DesignTest, AGridHasEveryCombinationOnceTheLastFastest) {
  const Design design(Factors({"a=1:3", "b={1,2,3,4}", "c=0:1"}), {});
  EXPECT_EQ(design.size(), 24);
  EXPECT_THAT(design.names(), ElementsAre("a", "b", "c"));
  const Matrix points = PointsOf(design);
  EXPECT_THAT(points[0], ElementsAre(1, 1, 0));
  EXPECT_THAT(points[1], ElementsAre(1, 1, 1));
  EXPECT_THAT(points[2], ElementsAre(1, 2, 0));
  EXPECT_THAT(points[8], ElementsAre(2, 1, 0));
  EXPECT_THAT(points[23], ElementsAre(3, 4, 1));
  EXPECT_EQ(std::set(points.begin(), points.end()).size(), 24U);
}

TEST(DesignTest, AListTakesItsFactorsTogether) {
  EXPECT_THAT(
      PointsOf({"a=1:3", "b={5,4,7}"}, {.kind = DesignKind::kList}),
      ElementsAre(ElementsAre(1, 5), ElementsAre(2, 4), ElementsAre(3, 7)));
}

TEST(DesignTest, ATableIsTakenRowByRow) {
  const Design design(
      Table("runs.csv", {{"k", "N/m", {1, 2}}, {"c", "", {0.5, 0.25}}}));
  EXPECT_THAT(design.names(), ElementsAre("k", "c"));
  EXPECT_THAT(PointsOf(design),
              ElementsAre(ElementsAre(1, 0.5), ElementsAre(2, 0.25)));
}

// Sobol' ---------------------------------------------------------------------

// The sequence as published with the direction numbers of Joe & Kuo.
TEST(DesignTest, SobolPointsAreThoseOfJoeAndKuo) {
  EXPECT_THAT(PointsOf({"a=[0,1]", "b=[0,1]", "c=[0,1]"},
                       {.kind = DesignKind::kSobol, .points = 8}),
              ElementsAre(ElementsAre(0, 0, 0),
                          ElementsAre(0.5, 0.5, 0.5),
                          ElementsAre(0.75, 0.25, 0.25),
                          ElementsAre(0.25, 0.75, 0.75),
                          ElementsAre(0.375, 0.375, 0.625),
                          ElementsAre(0.875, 0.875, 0.125),
                          ElementsAre(0.625, 0.125, 0.875),
                          ElementsAre(0.125, 0.625, 0.375)));
}

std::vector<Factor> UnitFactors(int count) {
  std::vector<std::string> texts;
  for (int k = 1; k <= count; ++k) {
    texts.push_back("x[" + std::to_string(k) + "]=[0,1]");
  }
  return Factors(texts);
}

// Point 2^j - 1 is the direction number m_j / 2^j. Those of the tenth dimension
// are 1, 1, 7, 11, 19 in the file new-joe-kuo-6, with the polynomial x^5 + x^3
// + x^2 + x + 1: m_6 = 4 m_4 ^ 8 m_3 ^ 16 m_2 ^ 32 m_1 ^ m_1 = 37.
TEST(DesignTest, DirectionNumbersOfTheTenthDimensionAreThoseOfTheFile) {
  const Matrix points = PointsOf(
      Design(UnitFactors(10), {.kind = DesignKind::kSobol, .points = 64}));
  EXPECT_EQ(points[1][9], 1.0 / 2);
  EXPECT_EQ(points[3][9], 1.0 / 4);
  EXPECT_EQ(points[7][9], 7.0 / 8);
  EXPECT_EQ(points[15][9], 11.0 / 16);
  EXPECT_EQ(points[31][9], 19.0 / 32);
  EXPECT_EQ(points[63][9], 37.0 / 64);
}

// Counts the `points` that lie in each [j, j + 1) / count along axis k.
std::vector<int> CountCells(const Matrix& points, std::size_t k, int count) {
  std::vector<int> cells(static_cast<std::size_t>(count));
  for (const std::vector<double>& point : points) {
    int j = static_cast<int>(point[k] * count);
    while (j > 0 && point[k] < static_cast<double>(j) / count) {
      --j;
    }
    while (point[k] >= static_cast<double>(j + 1) / count) {
      ++j;
    }
    ++cells.at(static_cast<std::size_t>(j));
  }
  return cells;
}

TEST(DesignTest, SobolPointsFillEveryCellInEveryDimension) {
  for (const bool is_shifted : {false, true}) {
    const Matrix points = PointsOf(Design(
        UnitFactors(600),
        {.kind = DesignKind::kSobol, .points = 256, .is_shifted = is_shifted}));
    for (std::size_t k = 0; k < 600; ++k) {
      EXPECT_THAT(CountCells(points, k, 256), testing::Each(1)) << k;
    }
  }
}

TEST(DesignTest, AShiftedSobolDesignDependsOnItsSeed) {
  const auto points = [](std::uint64_t seed) {
    return PointsOf({"a=[0,1]", "b=[0,1]"},
                    {.kind = DesignKind::kSobol,
                     .points = 4,
                     .seed = seed,
                     .is_shifted = true});
  };
  EXPECT_EQ(points(1), points(1));
  EXPECT_NE(points(1), points(2));
}

// The quantile of 1 / (2 x 8) is -1.5341205443525463.
TEST(DesignTest, TheOriginIsMovedIntoItsCellWhereItIsInfinite) {
  const Matrix points = PointsOf({"a=normal(0,1)", "b=[0,1]"},
                                 {.kind = DesignKind::kSobol, .points = 8});
  EXPECT_DOUBLE_EQ(points[0][0], -1.5341205443525463);
  EXPECT_EQ(points[0][1], 0);
  EXPECT_EQ(points[1][0], 0);
}

// exp(-1.5341205443525463 / 10) and -2 log(1 - 1 / 16); of Poisson's law for 30
// 1 / 16 is reached at 22, and 0 has the probability 1e-13.
TEST(DesignTest, TheOriginIsMovedIntoItsCellWhereNothingBoundsItAbove) {
  const Matrix points =
      PointsOf({"a=lognormal(0,0.1)", "b=exponential(2)", "c=poisson(30)"},
               {.kind = DesignKind::kSobol, .points = 8});
  EXPECT_DOUBLE_EQ(points[0][0], 0.85777619849392511);
  EXPECT_DOUBLE_EQ(points[0][1], 0.12907704227514236);
  EXPECT_EQ(points[0][2], 22);
}

// Latin hypercubes -----------------------------------------------------------

RC_GTEST_PROP(DesignTest, ALatinHypercubeHasOnePointInEachCell, ()) {
  const int count = *rc::gen::inRange(1, 500);
  const Matrix points =
      PointsOf(Design(UnitFactors(3),
                      {.kind = DesignKind::kLatinHypercube,
                       .points = count,
                       .seed = *rc::gen::arbitrary<std::uint64_t>()}));
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<int> cells = CountCells(points, k, count);
    RC_ASSERT(std::ranges::count(cells, 1) == count);
  }
}

TEST(DesignTest, TheAxesOfALatinHypercubeAreShuffledEachByItself) {
  const Matrix points = PointsOf(Design(
      UnitFactors(2), {.kind = DesignKind::kLatinHypercube, .points = 1000}));
  double product = 0;
  for (const std::vector<double>& point : points) {
    product += (point[0] - 0.5) * (point[1] - 0.5);
  }
  // A correlation of n independent pairs is below 3 / sqrt(n), mostly.
  EXPECT_LT(std::abs(product / 1000 * 12), 3 / std::sqrt(1000.0));
}

// Random ---------------------------------------------------------------------

TEST(DesignTest, MoreRandomPointsKeepTheEarlierOnes) {
  const std::vector<std::string> texts = {"k=normal(4,0.2)", "c=[0,1]"};
  const Matrix few =
      PointsOf(texts, {.kind = DesignKind::kRandom, .points = 10});
  Matrix many = PointsOf(texts, {.kind = DesignKind::kRandom, .points = 1000});
  many.resize(10);
  EXPECT_EQ(few, many);
}

TEST(DesignTest, RandomValuesOfAFactorDoNotDependOnTheOthers) {
  const DesignOptions options{.kind = DesignKind::kRandom, .points = 100};
  EXPECT_EQ(ColumnOf(PointsOf({"a=[0,1]", "k=normal(4,0.2)"}, options), 1),
            ColumnOf(PointsOf({"k=normal(4,0.2)"}, options), 0));
}

TEST(DesignTest, RandomPointsDependOnTheSeed) {
  const auto points = [](std::uint64_t seed) {
    return PointsOf({"k=normal(4,0.2)"},
                    {.kind = DesignKind::kRandom, .points = 5, .seed = seed});
  };
  EXPECT_NE(points(1), points(2));
}

TEST(DesignTest, WholeNumbersStayWhole) {
  for (const auto kind :
       {DesignKind::kRandom, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    const Matrix points =
        PointsOf({"n=integer[1,6]", "m=poisson(3)", "v={1,5}"},
                 {.kind = kind, .points = 600});
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double x : ColumnOf(points, k)) {
        EXPECT_EQ(x, std::floor(x));
      }
    }
    if (kind == DesignKind::kLatinHypercube) {
      EXPECT_EQ(std::ranges::count(ColumnOf(points, 0), 6.0), 100);
    }
  }
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments MomentsOf(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Moments result;
  for (const double x : values) {
    result.mean += x / n;
  }
  for (const double x : values) {
    result.deviation += (x - result.mean) * (x - result.mean) / n;
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

// The errors of mean and deviation of n random points are about sd / sqrt(n);
// those of evenly spread ones are far smaller.
TEST(DesignTest, DrawnPointsHaveTheMomentsOfTheirDistribution) {
  constexpr std::int64_t kPoints = 4096;
  const auto expect = [](DesignKind kind, double tolerance) {
    const Matrix points = PointsOf({"k=normal(4,0.2)", "u=[3.6,4.4]"},
                                   {.kind = kind, .points = kPoints});
    const Moments normal = MomentsOf(ColumnOf(points, 0));
    EXPECT_NEAR(normal.mean, 4, 0.2 * tolerance) << NameOf(kind);
    EXPECT_NEAR(normal.deviation, 0.2, 0.2 * tolerance) << NameOf(kind);
    const Moments uniform = MomentsOf(ColumnOf(points, 1));
    EXPECT_NEAR(uniform.mean, 4, 0.2 * tolerance) << NameOf(kind);
    EXPECT_NEAR(uniform.deviation, 0.8 / std::sqrt(12.0), 0.2 * tolerance)
        << NameOf(kind);
  };
  expect(DesignKind::kRandom, 3 / std::sqrt(kPoints));
  expect(DesignKind::kLatinHypercube, 3e-3);
  expect(DesignKind::kSobol, 3e-3);
}

// Mean and deviation of x(5) of the mass-spring x'' + 0.4 x' + k x = 0, x(0) =
// 1, by quadrature over k.
TEST(DesignTest, UncertaintyPropagatesAsByQuadrature) {
  const auto position = [](double k) {
    const double omega = std::sqrt(k - 0.04);
    return std::exp(-1.0) *
           (std::cos(omega * 5) + 0.2 / omega * std::sin(omega * 5));
  };
  const auto moments = [&](const std::string& factor) {
    std::vector<double> values;
    for (const auto& point :
         PointsOf({factor}, {.kind = DesignKind::kSobol, .points = 65536})) {
      values.push_back(position(point[0]));
    }
    return MomentsOf(values);
  };
  EXPECT_NEAR(moments("k=normal(4,0.2)").mean, -0.3266179281, 1e-5);
  EXPECT_NEAR(moments("k=normal(4,0.2)").deviation, 0.0394922183, 1e-5);
  EXPECT_NEAR(moments("k=[3.6,4.4]").mean, -0.3231793775, 2e-6);
  EXPECT_NEAR(moments("k=[3.6,4.4]").deviation, 0.0446010159, 2e-6);
}

TEST(DesignTest, PointsAllocateNothing) {
  for (const auto kind :
       {DesignKind::kRandom, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    const Design design(Factors({"a=normal(4,0.2)", "b=gamma(2,3)", "c=1:9"}),
                        {.kind = kind,
                         .points = 1000,
                         .correlations = Correlations({"a,b=0.5"})});
    std::vector<double> point(3);
    const int before = CountAllocations();
    for (std::int64_t i = 0; i < design.size(); ++i) {
      design.Point(i, point);
    }
    EXPECT_EQ(CountAllocations(), before);
  }
}

// Correlations ---------------------------------------------------------------

double CorrelationOf(const Matrix& points, std::size_t a, std::size_t b) {
  const Moments first = MomentsOf(ColumnOf(points, a));
  const Moments second = MomentsOf(ColumnOf(points, b));
  double product = 0;
  for (const std::vector<double>& point : points) {
    product += (point[a] - first.mean) * (point[b] - second.mean);
  }
  return product / static_cast<double>(points.size()) /
         (first.deviation * second.deviation);
}

TEST(DesignTest, NormalFactorsHaveTheCorrelationsAskedFor) {
  for (const auto kind :
       {DesignKind::kRandom, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    const Matrix points = PointsOf(
        {"a=normal(4,0.2)", "b=normal(0,1)", "c=normal(-1,3)", "d=normal(0,1)"},
        {.kind = kind,
         .points = 65536,
         .correlations = Correlations({"a,b=0.8", "c,a=-0.5", "b,c=-0.3"})});
    // The error is about (1 - r^2) / sqrt(n).
    EXPECT_NEAR(CorrelationOf(points, 0, 1), 0.8, 0.01) << NameOf(kind);
    EXPECT_NEAR(CorrelationOf(points, 0, 2), -0.5, 0.01) << NameOf(kind);
    EXPECT_NEAR(CorrelationOf(points, 1, 2), -0.3, 0.01) << NameOf(kind);
    EXPECT_NEAR(CorrelationOf(points, 0, 3), 0, 0.01) << NameOf(kind);
    EXPECT_NEAR(MomentsOf(ColumnOf(points, 1)).deviation, 1, 0.01);
  }
}

// Uniform variables under a Gaussian copula: 6 / pi asin(r / 2).
TEST(DesignTest, UniformFactorsHaveTheRankCorrelationOfTheCopula) {
  const Matrix points = PointsOf({"a=[0,1]", "b=[0,1]"},
                                 {.kind = DesignKind::kSobol,
                                  .points = 65536,
                                  .correlations = Correlations({"a,b=0.8"})});
  EXPECT_NEAR(
      CorrelationOf(points, 0, 1), 6 / std::numbers::pi * std::asin(0.4), 1e-3);
}

TEST(DesignTest, FactorsWithoutCorrelationKeepTheirBits) {
  DesignOptions options{.kind = DesignKind::kLatinHypercube, .points = 50};
  const std::vector<std::string> texts = {"a=[0,1]", "b=[0,1]", "c=[0,1]"};
  const Matrix apart = PointsOf(texts, options);
  options.correlations = Correlations({"a,b=0.8"});
  const Matrix together = PointsOf(texts, options);
  EXPECT_EQ(ColumnOf(apart, 0), ColumnOf(together, 0));
  EXPECT_NE(ColumnOf(apart, 1), ColumnOf(together, 1));
  EXPECT_EQ(ColumnOf(apart, 2), ColumnOf(together, 2));
}

// Errors ---------------------------------------------------------------------

std::string ErrorOf(const std::vector<std::string>& texts,
                    const DesignOptions& options) {
  return MessageOf([&] { Design(Factors(texts), options); });
}

TEST(DesignTest, NothingToVaryIsRefused) {
  EXPECT_EQ(ErrorOf({}, {}),
            "cannot design an experiment: nothing varies; give a factor, as in "
            "k=1:0.5:10");
  EXPECT_EQ(MessageOf([] {
              const std::vector<Factor> twice(
                  2, {.name = "k", .range = std::vector<double>{1.0}});
              Design(twice, {});
            }),
            "cannot vary k: it is varied already; give one range for it");
}

TEST(DesignTest, AKindThatIsNoneIsMetWithTheNearest) {
  EXPECT_EQ(DesignKindOf("latin-hypercube"), DesignKind::kLatinHypercube);
  EXPECT_EQ(MessageOf([] { static_cast<void>(DesignKindOf("sobl")); }),
            "cannot make a design 'sobl': there is no such kind; did you mean "
            "'sobol'?");
}

TEST(DesignTest, GridsAndListsNeedValues) {
  EXPECT_EQ(ErrorOf({"k=normal(4,0.2)"}, {}),
            "cannot make a grid of k: normal(4, 0.2) has no list of values; "
            "give values, as in 1:0.5:10 or {1,2,5}, or draw points: random, "
            "latin-hypercube or sobol");
  EXPECT_EQ(ErrorOf({"a=1:3", "b=1:2"}, {.kind = DesignKind::kList}),
            "cannot make a list: a has 3 values, b 2; give as many for each, "
            "or make a grid");
  EXPECT_EQ(ErrorOf({"a=1:1000000", "b=1:1000000", "c=1:1000000"}, {}),
            "cannot make a grid: there are 1e+18 points (1000000 of a x "
            "1000000 of b x 1000000 of c); draw points instead: random, "
            "latin-hypercube or sobol");
  EXPECT_EQ(ErrorOf({"a=1:3"}, {.correlations = Correlations({"a,b=0.5"})}),
            "cannot correlate the factors of a grid: its values are given; "
            "draw points: random, latin-hypercube or sobol");
}

TEST(DesignTest, DrawnDesignsNeedANumberOfPoints) {
  EXPECT_EQ(ErrorOf({"a=[0,1]"}, {.kind = DesignKind::kRandom}),
            "cannot make a random design of 0 points: give a number from 1 to "
            "1000000000");
}

TEST(DesignTest, ATableMustBeFull) {
  EXPECT_EQ(MessageOf([] {
              Design(Table("runs.csv", {{"k", "", {1, std::nan("")}}}));
            }),
            "cannot take the points of runs.csv: row 2 has no value of k; give "
            "one, or leave out the row");
}

TEST(DesignTest, CorrelationsThatNothingCanHaveAreRefused) {
  const auto error = [](const std::vector<std::string>& correlations) {
    return ErrorOf({"a=[0,1]", "b=[0,1]", "c=[0,1]"},
                   {.kind = DesignKind::kRandom,
                    .points = 10,
                    .correlations = Correlations(correlations)});
  };
  EXPECT_EQ(error({"a,b=0.9", "a,c=0.9", "b,c=-0.5"}),
            "cannot correlate a,c=0.9 and b,c=-0.5: no variables can have "
            "these correlations and those of the factors before 'c' (the "
            "matrix is not positive definite); give smaller ones");
  EXPECT_EQ(error({"a,d=0.9"}),
            "cannot correlate a,d=0.9: no factor is called 'd'; known: a, b, "
            "c");
  EXPECT_EQ(error({"a,b=0.9", "b,a=0.9"}),
            "cannot correlate b,a=0.9: the pair has a coefficient already; "
            "give it once");
}

TEST(DesignTest, CorrelationsThatCannotBeReadArePointedAt) {
  const auto error = [](const std::string& text) {
    return MessageOf([&] { static_cast<void>(Correlations({text})); });
  };
  EXPECT_EQ(error("a,b=1"),
            "--correlate:1:5: error: the coefficient is 1\n"
            "    1 | a,b=1\n"
            "      |     ^ give one between -1 and 1, both excluded\n");
  EXPECT_EQ(error("a,a=0.5"),
            "--correlate:1:3: error: 'a' cannot be correlated with itself\n"
            "    1 | a,a=0.5\n"
            "      |   ^ name another factor\n");
  EXPECT_EQ(error("a=0.5"),
            "--correlate:1:2: error: there is '=' where ',' would part the two "
            "names\n"
            "    1 | a=0.5\n"
            "      |  ^\n");
  EXPECT_EQ(Correlations({"m[1,2], b.c = -.5"}),
            (std::vector<Correlation>{{"m[1,2]", "b.c", -0.5}}));
}

// All combinations of the values have the same draws of the other factors.
TEST(DesignTest, AGridDrawsWhatHasNoListOfValuesAtEachPoint) {
  const std::vector<Factor> factors = ParseFactors(
      "--vary", {{"n={1,2,3}", "k=normal(4,0.2)", "m={10,20}", "c=[0,1]"}});
  const Design design(factors, {.kind = DesignKind::kGrid, .points = 5});
  EXPECT_EQ(design.size(), 3 * 2 * 5);
  EXPECT_EQ(design.draws(), 5);
  const std::vector<Factor> drawn =
      ParseFactors("--vary", {{"k=normal(4,0.2)", "c=[0,1]"}});
  const Design draws(drawn, {.kind = DesignKind::kRandom, .points = 5});
  std::vector<double> point(4);
  std::vector<double> draw(2);
  for (std::int64_t i = 0; i < design.size(); ++i) {
    design.Point(i, point);
    draws.Point(i % 5, draw);
    EXPECT_EQ(point[0], 1 + static_cast<double>(i / 10));
    EXPECT_EQ(point[2], i / 5 % 2 == 0 ? 10 : 20);
    EXPECT_EQ(point[1], draw[0]);
    EXPECT_EQ(point[3], draw[1]);
  }
}

}  // namespace
}  // namespace orrery
