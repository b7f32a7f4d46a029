// The cell types of numbers: accumulators, counters, curves, pools, inputs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/exact_sum.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/process/cells/accumulator.h"
#include "orrery/process/cells/counter.h"
#include "orrery/process/cells/piecewise_linear.h"
#include "orrery/process/cells/polynomial_dynamics.h"
#include "orrery/process/cells/pool.h"
#include "orrery/process/cells/steps.h"

namespace orrery::process {

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::StrEq;

template <typename Make>
std::string MessageOf(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <typename C, typename... Effects>
C After(C state, const Effects&... effects) {
  (state.Apply(effects), ...);
  return state;
}

template <typename C>
C Later(C state, Duration duration) {
  state.Step(duration);
  return state;
}

std::vector<std::string> FieldsOf(const auto& effect) {
  Record record;
  effect.Describe(record);
  std::vector<std::string> names;
  for (const Record::Field& field : record.fields()) {
    names.push_back(field.name);
  }
  return names;
}

double SumOf(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) {
    sum.Add(term);
  }
  return sum.Value();
}

// Exact sums.

TEST(ExactSumTest, RoundsOnce) {
  EXPECT_EQ(SumOf(std::vector<double>(10, 0.1)), 1.0);
  EXPECT_EQ(SumOf({1e100, 1.0, -1e100}), 1.0);
  EXPECT_EQ(SumOf({1e300, 1e200, 1e100, 1.0, -1e300, -1e200, -1e100}), 1.0);
}

TEST(ExactSumTest, LetsWhatIsFarBelowSettleATie) {
  const double half_ulp = std::ldexp(1.0, -53);
  EXPECT_EQ(SumOf({1, half_ulp}), 1.0);
  EXPECT_EQ(SumOf({1, half_ulp, 1e-300}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(SumOf({1, half_ulp, -1e-300}), 1.0);
  const double odd = std::nextafter(1.0, 2.0);
  EXPECT_EQ(SumOf({odd, half_ulp}), std::nextafter(odd, 2.0));
  EXPECT_EQ(SumOf({odd, half_ulp, -1e-300}), odd);
}

TEST(ExactSumTest, TakesTheSmallestNumbers) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(SumOf({1e308, least, least, -1e308}), 2 * least);
}

TEST(ExactSumTest, IsWhatDoublesMakeOfWhatIsNotFinite) {
  EXPECT_EQ(SumOf({1e308, 1e308}), kInfinity);
  EXPECT_EQ(SumOf({1e308, 1e308, -1e308}), kInfinity);
  EXPECT_TRUE(std::isnan(SumOf({kInfinity, -kInfinity, 1})));
}

// Compares with integers of 128 bits.
RC_GTEST_PROP(ExactSumTest, AgreesWithWideIntegers, ()) {
  __extension__ using Wide = __int128;
  Wide exact = 0;
  ExactSum sum;
  const int n = *rc::gen::inRange(0, 20);
  for (int i = 0; i < n; ++i) {
    const auto number =
        *rc::gen::inRange<std::int64_t>(-(1LL << 40), 1LL << 40);
    const int shift = *rc::gen::inRange(0, 80);
    exact += static_cast<Wide>(number) * (static_cast<Wide>(1) << shift);
    sum.Add(std::ldexp(static_cast<double>(number), shift));
  }
  RC_ASSERT(sum.Value() == static_cast<double>(exact));
}

RC_GTEST_PROP(ExactSumTest, DependsNeitherOnOrderNorOnGrouping, ()) {
  std::vector<double> terms;
  const int n = *rc::gen::inRange(0, 12);
  for (int i = 0; i < n; ++i) {
    terms.push_back(std::ldexp(*rc::gen::inRange(-1'000'000, 1'000'001),
                               *rc::gen::inRange(-1070, 950)));
  }
  ExactSum sum;
  for (const double term : terms) {
    sum.Add(term);
  }
  for (std::size_t i = terms.size(); i > 1; --i) {
    std::swap(terms[i - 1], terms[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  ExactSum parts[3];
  for (const double term : terms) {
    parts[*rc::gen::inRange(0, 3)].Add(term);
  }
  parts[1].Add(parts[2]);
  parts[0].Add(parts[1]);
  RC_ASSERT(parts[0] == sum);
  for (const double term : terms) {
    sum.Add(-term);
  }
  RC_ASSERT(sum == ExactSum());
}

TEST(ExactSumTest, AddsItselfToItself) {
  ExactSum sum(1e200);
  sum.Add(1.0);
  sum.Add(1e-200);
  sum.Add(sum);
  sum.Add(-2e200);
  EXPECT_EQ(sum.Value(), 2.0);
}

// The accumulator.

TEST(AccumulatorTest, GoesOnAtItsRate) {
  const Accumulator battery(100, -0.05);
  EXPECT_EQ(battery.Value(), 100);
  EXPECT_EQ(battery.rate(), -0.05);
  EXPECT_EQ(Later(battery, 240s).Value(), 88);
  EXPECT_EQ(Later(battery, 240s).Dynamics(), Polynomial({88, -0.05}));
}

TEST(AccumulatorTest, AddsAfterItWasCleared) {  // C7
  const auto clear = Accumulator::Setting(0);
  const auto add = Accumulator::Adding(5);
  EXPECT_EQ(After(Accumulator(10), clear, add).Value(), 5);
  EXPECT_EQ(
      After(Accumulator(10), Accumulator::Sequentially(clear, add)).Value(), 5);
  EXPECT_EQ(
      After(Accumulator(10), Accumulator::Sequentially(add, clear)).Value(), 0);
}

TEST(AccumulatorTest, AddsToWhatIsSetConcurrently) {
  const auto both = Accumulator::Concurrently(Accumulator::Adding(5),
                                              Accumulator::Setting(1));
  EXPECT_EQ(After(Accumulator(10), both).Value(), 6);
  EXPECT_FALSE(After(Accumulator(10), both).HasConflict());
}

TEST(AccumulatorTest, KeepsItsLevelWhereSetsDiffer) {
  const auto sets = Accumulator::Concurrently(Accumulator::Setting(1),
                                              Accumulator::Setting(2));
  const auto all = Accumulator::Concurrently(sets, Accumulator::Adding(5));
  const Accumulator state = After(Accumulator(10), all);
  EXPECT_EQ(state.Value(), 15);
  EXPECT_TRUE(state.HasConflict());
  EXPECT_TRUE(After(state, Accumulator::Adding(1)).HasConflict());
  EXPECT_TRUE(After(state, Accumulator::SettingRate(1)).HasConflict());
  EXPECT_FALSE(After(state, Accumulator::Setting(1)).HasConflict());
}

TEST(AccumulatorTest, ChangesItsRateFromNowOn) {  // D4
  Accumulator state(0, 1);
  state.Step(5s);
  state.Apply(Accumulator::SettingRate(2));
  EXPECT_EQ(state.Value(), 5);
  EXPECT_EQ(Later(state, 2500ms).Value(), 10);
  state.Step(1s);
  state.Apply(Accumulator::AddingRate(-3));
  EXPECT_EQ(state.rate(), -1);
  EXPECT_EQ(Later(state, 7s).Value(), 0);
}

TEST(AccumulatorTest, HasConflictingRatesApartFromItsLevel) {
  const auto rates = Accumulator::Concurrently(Accumulator::SettingRate(1),
                                               Accumulator::SettingRate(2));
  const Accumulator state = After(Accumulator(0, 7), rates);
  EXPECT_EQ(state.rate(), 7);
  EXPECT_TRUE(state.HasConflict());
  EXPECT_TRUE(After(state, Accumulator::Setting(0)).HasConflict());
  EXPECT_FALSE(After(state, Accumulator::SettingRate(1)).HasConflict());
}

TEST(AccumulatorTest, ReturnsToTheRateItHad) {
  Accumulator state(0, 0.7);
  const std::vector<double> loads{0.1, 1e-9, 3e7, 0.3};
  for (const double load : loads) {
    state.Step(1s);
    state.Apply(Accumulator::AddingRate(load));
  }
  for (const double load : loads) {
    state.Step(1s);
    state.Apply(Accumulator::AddingRate(-load));
  }
  EXPECT_EQ(state.rate(), 0.7);
}

RC_GTEST_PROP(AccumulatorTest, SeesTheSameBeforeAndAfterAnEffectOfNothing, ()) {
  Accumulator state(*rc::gen::inRange(-1000, 1000) / 7.0,
                    *rc::gen::inRange(-1000, 1000) / 7.0);
  state.Apply(Accumulator::Adding(*rc::gen::inRange(-1000, 1000) / 3.0));
  state.Step(Duration(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000)));
  const double before = state.Value();
  state.Apply(Accumulator::AddingRate(0));
  RC_ASSERT(state.Value() == before);
}

// The value that a condition foretells from the last effect is the later value.
RC_GTEST_PROP(AccumulatorTest, GoesOnExactlyAsForetold, ()) {
  Accumulator state(*rc::gen::inRange(-1000, 1000) / 7.0,
                    *rc::gen::inRange(-1000, 1000) / 7.0);
  state.Step(Duration(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000)));
  state.Apply(Accumulator::Adding(*rc::gen::inRange(-1000, 1000) / 3.0));
  const Duration later(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  RC_ASSERT(Later(state, later).Value() == state.Dynamics().At(later));
}

TEST(AccumulatorTest, RefusesWhatIsNotANumber) {
  EXPECT_EQ(MessageOf([] { Accumulator::Adding(kNaN); }),
            "cannot add to an accumulator nan: it is not a finite number; "
            "find out where it came from");
  EXPECT_EQ(MessageOf([] { Accumulator::SettingRate(-kInfinity); }),
            "cannot set the rate of an accumulator to -inf: it is not a finite "
            "number; find out where it came from");
  EXPECT_THROW(Accumulator::Setting(kNaN), Error);
  EXPECT_THROW(Accumulator::AddingRate(kNaN), Error);
  EXPECT_THROW(Accumulator(0, kNaN), Error);
}

TEST(AccumulatorTest, DescribesEffects) {
  EXPECT_THAT(FieldsOf(Accumulator::Adding(0)), ElementsAre("add"));
  EXPECT_THAT(FieldsOf(Accumulator::Setting(0)), ElementsAre("set"));
  EXPECT_THAT(FieldsOf(Accumulator::Sequentially(Accumulator::Setting(1),
                                                 Accumulator::AddingRate(2))),
              ElementsAre("set", "add_rate"));
  EXPECT_THAT(FieldsOf(Accumulator::Concurrently(Accumulator::SettingRate(1),
                                                 Accumulator::SettingRate(2))),
              ElementsAre("conflict"));
  EXPECT_THAT(FieldsOf(Accumulator::Empty()), ElementsAre());
}

// Counters and pools.

TEST(CounterTest, AddsUp) {  // C4
  auto effect = Counter<>::Empty();
  for (const int number : {1, 2, 3, 4}) {
    effect = Counter<>::Concurrently(effect, Counter<>::Adding(number));
  }
  EXPECT_EQ(After(Counter<>(), effect).Value(), 10);
}

TEST(CounterTest, WrapsAround) {
  using Small = Counter<std::int8_t>;
  EXPECT_EQ(After(Small(127), Small::Adding(1)).Value(), -128);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(After(Counter<>(kMost), Counter<>::Adding(1)).Value(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Counter<>::Sequentially(Counter<>::Adding(kMost),
                                    Counter<>::Adding(kMost))
                .add,
            -2);
}

TEST(PoolTest, CountsWhatIsInUse) {
  const Pool pool = After(Pool(5, 1), Pool::Acquiring(3), Pool::Releasing(2));
  EXPECT_EQ(pool.Value(), 2);
  EXPECT_EQ(pool.available(), 3);
  EXPECT_EQ(pool.capacity(), 5);
  EXPECT_FALSE(pool.HasConflict());
}

TEST(PoolTest, IsInConflictWhileMoreIsInUseThanThereIs) {
  const Pool pool = After(
      Pool(5), Pool::Concurrently(Pool::Acquiring(3), Pool::Acquiring(4)));
  EXPECT_EQ(pool.Value(), 7);
  EXPECT_EQ(pool.available(), -2);
  EXPECT_TRUE(pool.HasConflict());
  EXPECT_FALSE(After(pool, Pool::Releasing(2)).HasConflict());
  EXPECT_TRUE(After(pool, Pool::Releasing(8)).HasConflict());
}

TEST(PoolTest, SaysByHowMuchItIsInConflict) {
  EXPECT_EQ(After(Pool(5), Pool::Acquiring(7)).ConflictText(),
            "7 of its 5 units are in use");
  EXPECT_EQ(After(Pool(5, 1), Pool::Releasing(2)).ConflictText(),
            "more of its 5 units are released than were in use");
}

TEST(PoolTest, RefusesNumbersThatAreNone) {
  EXPECT_EQ(MessageOf([] { Pool::Acquiring(-3); }),
            "cannot acquire -3 units of a pool: a number of units is not "
            "negative; use Acquiring and Releasing for the two directions");
  EXPECT_EQ(MessageOf([] { Pool pool(3, 4); }),
            "cannot make a pool of 3 units with 4 in use: what is in use lies "
            "between 0 and the capacity; give numbers that do");
  EXPECT_THROW(Pool(-1), Error);
  EXPECT_THROW(Pool::Releasing(-1), Error);
}

TEST(PoolTest, DescribesEffects) {
  EXPECT_THAT(FieldsOf(Pool::Acquiring(2)), ElementsAre("acquire"));
  EXPECT_THAT(FieldsOf(Pool::Releasing(2)), ElementsAre("release"));
}

// Curves.

TEST(PolynomialDynamicsTest, FollowsItsCurve) {
  // A stone thrown at 20 m/s from 1 m.
  PolynomialDynamics<2> height({1, 20, -4.905});
  height.Step(2s);
  EXPECT_NEAR(height.Value(), 1 + 40 - 19.62, 1e-14);
  EXPECT_EQ(height.Dynamics(), Polynomial({1, 20, -4.905}).Shifted(2s));
}

TEST(PolynomialDynamicsTest, SetsItsCurveFromNowOn) {
  LinearDynamics level({10, 1});
  level.Step(3s);
  level.Apply(LinearDynamics::Setting({2, 5}));
  EXPECT_EQ(level.Value(), 2);
  EXPECT_EQ(Later(level, 2s).Value(), 12);
}

TEST(PolynomialDynamicsTest, AddsACurveFromNowOn) {
  PolynomialDynamics<2> height({0, 0, 1});
  height.Step(3s);
  height.Apply(PolynomialDynamics<2>::Adding({1, 2}));
  EXPECT_EQ(height.Dynamics(), Polynomial({10, 8, 1}));
  EXPECT_EQ(Later(height, 2s).Value(), 30);
}

TEST(PolynomialDynamicsTest, KeepsItsCurveWhereSetsDiffer) {
  using C = LinearDynamics;
  const auto same = C::Concurrently(C::Setting({1, 2}), C::Setting({1, 2}));
  EXPECT_EQ(After(C({7}), same).Dynamics(), Polynomial({1, 2}));
  EXPECT_FALSE(After(C({7}), same).HasConflict());
  const auto other = C::Concurrently(C::Setting({1, 2}), C::Setting({1, 3}));
  EXPECT_EQ(After(C({7}), other).Dynamics(), Polynomial({7}));
  EXPECT_TRUE(After(C({7}), other).HasConflict());
  EXPECT_FALSE(After(C({7}), other, C::Setting({1})).HasConflict());
}

TEST(PolynomialDynamicsTest, RefusesCurvesThatItCannotFollow) {
  EXPECT_EQ(MessageOf([] {
              LinearDynamics::Setting({1, 2, 3});
            }),
            "cannot set 1 + 2 s + 3 s^2: it is of degree 2, the cell of 1 at "
            "most; use PolynomialDynamics<2>");
  EXPECT_EQ(MessageOf([] {
              LinearDynamics::Adding({1, kNaN});
            }),
            "cannot add a curve with the coefficient nan: it is not a finite "
            "number; find out where it came from");
}

TEST(PolynomialDynamicsTest, DescribesEffects) {
  Record record;
  LinearDynamics::Adding({1, 2}).Describe(record);
  ASSERT_EQ(record.fields().size(), 1);
  EXPECT_EQ(record.fields()[0].name, "add");
  EXPECT_EQ(std::get<std::string>(record.fields()[0].value), "1 + 2 s");
}

// Inputs.

TEST(StepsTest, ChangeAtTheirKeys) {  // E10
  Steps<int> input(0, {{2min, 5}, {5min, 10}, {6min, 15}});
  EXPECT_EQ(input.Value(), 0);
  EXPECT_EQ(input.Expiry(), 2min);
  EXPECT_EQ(Later(input, 2min - 1ns).Value(), 0);
  EXPECT_EQ(Later(input, 2min).Value(), 5);
  EXPECT_EQ(Later(input, 5min - 1ns).Value(), 5);
  EXPECT_EQ(Later(input, 5min).Value(), 10);
  EXPECT_EQ(Later(input, 6min).Value(), 15);
  EXPECT_EQ(Later(input, 6min).Expiry(), std::nullopt);
}

TEST(StepsTest, StartWithTheLastKeyOfThePast) {  // E10
  const Steps<int> input(0, {{-5min, 25}, {-2min, 5}, {5min, 10}, {6min, 15}});
  EXPECT_EQ(input.Value(), 5);
  EXPECT_EQ(input.Expiry(), 5min);
}

TEST(StepsTest, RefuseTimesThatDoNotRise) {
  EXPECT_EQ(MessageOf([] {
              Steps<int>(0, {{1s, 5}, {1s, 6}});
            }),
            "cannot make steps: key 2 at 1 s does not come after the one "
            "before, at 1 s; sort the keys by time, one for each time");
}

TEST(PiecewiseLinearTest, InterpolatesBetweenItsKeys) {  // E10
  const PiecewiseLinear input({{-50s, 0}, {50s, 10}, {60s, 30}, {90s, -30}});
  const std::vector<std::pair<Duration, double>> expected{{0s, 5},
                                                          {25s, 7.5},
                                                          {50s, 10},
                                                          {55s, 20},
                                                          {60s, 30},
                                                          {70s, 10},
                                                          {80s, -10},
                                                          {90s, -30},
                                                          {200s, -30}};
  for (const auto& [time, value] : expected) {
    EXPECT_EQ(Later(input, time).Value(), value) << time.count();
  }
  EXPECT_EQ(input.Expiry(), 50s);
  EXPECT_EQ(input.Dynamics(), Polynomial({5, 0.1}));
  EXPECT_EQ(Later(input, 95s).Expiry(), std::nullopt);
}

TEST(PiecewiseLinearTest, IsConstantBeforeItsFirstKey) {
  const PiecewiseLinear input({{10s, 3}, {20s, 5}});
  EXPECT_EQ(Later(input, 5s).Value(), 3);
  EXPECT_EQ(Later(input, 5s).Dynamics(), Polynomial({3}));
  EXPECT_EQ(Later(input, 5s).Expiry(), 5s);
}

TEST(PiecewiseLinearTest, RefusesWhatIsNoCurve) {
  EXPECT_EQ(
      MessageOf([] { PiecewiseLinear(std::vector<PiecewiseLinear::Key>()); }),
      "cannot make a piecewise linear input: there are no keys; give at "
      "least one, which is its value at all times");
  EXPECT_EQ(MessageOf([] {
              PiecewiseLinear({{0s, 1}, {1s, kNaN}});
            }),
            "cannot give a piecewise linear input the value nan: it is not a "
            "finite number; find out where it came from");
  EXPECT_THROW(PiecewiseLinear({{0s, -1e308}, {1ns, 1e308}}), Error);
  EXPECT_THROW(PiecewiseLinear({{1s, 1}, {0s, 2}}), Error);
}

}  // namespace

}  // namespace orrery::process
