#include "orrery/sim/crossings/crossing_search.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/sim/types/polynomial_bounds.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery::sim::internal {
namespace {

// Relations between formulas over time and states x[0], x[1], ..., and the
// search for their changes.
class Watch {
 public:
  explicit Watch(int states) : states_(states) {
    for (int i = 0; i < states; ++i) {
      x.push_back(graph.Symbol({"x", ValueType::kReal, {}}));
    }
  }

  void Add(Expr left, Expr right, bool is_strict = true) {
    relations_.push_back(
        {.left = left, .right = right, .is_strict = is_strict});
    truths.push_back(0);
  }

  // left <= right, true now, that re-arms when it becomes false.
  void AddRearming(Expr left, Expr right) {
    Add(left, right, false);
    relations_.back().rearms = true;
    truths.back() = 1;
  }

  CrossingSearch& Search() {
    std::vector<TapeAssignment> assignments;
    WatchList list;
    for (const Relation& relation : relations_) {
      list.relations.push_back({Target(relation.left, assignments),
                                Target(relation.right, assignments),
                                relation.is_strict});
      if (relation.rearms) {
        list.relations.back().rearming = {.truth_slot = 0, .truth = false};
      }
    }
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < graph.num_symbols(); ++i) {
      slots.push_back(i);
    }
    TapeBuilder builder(graph, slots, slots.size());
    builder.AddSection(assignments);
    tape_ = std::make_unique<Tape>(std::move(builder).Finish());
    runner_ = std::make_unique<SectionRunner>(
        *tape_, nullptr, CodeChoice::kInterpreted);
    list.runner = runner_.get();
    list.sections = {0};
    for (int i = 0; i < states_; ++i) {
      list.state_slots.push_back(static_cast<std::uint32_t>(i + 1));
    }
    memory_ = tape_->NewMemory();
    search_ = std::make_unique<CrossingSearch>(list);
    search_->LetRearm(true);
    return *search_;
  }

  double First(const DenseOutput& dense) {
    const double begin = dense.t_begin();
    return search_->First(dense, begin, begin + dense.h(), truths, memory_);
  }

  // All changes in a step; after each, the relation is held anew.
  std::vector<double> All(const DenseOutput& dense) {
    if (!search_) {
      Search();
    }
    std::vector<double> times;
    double begin = dense.t_begin();
    const double end = begin + dense.h();
    while (begin < end && times.size() < 100) {
      begin = search_->First(dense, begin, end, truths, memory_);
      if (begin == kNever) {
        break;
      }
      times.push_back(begin);
      for (std::size_t k = 0; k < truths.size(); ++k) {
        truths[k] = HoldsAt(k, dense, begin) ? 1 : 0;
      }
    }
    return times;
  }

  ExprGraph graph;
  Expr time = graph.Symbol({"time", ValueType::kReal, {}});
  std::vector<Expr> x;
  std::vector<std::uint8_t> truths;

 private:
  struct Relation {
    Expr left;
    Expr right;
    bool is_strict;
    bool rearms = false;
  };

  std::uint32_t Target(Expr value, std::vector<TapeAssignment>& assignments) {
    const Expr target = graph.Symbol({"operand", ValueType::kReal, {}});
    assignments.push_back({target, value, {}});
    return graph.SymbolOrdinal(target);
  }

  bool HoldsAt(std::size_t k, const DenseOutput& dense, double t) {
    memory_[0] = t;
    for (int i = 0; i < states_; ++i) {
      memory_[static_cast<std::size_t>(i) + 1] = dense.Evaluate(i, t);
    }
    tape_->Run(0, memory_.data());
    const auto first = static_cast<std::size_t>(states_) + 1 + 2 * k;
    return relations_[k].is_strict ? memory_[first] < memory_[first + 1]
                                   : memory_[first] <= memory_[first + 1];
  }

  int states_;
  std::vector<Relation> relations_;
  std::unique_ptr<Tape> tape_;
  std::unique_ptr<SectionRunner> runner_;
  std::unique_ptr<CrossingSearch> search_;
  std::vector<double> memory_;
};

// One state that is the polynomial sum_k c[k] theta^k over a step.
DenseOutput Polynomial(double begin, double h, std::vector<double> c) {
  DenseOutput dense;
  dense.Reset(1, static_cast<int>(c.size()) - 1, begin, h);
  for (std::size_t k = 0; k < c.size(); ++k) {
    dense.coefficients(static_cast<int>(k))[0] = c[k];
  }
  return dense;
}

// The state is the time.
DenseOutput Straight(double begin, double h) {
  return Polynomial(begin, h, {begin, h});
}

// scipy issue 9228: y' = 3 x^2 + 12 x - 4, y(-8) = -120, in one step.
TEST(CrossingSearchTest, FindsThreeCrossingsInOneStep) {
  Watch watch(1);
  watch.Add(watch.graph.Constant(0), watch.x[0]);
  // (x + 6)(x + 2)(x - 2) with x = -8 + 12 theta.
  const auto times = watch.All(Polynomial(-8, 12, {-120, 1104, -2592, 1728}));
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[0], -6, 1e-14);
  EXPECT_NEAR(times[1], -2, 1e-14);
  EXPECT_NEAR(times[2], 2, 1e-14);
}

RC_GTEST_PROP(CrossingSearchTest, MissesNoDipHoweverShort, ()) {
  const double width = std::pow(10.0, -*rc::gen::inRange(10, 90) / 10.0);
  const double centre = *rc::gen::inRange(1, 10000) / 10001.0;
  RC_PRE(centre - width / 2 > 0 && centre + width / 2 < 1);
  Watch watch(1);
  const Expr away = watch.x[0] - centre;
  const std::vector<Expr> dips = {
      away * away - width * width / 4,
      abs(away) - width / 2,
      std::cos(width / 2) - cos(away),
      exp(away * away) - std::exp(width * width / 4),
  };
  const auto index = *rc::gen::inRange<std::size_t>(0, dips.size());
  watch.Add(dips[index], watch.graph.Constant(0));
  const auto times = watch.All(Straight(0, 1));
  // The precision of the formula, with its cancellation.
  const double rounding = index >= 2 ? 1e-15 / width : 1e-15;
  if (rounding < width / 10) {
    RC_ASSERT(times.size() == 2U);
    RC_ASSERT(std::abs(times[0] - (centre - width / 2)) <= rounding);
    RC_ASSERT(std::abs(times[1] - (centre + width / 2)) <= rounding);
  }
}

TEST(CrossingSearchTest, TellsWhatOnlyTouchesFromWhatCrosses) {
  Watch watch(1);
  const Expr away = watch.x[0] - 0.3;
  watch.Add(away * away, watch.graph.Constant(0));  // Never below zero.
  watch.Add(away * away + 1e-9, watch.graph.Constant(0), false);
  EXPECT_TRUE(watch.All(Straight(0, 1)).empty());
}

TEST(CrossingSearchTest, OfSeveralRelationsTheFirstCounts) {
  Watch watch(1);
  watch.Add(watch.graph.Constant(0.7), watch.x[0]);
  watch.Add(watch.graph.Constant(0.2), watch.x[0]);
  watch.Add(watch.graph.Constant(0.2 + 1e-8), watch.x[0]);
  const auto times = watch.All(Straight(0, 1));
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[0], 0.2, 1e-15);
  EXPECT_NEAR(times[1], 0.2 + 1e-8, 1e-15);
  EXPECT_NEAR(times[2], 0.7, 5e-16);
}

TEST(CrossingSearchTest, AStateAtRestOnItsThresholdCostsOneLook) {
  Watch watch(1);
  watch.Add(watch.graph.Constant(1.1) - watch.x[0], watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  EXPECT_TRUE(watch.All(Polynomial(0, 1, {1.1, 1e-17, -1e-17, 0})).empty());
  EXPECT_LE(search.evaluations(), 3);
}

TEST(CrossingSearchTest, AStepFarFromAnyChangeCostsOneLook) {
  Watch watch(1);
  watch.Add(sin(watch.x[0]), watch.graph.Constant(-1.5));
  CrossingSearch& search = watch.Search();
  EXPECT_TRUE(watch.All(Polynomial(0, 1, {0, 3, 8, -5})).empty());
  EXPECT_EQ(search.evaluations(), 1);
}

// Near 0 the first operands are too close to each other for their bounds to
// tell them apart, and cos(5 t), computed, is 1, though it falls.
TEST(CrossingSearchTest, WhatIsUndecidedLetsNothingElseChangeByRounding) {
  Watch watch(1);
  const Expr& t = watch.x[0];
  watch.Add(atan(t * t), t * t - t * t * t);
  watch.Add(watch.graph.Constant(1), cos(t * 5), false);
  CrossingSearch& search = watch.Search();
  EXPECT_EQ(watch.All(Straight(1e-10, 0.01)), std::vector<double>());
  // One search: 4000 parts are judged, in half of them, the smallest, the end
  // is looked at.
  EXPECT_LT(search.evaluations(), 6100);
}

// The bounds are as wide in the next step, which looks like this one.
TEST(CrossingSearchTest, AfterASearchByBoundsInVainTheNextTriesFewerParts) {
  Watch watch(1);
  const Expr& t = watch.x[0];
  watch.Add(atan(t * t), t * t - t * t * t);
  CrossingSearch& search = watch.Search();
  const auto cost = [&] {
    const std::int64_t before = search.evaluations();
    EXPECT_TRUE(watch.All(Straight(1e-10, 0.01)).empty());
    return search.evaluations() - before;
  };
  const std::int64_t first = cost();
  const std::int64_t second = cost();
  EXPECT_GT(first, 4000);
  EXPECT_LT(second, 0.6 * static_cast<double>(first));
  for (int i = 0; i < 10; ++i) {
    static_cast<void>(cost());
  }
  EXPECT_LT(cost(), 50);
}

TEST(CrossingSearchTest, FollowsTimeAsWell) {
  Watch watch(1);
  watch.Add(watch.graph.Constant(0.999), sin(watch.time * 2));
  const auto times = watch.All(Straight(0, 2));
  const double half = std::acos(0.999) / 2;
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], std::numbers::pi / 4 - half, 1e-14);
  EXPECT_NEAR(times[1], std::numbers::pi / 4 + half, 1e-14);
}

TEST(CrossingSearchTest, FindsShortPeaksOfWhatHasNoFiniteBoundsOverTheStep) {
  Watch bell(1);
  const Expr away = bell.x[0] - 0.3;
  bell.Add(bell.graph.Constant(0.5), exp(away * away * -1e8));
  auto times = bell.All(Straight(0, 1));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.3 - std::sqrt(std::numbers::ln2 * 1e-8), 1e-15);
  EXPECT_NEAR(times[1], 0.3 + std::sqrt(std::numbers::ln2 * 1e-8), 1e-15);

  Watch quotient(1);
  const Expr far = quotient.x[0] - 0.3;
  quotient.Add(quotient.graph.Constant(0.5), 1 / (far * far * 1e8 + 1));
  times = quotient.All(Straight(0, 1));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.2999, 1e-15);
  EXPECT_NEAR(times[1], 0.3001, 1e-15);
}

TEST(CrossingSearchTest, SamplesWhatCannotBeBounded) {
  Watch watch(1);
  const auto dip = std::make_shared<OpaqueFunction>(OpaqueFunction{
      .name = "dip",
      .num_inputs = 1,
      .num_outputs = 1,
      .evaluate = [](std::span<const double> in, std::span<double> out) {
        out[0] = std::pow(in[0] - 0.4321, 2) - 1e-4;
      }});
  const std::array arguments = {watch.x[0]};
  watch.Add(watch.graph.Output(watch.graph.Opaque(dip, arguments), 0),
            watch.graph.Constant(0));
  const auto times = watch.All(Straight(0, 1));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.4221, 1e-13);
  EXPECT_NEAR(times[1], 0.4421, 1e-13);
}

// An opaque function of one argument.
Expr Opaque(Watch& watch, const std::function<double(double)>& f) {
  const auto function = std::make_shared<OpaqueFunction>(OpaqueFunction{
      .name = "f",
      .num_inputs = 1,
      .num_outputs = 1,
      .evaluate = [f](std::span<const double> in, std::span<double> out) {
        out[0] = f(in[0]);
      }});
  const std::array arguments = {watch.x[0]};
  return watch.graph.Output(watch.graph.Opaque(function, arguments), 0);
}

TEST(CrossingSearchTest, WhatIsSampledFarFromAChangeIsSampledLess) {
  Watch watch(1);
  watch.Add(Opaque(watch, [](double x) { return 100 + std::sin(x); }),
            watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  EXPECT_TRUE(watch.All(Straight(0, 1)).empty());
  const std::int64_t first = search.evaluations();
  EXPECT_TRUE(watch.All(Straight(1, 1)).empty());
  EXPECT_EQ(search.evaluations() - first, first - 12);  // 5 samples, not 17.
}

TEST(CrossingSearchTest, WhatComesWithinReachIsSampledAsDenselyAsEver) {
  Watch watch(1);
  watch.Add(Opaque(watch,
                   [](double x) {
                     return x < 1 ? 100 : std::pow(x - 1.4321, 2) - 1e-4;
                   }),
            watch.graph.Constant(0));
  watch.Search();
  EXPECT_TRUE(watch.All(Straight(0, 0.5)).empty());
  EXPECT_TRUE(watch.All(Straight(0.5, 0.25)).empty());
  const auto times = watch.All(Straight(1, 1));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 1.4221, 1e-13);
  EXPECT_NEAR(times[1], 1.4421, 1e-13);
}

TEST(CrossingSearchTest, WhatIsSampledAndHasNoTopCostsTheSameHoweverOften) {
  const auto fall = std::make_shared<OpaqueFunction>(OpaqueFunction{
      .name = "fall",
      .num_inputs = 1,
      .num_outputs = 1,
      .evaluate = [](std::span<const double> in, std::span<double> out) {
        out[0] = -in[0];
      }});
  const auto evaluations = [&](int relations) {
    Watch watch(1);
    const std::array arguments = {watch.x[0]};
    const Expr falling =
        watch.graph.Output(watch.graph.Opaque(fall, arguments), 0);
    for (int k = 1; k <= relations; ++k) {
      watch.Add(watch.graph.Constant(k), falling);
    }
    CrossingSearch& search = watch.Search();
    EXPECT_TRUE(watch.All(Straight(0, 1)).empty());
    return search.evaluations();
  };
  EXPECT_EQ(evaluations(1), evaluations(5));
}

// h = 1 - g t^2 / 2 and its mirror image, one relation a ball.
TEST(CrossingSearchTest, EqualBallsLandTogether) {
  Watch watch(1);
  watch.Add(watch.x[0], watch.graph.Constant(0), false);
  watch.Add(watch.x[0] * 2, watch.graph.Constant(0), false);
  const auto times = watch.All(Polynomial(0, 0.5, {1, 0, -9.81 * 0.125}));
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], std::sqrt(2 / 9.81), 1e-15);
}

TEST(CrossingSearchTest, ARelationBetweenStatesFarFromAChangeCostsNoLook) {
  Watch watch(1);
  watch.Add(watch.x[0], watch.graph.Constant(-10));
  CrossingSearch& search = watch.Search();
  EXPECT_TRUE(watch.All(Polynomial(0, 1, {0, 3, -8, 5})).empty());
  EXPECT_EQ(search.evaluations(), 0);
}

TEST(CrossingSearchTest, ASumFarFromAChangeCostsNoLook) {
  Watch watch(1);
  watch.Add(watch.x[0] + 10, watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  EXPECT_TRUE(watch.All(Straight(0, 100)).empty());
  EXPECT_EQ(search.evaluations(), 0);
}

TEST(CrossingSearchTest, ADifferenceChangesWhereItsFormulaDoes) {
  Watch watch(2);
  watch.Add(watch.graph.Constant(0), watch.x[0] - watch.x[1]);
  DenseOutput dense;
  dense.Reset(2, 3, 1, 0.3);
  std::ranges::copy(std::array{0.1, 1e3}, dense.coefficients(0).begin());
  std::ranges::copy(std::array{1.7e3, 0.3}, dense.coefficients(1).begin());
  std::ranges::copy(std::array{0.3, -0.7}, dense.coefficients(3).begin());
  const auto difference = [&](double t) {
    return dense.Evaluate(0, t) - dense.Evaluate(1, t);
  };
  const auto times = watch.All(dense);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_GT(difference(times[0]), 0);
  EXPECT_LE(difference(std::nextafter(times[0], 0)), 0);
  EXPECT_NEAR(times[0], 1 + 0.3 / 1.7, 1e-3);
}

// It was on the ground when the step began, and the step goes on beneath.
TEST(CrossingSearchTest, AFlightCostsOneLookAndTheRestOfTheStepAnother) {
  Watch watch(1);
  watch.Add(watch.x[0], watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  const auto times = watch.All(Polynomial(0, 2, {-0.0, 4, -6, 1e-17, -1e-17}));
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 4.0 / 3, 1e-15);
  EXPECT_EQ(search.evaluations(), 2);
}

// An event has left it just below its threshold, from where it rises.
TEST(CrossingSearchTest, WhatCrossesAtOnceIsFoundWithoutALook) {
  Watch watch(1);
  watch.Add(watch.graph.Constant(0), watch.x[0]);
  CrossingSearch& search = watch.Search();
  const DenseOutput dense = Polynomial(1000, 2, {-1e-13, 8, -20});
  const auto times = watch.All(dense);
  ASSERT_FALSE(times.empty());
  EXPECT_EQ(times[0], std::nextafter(1000, 1001));
  // One search for its fall, and one for the rest of the step.
  EXPECT_EQ(search.evaluations(), 2);
}

// An event has left it just below the ground; it falls on it again at 1001.
DenseOutput Flight() {
  return Polynomial(1000, 2, {-1e-13, 4, -8});
}

TEST(CrossingSearchTest, ARelationThatReArmsIsFoundWhereItChangesBack) {
  Watch watch(1);
  watch.AddRearming(watch.x[0], watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  const auto times = watch.All(Flight());
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 1001, 1e-12);
  EXPECT_EQ(search.evaluations(), 2);  // As above.
}

TEST(CrossingSearchTest, AFormulaThatReArmsIsFoundWhereItChangesBack) {
  Watch watch(1);
  watch.AddRearming(2 * watch.x[0] - 0.25, watch.graph.Constant(0));
  const auto times = watch.All(Flight());
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 1000.5 + std::sqrt(0.1875), 1e-12);
}

// Two balls on the ground: the second one flies only after the first has
// landed.
TEST(CrossingSearchTest, WhatReArmsAfterAChangeHasNotYet) {
  Watch watch(2);
  watch.AddRearming(watch.x[0], watch.graph.Constant(0));
  watch.AddRearming(watch.x[1], watch.graph.Constant(0));
  CrossingSearch& search = watch.Search();
  DenseOutput dense;
  dense.Reset(2, 2, 0, 2);
  std::ranges::copy(std::array{-1e-17, -1.5}, dense.coefficients(0).begin());
  std::ranges::copy(std::array{4, 1}, dense.coefficients(1).begin());
  std::ranges::copy(std::array{-8, 1}, dense.coefficients(2).begin());
  const double t = watch.First(dense);
  EXPECT_NEAR(t, 1, 1e-15);
  EXPECT_EQ(watch.truths, std::vector<std::uint8_t>({0, 1}));
  ASSERT_EQ(search.rearmed().size(), 1U);
  EXPECT_EQ(search.rearmed()[0].relation, 0U);
}

// Polynomials of states give the changes that bounds of formulas give.
RC_GTEST_PROP(CrossingSearchTest, StatesChangeWhereTheirDifferenceDoes, ()) {
  DenseOutput dense;
  dense.Reset(2, 4, 1, 0.25);
  for (int k = 0; k <= 4; ++k) {
    for (double& c : dense.coefficients(k)) {
      c = *rc::gen::inRange(-100, 101) / 10.0;
    }
  }
  dense.coefficients(0)[0] += 0.00137;  // No two only touch.
  Watch direct(2);
  direct.Add(direct.x[0], direct.x[1]);
  Watch formula(2);
  formula.Add(formula.x[0] * 2, formula.x[1] * 2);
  const bool holds = dense.Evaluate(0, 1) < dense.Evaluate(1, 1);
  direct.truths[0] = formula.truths[0] = holds ? 1 : 0;
  const auto times = direct.All(dense);
  const auto expected = formula.All(dense);
  RC_ASSERT(times.size() == expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    RC_ASSERT(std::abs(times[i] - expected[i]) < 1e-12);
  }
}

RC_GTEST_PROP(CrossingSearchTest,
              APolynomialStaysBetweenItsBernsteinCoefficients,
              ()) {
  const auto share = [] {
    return *rc::gen::inRange(0, 101) / 100.0;
  };
  const auto c = *rc::gen::container<std::vector<double>>(
      *rc::gen::inRange<std::size_t>(2, 10),
      rc::gen::map(rc::gen::inRange(-1000, 1001),
                   [](int n) { return n / 100.0; }));
  const auto value_at = [&](double theta) {
    double value = 0;
    for (std::size_t k = c.size(); k-- > 0;) {
      value = value * theta + c[k];
    }
    return value;
  };
  const double begin = share();
  const double end = begin + (1 - begin) * share();
  std::vector<double> b = c;
  ToBernstein(b, begin, end);
  const double value = value_at(begin + (end - begin) * share());
  RC_ASSERT(std::abs(b.front() - value_at(begin)) < 1e-12);
  RC_ASSERT(std::abs(b.back() - value_at(end)) < 1e-12);
  RC_ASSERT(*std::ranges::min_element(b) - 1e-12 < value);
  RC_ASSERT(value < *std::ranges::max_element(b) + 1e-12);
}

RC_GTEST_PROP(CrossingSearchTest, APolynomialStaysInItsBounds, ()) {
  std::vector<double> c;
  const int degree = *rc::gen::inRange(1, 9);
  for (int k = 0; k <= degree; ++k) {
    c.push_back(*rc::gen::inRange(-1000, 1001) / 100.0);
  }
  const DenseOutput dense = Polynomial(2, 0.5, c);
  const double a = 2 + 0.5 * *rc::gen::inRange(0, 101) / 100.0;
  const double b = 2 + 0.5 * *rc::gen::inRange(0, 101) / 100.0;
  RC_PRE(a < b);
  const Bounds bounds = BoundState(dense, 0, a, b);
  const double s = a + (b - a) * *rc::gen::inRange(0, 101) / 100.0;
  const double value = dense.Evaluate(0, s);
  RC_ASSERT(bounds.value.lower - 1e-12 <= value);
  RC_ASSERT(value <= bounds.value.upper + 1e-12);
  const double quotient =
      (dense.Evaluate(0, b) - dense.Evaluate(0, a)) / (b - a);
  RC_ASSERT(bounds.slope.lower - 1e-9 <= quotient);
  RC_ASSERT(quotient <= bounds.slope.upper + 1e-9);
}

}  // namespace
}  // namespace orrery::sim::internal
