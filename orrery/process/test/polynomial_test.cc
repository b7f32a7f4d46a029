#include "orrery/process/types/polynomial.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"

namespace orrery::process {

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::StrEq;
using enum Relation;

__extension__ using Wide = __int128;

constexpr Duration kFarAway{std::int64_t{1} << 62};

std::optional<Duration> First(const Polynomial& p,
                              Relation relation,
                              double bound) {
  return FirstTick(p, relation, bound, 0ns, kFarAway);
}

// The first tick, by looking at every one.
std::optional<Duration> FirstByScan(const Polynomial& p,
                                    Relation relation,
                                    double bound,
                                    Duration from,
                                    Duration until) {
  for (Duration tick = from; tick <= until; ++tick) {
    if (Holds(p.At(tick), relation, bound)) {
      return tick;
    }
  }
  return std::nullopt;
}

rc::Gen<Relation> AnyRelation() {
  return rc::gen::element(
      kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual);
}

// A whole number within +-limit, as double: exact.
rc::Gen<double> Whole(std::int64_t limit) {
  return rc::gen::map(rc::gen::inRange(-limit, limit + 1),
                      [](std::int64_t n) { return static_cast<double>(n); });
}

// Numbers of all sizes.
rc::Gen<double> AnySize() {
  return rc::gen::map(
      rc::gen::pair(Whole(1'000'000), rc::gen::inRange(-60, 61)),
      [](const std::pair<double, int>& number) {
        return std::ldexp(number.first, number.second);
      });
}

// A polynomial with these roots, given in nanoseconds from `origin`, rounded to
// doubles.
Polynomial WithRoots(const std::vector<int>& roots, Duration origin) {
  Polynomial p{1.0};
  for (const int root : roots) {
    const Duration at = origin + Duration(root);
    p *= Polynomial{-Seconds(at).value * 1e6, 1e6};
  }
  return p;
}

}  // namespace

TEST(PolynomialTest, DropsZerosAtTheEnd) {
  const Polynomial p{1, 2, 0, 0};
  EXPECT_EQ(p.degree(), 1U);
  EXPECT_THAT(p.coefficients(), ElementsAre(1, 2));
  EXPECT_EQ(p, (Polynomial{1, 2}));
}

TEST(PolynomialTest, IsZeroByDefault) {
  EXPECT_EQ(Polynomial().degree(), 0U);
  EXPECT_THAT(Polynomial().coefficients(), ElementsAre(0));
  EXPECT_EQ(Polynomial(), (Polynomial{0, 0}));
}

TEST(PolynomialTest, AddsAndMultiplies) {
  const Polynomial a{1, 2};
  const Polynomial b{3, -1, 4};
  EXPECT_EQ(a + b, (Polynomial{4, 1, 4}));
  EXPECT_EQ(a - b, (Polynomial{-2, 3, -4}));
  EXPECT_EQ(a * b, (Polynomial{3, 5, 2, 8}));
  EXPECT_EQ(-b, (Polynomial{-3, 1, -4}));
  EXPECT_EQ(2.0 - a, (Polynomial{1, -2}));
  EXPECT_EQ(a - 2.0, (Polynomial{-1, 2}));
  EXPECT_EQ(3.0 * a + 1.0, (Polynomial{4, 6}));
}

TEST(PolynomialTest, LosesTheDegreeThatCancels) {
  EXPECT_EQ((Polynomial{1, 2, 3} - Polynomial{0, 0, 3}).degree(), 1U);
  EXPECT_EQ((Polynomial{1, 2, 3} * 0.0).degree(), 0U);
}

TEST(PolynomialTest, RefusesTooHighADegree) {
  const Polynomial quartic{0, 0, 0, 0, 1};
  EXPECT_EQ((quartic * Polynomial{0, 0, 0, 1}).degree(), 7U);
  try {
    [[maybe_unused]] const Polynomial product = quartic * quartic;
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(
        error.what(),
        StrEq("cannot multiply polynomials of degree 4 and 4: the degree would "
              "be 8, at most 7 is possible; a curve of a lower degree over a "
              "shorter time may be near enough"));
  }
  EXPECT_THROW((Polynomial{1, 2, 3, 4, 5, 6, 7, 8, 9}), Error);
}

TEST(PolynomialTest, PrintsItsTerms) {
  EXPECT_EQ(ToText(Polynomial{10, 3, -0.5}), "10 + 3 s - 0.5 s^2");
  EXPECT_EQ(ToText(Polynomial{0, -1.5}), "-1.5 s");
  EXPECT_EQ(ToText(Polynomial()), "0");
}

TEST(PolynomialTest, ALineIsWorthWhatDoublesComputeForIt) {
  EXPECT_EQ((Polynomial{0.1, 0.7}).At(3s), 0.1 + 0.7 * 3.0);
  EXPECT_EQ((Polynomial{0, 3}).At(3'333'333'334ns), 3 * 3.333333334);
}

TEST(PolynomialTest, ACurveIsRoundedOnce) {
  // (s - 1)^5 expanded, where Horner's rule is left with noise of 1e-16: the
  // exact value at 1 + 2^-9 s is 2^-45.
  const Polynomial p{-1, 5, -10, 10, -5, 1};
  EXPECT_EQ(p.At(1'001'953'125ns), std::ldexp(1.0, -45));
  EXPECT_EQ(p.At(1s), 0.0);
}

TEST(PolynomialTest, ACurveIsRoundedByWhatIsFarBelowATie) {
  // 1 + 2^-53 +- 2^-120 at 2^-9 s: beside the middle between 1 and 1 + 2^-52.
  const double half = std::ldexp(1.0, -44);
  const double little = std::ldexp(1.0, -102);
  const double next = 1 + std::numeric_limits<double>::epsilon();
  EXPECT_EQ((Polynomial{1, half, little}).At(1'953'125ns), next);
  EXPECT_EQ((Polynomial{1, half, -little}).At(1'953'125ns), 1);
  EXPECT_EQ((Polynomial{-1, -half, -little}).At(1'953'125ns), -next);
  EXPECT_EQ((Polynomial{1, half, 0, 0}).At(1'953'125ns), 1);
}

RC_GTEST_PROP(PolynomialTest, ACubicIsTheExactValueRoundedOnce, ()) {
  const auto c =
      *rc::gen::container<std::vector<double>>(4, Whole(std::int64_t{1} << 30));
  const auto n = *rc::gen::inRange<std::int64_t>(-(1 << 20), 1 << 20);
  // In units of 2^-27: the time is n / 512 s.
  const auto scaled = [&](double c0) {
    const Wide w = n;
    return static_cast<Wide>(c[3]) * w * w * w +
           static_cast<Wide>(c[2]) * w * w * 512 +
           static_cast<Wide>(c[1]) * w * 512 * 512 +
           static_cast<Wide>(c0) * 512 * 512 * 512;
  };
  const Duration time(n * 1'953'125);
  const auto value = [&](double c0) {
    return std::ldexp(static_cast<double>(scaled(c0)), -27);
  };
  RC_ASSERT((Polynomial{c[0], c[1], c[2], c[3]}).At(time) == value(c[0]));
  const double cancelling = c[0] - std::trunc(value(c[0]));
  RC_ASSERT((Polynomial{cancelling, c[1], c[2], c[3]}).At(time) ==
            value(cancelling));
}

RC_GTEST_PROP(PolynomialTest, TheSlopeOfAShiftedCubicIsRoundedOnce, ()) {
  const auto c =
      *rc::gen::container<std::vector<double>>(4, Whole(std::int64_t{1} << 53));
  const auto n = *rc::gen::inRange<std::int64_t>(-(1 << 20), 1 << 20);
  const Wide w = n;  // In units of 2^-18: the time is n / 512 s.
  const Wide slope = static_cast<Wide>(c[1]) * 512 * 512 +
                     2 * static_cast<Wide>(c[2]) * w * 512 +
                     3 * static_cast<Wide>(c[3]) * w * w;
  const Polynomial p{c[0], c[1], c[2], c[3]};
  RC_PRE(p.degree() == 3);
  RC_ASSERT(p.Shifted(Duration(n * 1'953'125)).coefficients()[1] ==
            std::ldexp(static_cast<double>(slope), -18));
}

// Equal to the last bit, which no shifted coefficients could give.
RC_GTEST_PROP(PolynomialTest, AShiftedCurveHasItsValuesLater, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(0, 8);
  const auto coefficients =
      *rc::gen::container<std::vector<double>>(degree + 1, AnySize());
  const Polynomial p{std::span(coefficients)};
  const Duration by(
      *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000));
  const Duration at(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  RC_ASSERT(p.Shifted(by).At(at) == p.At(by + at));
  RC_ASSERT(p.Shifted(by).Shifted(at).At(0ns) == p.At(by + at));
}

RC_GTEST_PROP(PolynomialTest, AShiftedCurveBeginsAtItsFirstCoefficient, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(0, 8);
  const auto coefficients =
      *rc::gen::container<std::vector<double>>(degree + 1, AnySize());
  const Polynomial p{std::span(coefficients)};
  const Duration by(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  RC_ASSERT(p.Shifted(by).coefficients()[0] == p.At(by));
}

TEST(PolynomialTest, AShiftedCurveHasTheCoefficientsFromNow) {
  const Polynomial thrown{1.5, 20, -4.5};
  EXPECT_THAT(thrown.Shifted(2s).coefficients(), ElementsAre(23.5, 2, -4.5));
  EXPECT_EQ(thrown.Shifted(2s), (Polynomial{23.5, 2, -4.5}));
  EXPECT_NE(thrown.Shifted(2s), thrown);
  EXPECT_EQ(ToText(thrown.Shifted(2s)), "23.5 + 2 s - 4.5 s^2");
}

TEST(PolynomialTest, CombinesCurvesThatBeganAtDifferentTimes) {
  const Polynomial early = Polynomial{1, 2}.Shifted(3s);  // 7 + 2 s
  const Polynomial late = Polynomial{4, -1}.Shifted(1s);  // 3 - s
  EXPECT_EQ(early + late, (Polynomial{10, 1}));
  EXPECT_EQ(early - late, (Polynomial{4, 3}));
  EXPECT_EQ(early * late, (Polynomial{21, -1, -2}));
  EXPECT_EQ(early * early, (Polynomial{49, 28, 4}));
  EXPECT_EQ((early + late).At(2s), 12);
}

TEST(PolynomialTest, KeepsTheBeginningWithConstants) {
  const Polynomial p = Polynomial{0.1, 0.7}.Shifted(3s);
  const double at = 0.1 + 0.7 * 5.0;
  EXPECT_EQ((p * 2.0).At(2s), 2 * at);
  EXPECT_EQ((-p).At(2s), -at);
  EXPECT_EQ((Polynomial{2} * p).At(2s), 2 * at);
  EXPECT_EQ((Polynomial() + p).At(2s), at);
  EXPECT_EQ((p + Polynomial()).At(2s), at);
}

TEST(FirstTickTest, RoundsACrossingUpToTheTick) {  // D3
  EXPECT_EQ(First({0, 3}, kGreaterEqual, 10), 3'333'333'334ns);
  EXPECT_EQ(First({100, -7}, kLessEqual, 50), 7'142'857'143ns);
}

TEST(FirstTickTest, TakesATickThatHits) {
  EXPECT_EQ(First({0, 1}, kGreaterEqual, 10), 10s);
  EXPECT_EQ(First({0, 1}, kEqual, 10), 10s);
  EXPECT_EQ(First({0, 1}, kGreater, 10), 10s + 1ns);  // D16
  EXPECT_EQ(First({0, 1}, kNotEqual, 0), 1ns);
}

TEST(FirstTickTest, IsTheStartIfTheRelationHoldsThere) {
  EXPECT_EQ(FirstTick({5, 1}, kGreater, 3, 7s, 9s), 7s);
  EXPECT_EQ(FirstTick({5}, kEqual, 5, 7s, 9s), 7s);
}

TEST(FirstTickTest, IncludesTheEnd) {
  EXPECT_EQ(FirstTick({0, 1}, kGreaterEqual, 10, 0s, 10s), 10s);
  EXPECT_EQ(FirstTick({0, 1}, kGreaterEqual, 10, 0s, 10s - 1ns), std::nullopt);
  EXPECT_EQ(FirstTick({0, 0, 1}, kGreaterEqual, 100, 0s, 10s), 10s);
  EXPECT_EQ(FirstTick({0, 0, 1}, kGreaterEqual, 100, 0s, 10s - 1ns),
            std::nullopt);
}

TEST(FirstTickTest, IsNoneInAnEmptyRange) {
  EXPECT_EQ(FirstTick({0, 1}, kGreaterEqual, 0, 2s, 1s), std::nullopt);
}

TEST(FirstTickTest, IsNoneForALineThatLeavesTheBound) {
  EXPECT_EQ(First({0, 1}, kLess, 0), std::nullopt);
  EXPECT_EQ(First({0, -1}, kGreaterEqual, 1), std::nullopt);
  EXPECT_EQ(First({2, 1}, kEqual, 1), std::nullopt);
}

TEST(FirstTickTest, EqualityBetweenTwoTicksIsNotSeen) {
  EXPECT_EQ(First({0, 3}, kEqual, 10), std::nullopt);
  EXPECT_EQ(First({0, 0, 1}, kEqual, 2), std::nullopt);
}

TEST(FirstTickTest, FindsATouch) {
  const Polynomial bowl{25, -10, 1};  // (s - 5)^2
  EXPECT_EQ(First(bowl, kLessEqual, 0), 5s);
  EXPECT_EQ(First(bowl, kEqual, 0), 5s);
  EXPECT_EQ(First(bowl, kLess, 0), std::nullopt);
  EXPECT_EQ(First(-(bowl * bowl), kGreaterEqual, 0), 5s);
}

TEST(FirstTickTest, FindsATouchFromWhereTheValueRoundsToIt) {
  // 1 - (7e-9)^2 is nearer to 1 than to the double below, 1 - 1.1e-16, and
  // 1 - (8e-9)^2 is not.
  EXPECT_EQ(First({-24, 10, -1}, kGreaterEqual, 1), 5s - 7ns);
  EXPECT_EQ(First({-24, 10, -1}, kEqual, 1), 5s - 7ns);
  EXPECT_EQ(First({-24, 10, -1}, kGreater, 1), std::nullopt);
}

TEST(FirstTickTest, FindsACrossingThereAndBack) {
  // (s - 1)(s - 1 - 2^-25): below zero for less than 30 ns, by 2e-16.
  const double width = std::ldexp(1.0, -25);
  const Polynomial dip = Polynomial{-1, 1} * Polynomial{-1 - width, 1};
  EXPECT_EQ(First(dip, kLess, 0), 1'000'000'001ns);
  EXPECT_EQ(FirstTick(dip, kLess, 0, 1'000'000'029ns, kFarAway),
            1'000'000'029ns);
  EXPECT_EQ(FirstTick(dip, kLess, 0, 1'000'000'030ns, kFarAway), std::nullopt);
}

TEST(FirstTickTest, FindsTheRootsOfAQuadratic) {
  const Polynomial thrown{1.5, 20, -4.905};
  const auto root = [](double height, double sign) {
    return (20 + sign * std::sqrt(400 - 4 * 4.905 * (height - 1.5))) / 9.81;
  };
  const auto up = First(thrown, kGreaterEqual, 20);
  const auto down = First(thrown, kLessEqual, 0);
  ASSERT_TRUE(up && down);
  EXPECT_EQ(static_cast<double>(up->count()), std::ceil(1e9 * root(20, -1)));
  EXPECT_EQ(static_cast<double>(down->count()), std::ceil(1e9 * root(0, 1)));
}

TEST(FirstTickTest, FindsEachRootOfAQuintic) {
  // (s - 1)(s - 2)(s - 3)(s - 4)(s - 5), below zero at first.
  Polynomial p{1};
  for (const double root : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    p *= Polynomial{-root, 1};
  }
  Duration at = 0s;
  for (int root = 1; root <= 5; ++root) {
    const Relation through = root % 2 == 1 ? kGreater : kLess;
    const auto next = FirstTick(p, through, 0, at, kFarAway);
    ASSERT_EQ(next, root * 1s + 1ns);
    EXPECT_EQ(FirstTick(p, kEqual, 0, at, kFarAway), root * 1s);
    at = *next;
  }
  EXPECT_EQ(FirstTick(p, kLessEqual, 0, at, kFarAway), std::nullopt);
}

TEST(FirstTickTest, LooksYearsAhead) {
  // 1 - 1e-9 s - 1e-18 s^2 = 0 at s = 1e9 (sqrt(5) - 1) / 2.
  const auto tick = First({1, -1e-9, -1e-18}, kLessEqual, 0);
  ASSERT_TRUE(tick);
  EXPECT_NEAR(Seconds(*tick).value, 1e9 * (std::sqrt(5.0) - 1) / 2, 1e-6);
  EXPECT_EQ(First({0, 1e-9}, kGreaterEqual, 4.7), std::nullopt);
}

TEST(FirstTickTest, TakesTheFirstOfTheTicksThatAreOneDouble) {
  // Doubles are 2^-20 s apart beyond 2^32 s.
  const Polynomial line{0, 1e-9};
  const auto tick = First(line, kGreaterEqual, 4.6);
  ASSERT_TRUE(tick);
  EXPECT_GE(line.At(*tick), 4.6);
  EXPECT_LT(line.At(*tick - 1ns), 4.6);
  EXPECT_NEAR(Seconds(*tick - 4'600'000'000s).value, 0, 1.5e-6);
}

TEST(FirstTickTest, SpansTheWholeOfTime) {
  EXPECT_EQ(FirstTick({0, 1}, kGreater, 0, Duration::min(), Duration::max()),
            1ns);
  EXPECT_EQ(
      FirstTick({0, 0, 0, 1}, kGreater, 0, Duration::min(), Duration::max()),
      1ns);
  EXPECT_EQ(
      FirstTick({-1, 0, 1}, kLessEqual, 0, Duration::min(), Duration::max()),
      -1s);
}

// The tick at which a cell meets a bound does not depend on when it is
// computed.
RC_GTEST_PROP(FirstTickTest, DoesNotDependOnWhenItIsAsked, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(0, 5);
  const auto coefficients =
      *rc::gen::container<std::vector<double>>(degree + 1, Whole(1000));
  const Polynomial p = 0.1 * Polynomial{std::span(coefficients)};
  const Relation relation = *AnyRelation();
  const double bound = 0.1 * *Whole(1000);
  const Duration by(
      *rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000));
  const auto tick = FirstTick(p, relation, bound, by, by + 9s);
  const auto later = FirstTick(p.Shifted(by), relation, bound, 0s, 9s);
  RC_ASSERT(later == (tick ? std::optional(*tick - by) : std::nullopt));
}

TEST(FirstTickTest, AShiftedCurveEndsWithTime) {
  const Polynomial p = Polynomial{0, 1}.Shifted(kFarAway);
  EXPECT_EQ(FirstTick(p, kGreaterEqual, 0, 1s, Duration::max()), 1s);
  EXPECT_EQ(FirstTick(p, kGreaterEqual, 1e10, 0s, Duration::max()),
            std::nullopt);
  EXPECT_EQ(FirstTick(p, kLess, 1e10, Duration::max(), Duration::max()),
            Duration::max());
}

TEST(FirstTickTest, CoefficientsThatAreNoNumbersHoldNowhere) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const Relation relation : {kLess, kGreaterEqual, kNotEqual}) {
      EXPECT_EQ(First({bad}, relation, 1), std::nullopt);
      EXPECT_EQ(First({0, bad}, relation, 1), std::nullopt);
      EXPECT_EQ(First({0, 1, bad}, relation, 1), std::nullopt);
    }
  }
  EXPECT_EQ(First({0, 1}, kNotEqual, kNaN), std::nullopt);
}

TEST(FirstTickTest, NothingReachesInfinity) {
  EXPECT_EQ(First({0, 1}, kGreaterEqual, kInfinity), std::nullopt);
  EXPECT_EQ(First({0, 1, 1}, kGreaterEqual, kInfinity), std::nullopt);
  EXPECT_EQ(First({0, 1}, kLess, kInfinity), 0s);
}

TEST(FirstTickTest, HugeAndTinyCoefficientsEnd) {
  EXPECT_EQ(First({-1e308, 1e308}, kGreaterEqual, 0), 1s);
  const auto tick = First({-1e306, 1e306, 1e306, 1e306}, kGreaterEqual, 0);
  ASSERT_TRUE(tick);  // s^3 + s^2 + s = 1
  EXPECT_EQ(*tick, 543'689'013ns);
  EXPECT_EQ(First({0, 5e-324}, kGreater, 0), 500'000'001ns);
  EXPECT_TRUE(First({0, 0, 5e-324}, kGreater, 0));
}

// Compares with a scan of all ticks. The curves cross, touch and turn back
// among them.
RC_GTEST_PROP(FirstTickTest, IsTheFirstOfAllTicks, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(1, 8);
  const auto roots =
      *rc::gen::container<std::vector<int>>(degree, rc::gen::inRange(0, 400));
  const Duration origin(*rc::gen::element(
      std::int64_t{0}, std::int64_t{1'000'000'000}, std::int64_t{-200}));
  const Polynomial p = WithRoots(roots, origin) + *Whole(3) * 1e-9;
  const Relation relation = *AnyRelation();
  const Duration from = origin + Duration(*rc::gen::inRange(-5, 300));
  const Duration until = from + Duration(*rc::gen::inRange(0, 400));
  const double bound = *rc::gen::inRange(0, 2) == 0 ? 0.0 : p.At(until - 3ns);
  RC_ASSERT(FirstTick(p, relation, bound, from, until) ==
            FirstByScan(p, relation, bound, from, until));
}

// Curves so flat, or seen so far away, that many ticks share a value.
RC_GTEST_PROP(FirstTickTest, IsTheFirstOfAllTicksOfAPlateau, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(1, 6);
  const auto coefficients =
      *rc::gen::container<std::vector<double>>(degree + 1, AnySize());
  const Polynomial p{std::span(coefficients)};
  const Relation relation = *AnyRelation();
  const Duration from(*rc::gen::inRange<std::int64_t>(
      0, std::int64_t{1} << *rc::gen::inRange(1, 62)));
  const Duration until = from + 500ns;
  const double bound = p.At(from + Duration(*rc::gen::inRange(0, 500)));
  RC_ASSERT(FirstTick(p, relation, bound, from, until) ==
            FirstByScan(p, relation, bound, from, until));
}

RC_GTEST_PROP(FirstTickTest, NoEarlierTickHolds, ()) {
  const auto degree = *rc::gen::inRange<std::size_t>(1, 8);
  const auto coefficients =
      *rc::gen::container<std::vector<double>>(degree + 1, Whole(1000));
  const Polynomial p{std::span(coefficients)};
  const Relation relation = *AnyRelation();
  const double bound = *Whole(1000);
  const Duration until(std::int64_t{1} << *rc::gen::inRange(20, 62));
  const auto tick = FirstTick(p, relation, bound, 0ns, until);
  if (tick) {
    RC_ASSERT(Holds(p.At(*tick), relation, bound));
    RC_ASSERT(*tick == 0ns || !Holds(p.At(*tick - 1ns), relation, bound));
  }
  const std::int64_t end = tick ? tick->count() : until.count() + 1;
  for (int sample = 0; sample < 100 && end > 0; ++sample) {
    const Duration earlier(*rc::gen::noShrink(
        rc::gen::resize(1000, rc::gen::inRange<std::int64_t>(0, end))));
    RC_ASSERT(!Holds(p.At(earlier), relation, bound));
  }
}

// n/512 s in whole numbers: c0 512^2 + c1 512 n + c2 n^2 against the bound.
RC_GTEST_PROP(FirstTickTest, AgreesWithWholeNumbers, ()) {
  const double c0 = *Whole(1000);
  const double c1 = *Whole(1000);
  const double c2 = *Whole(1000);
  const double bound = *Whole(1000);
  const auto tick = FirstTick({c0, c1, c2}, kGreaterEqual, bound, 0s, 8s);
  std::int64_t first = 8 * 512 + 1;
  for (std::int64_t n = 8 * 512; n >= 0; --n) {
    const auto whole = [](double c) {
      return static_cast<std::int64_t>(c);
    };
    if (whole(c0 - bound) * 512 * 512 + whole(c1) * 512 * n +
            whole(c2) * n * n >=
        0) {
      first = n;
    }
  }
  const Duration grid(first * 1'953'125);
  if (first <= 8 * 512) {
    RC_ASSERT(tick.has_value());
    RC_ASSERT(*tick <= grid);
  }
  // The parabola may rise above the bound and fall again between two of them.
  if (tick && c2 >= 0) {
    RC_ASSERT(first <= 8 * 512 || *tick > 8s - 1'953'125ns);
    RC_ASSERT(*tick > grid - 1'953'125ns);
  }
}

}  // namespace orrery::process
