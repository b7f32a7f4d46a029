// The cell type whose effects are functions (acceptance C5).

#include "orrery/process/cells/variable.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/process/cells/laws.h"
#include "orrery/process/model/model.h"
#include "orrery/process/simulator.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using Number = Variable<std::uint32_t>;

template <typename C = Number>
typename C::Effect Times(std::uint32_t factor) {
  return C::Changing("times " + std::to_string(factor),
                     [factor](auto x) { return factor * x; });
}

template <typename C = Number>
typename C::Effect Plus(std::uint32_t term) {
  return C::Changing("plus " + std::to_string(term),
                     [term](auto x) { return x + term; });
}

template <typename C = Number>
C AfterAtOnce(C state, const std::vector<typename C::Effect>& effects) {
  auto all = C::Empty();
  for (const auto& effect : effects) {
    all = C::Concurrently(std::move(all), effect);
  }
  state.Apply(all);
  return state;
}

TEST(VariableTest, FunctionsInSequenceFollowEachOther) {
  Number state(42);
  state.Apply(Number::Sequentially(Times(3), Plus(1)));
  EXPECT_EQ(state.Value(), 127U);
  state.Apply(Plus(1));
  state.Apply(Times(2));
  EXPECT_EQ(state.Value(), 256U);
}

TEST(VariableTest, ConcurrentFunctionsThatCommuteAreObeyed) {
  const Number state = AfterAtOnce(Number(42), {Times(3), Times(4)});
  EXPECT_EQ(state.Value(), 504U);
  EXPECT_FALSE(state.HasConflict());
}

TEST(VariableTest, ConcurrentFunctionsThatDoNotCommuteAreAConflict) {
  const Number state = AfterAtOnce(Number(42), {Times(3), Plus(1)});
  EXPECT_EQ(state.Value(), 42U);
  EXPECT_TRUE(state.HasConflict());
}

TEST(VariableTest, CommutingIsTriedOnTheValueAtHand) {
  const Number zero = AfterAtOnce(Number(0), {Times(3), Times(0)});
  EXPECT_FALSE(zero.HasConflict());
  const Number::Effect square =
      Number::Changing("square", [](auto x) { return x * x; });
  EXPECT_FALSE(AfterAtOnce(Number(0), {square, Times(3)}).HasConflict());
  EXPECT_TRUE(AfterAtOnce(Number(5), {square, Times(3)}).HasConflict());
}

TEST(VariableTest, ThreeThatCommuteInPairsOnTheValueMayConflictBeyondIt) {
  // Each two commute at 0; but after two have acted, the last one matters.
  const auto from_two = [](const char* name, std::uint32_t then) {
    return Number::Changing(name, [then](std::uint32_t x) -> std::uint32_t {
      return x < 2 ? x + 1 : then;
    });
  };
  const Number::Effect a = from_two("a", 10);
  const Number::Effect b = from_two("b", 10);
  const Number::Effect c = from_two("c", 11);
  EXPECT_EQ(AfterAtOnce(Number(0), {a, c}).Value(), 2U);
  EXPECT_FALSE(AfterAtOnce(Number(0), {a, c}).HasConflict());
  EXPECT_TRUE(AfterAtOnce(Number(0), {a, b, c}).HasConflict());
  // The reverse order does not show it: only one with another last function.
  EXPECT_TRUE(AfterAtOnce(Number(0), {a, c, b}).HasConflict());
}

TEST(VariableTest, ManyAreTriedInPairsAndInReverse) {
  const std::vector<Number::Effect> same(1000, Plus(3));
  EXPECT_EQ(AfterAtOnce(Number(0), same).Value(), 3000U);
  std::vector<Number::Effect> mixed(20, Plus(3));
  mixed.insert(mixed.begin() + 10, Times(2));
  const Number state = AfterAtOnce(Number(1), mixed);
  EXPECT_TRUE(state.HasConflict());
  EXPECT_EQ(state.Value(), 1U);
  std::vector<Number::Effect> late(20, Times(1));
  late.insert(late.begin(), Number::Changing("below 2", [](std::uint32_t x) {
                return x < 2 ? x + 1 : 7;
              }));
  late.insert(late.begin() + 5, late.front());
  late.push_back(Number::Changing(
      "below 2, else 8", [](std::uint32_t x) { return x < 2 ? x + 1 : 8; }));
  EXPECT_TRUE(AfterAtOnce(Number(0), late).HasConflict());
}

TEST(VariableTest, WhatStandsSideBySideStaysWhereItIsWhenMoreComes) {
  using Beside = Number::Effect::Beside;
  const auto first_of = [](const Number::Effect& effect) {
    return &std::get<Beside>(effect.steps.front()).effects.front();
  };
  Number::Effect after = Number::Concurrently(Plus(1), Plus(2));
  const Number::Effect* const first = first_of(after);
  for (int i = 0; i < 1000; ++i) {
    after = Number::Concurrently(std::move(after), Plus(3));
  }
  EXPECT_EQ(first_of(after), first);
  Number::Effect before = Number::Concurrently(Plus(1), Plus(2));
  const Number::Effect* const last =
      &std::get<Beside>(before.steps.front()).effects.back();
  for (int i = 0; i < 1000; ++i) {
    before = Number::Concurrently(Plus(3), std::move(before));
  }
  EXPECT_EQ(&std::get<Beside>(before.steps.front()).effects.back(), last);
}

TEST(VariableTest, ConflictStaysUntilItIsSet) {
  Number state = AfterAtOnce(Number(42), {Times(3), Plus(1)});
  state.Apply(Plus(1));
  EXPECT_EQ(state.Value(), 43U);
  EXPECT_TRUE(state.HasConflict());
  state.Apply(Number::Setting(7));
  EXPECT_EQ(state.Value(), 7U);
  EXPECT_FALSE(state.HasConflict());
}

TEST(VariableTest, SetsAgreeAsThoseOfARegister) {
  EXPECT_EQ(
      AfterAtOnce(Number(1), {Number::Setting(5), Number::Setting(5)}).Value(),
      5U);
  const Number state =
      AfterAtOnce(Number(1), {Number::Setting(5), Number::Setting(6)});
  EXPECT_EQ(state.Value(), 1U);
  EXPECT_TRUE(state.HasConflict());
}

TEST(VariableTest, ConflictOfABranchIsOneOfTheWhole) {
  const auto inner = Number::Concurrently(Times(3), Plus(1));
  const auto branch = Number::Sequentially(Times(2), inner);
  const Number state = AfterAtOnce(Number(42), {branch, Times(5)});
  EXPECT_EQ(state.Value(), 420U);  // 42, twice, and five times.
  EXPECT_TRUE(state.HasConflict());
}

TEST(VariableTest, DeclaredAsConflictingTheyAlwaysDo) {
  using Never = Variable<std::uint32_t, Concurrency::kConflicting>;
  Never state(42);
  state.Apply(Times<Never>(3));
  EXPECT_EQ(state.Value(), 126U);
  EXPECT_FALSE(state.HasConflict());
  state = AfterAtOnce(Never(42), {Times<Never>(3), Times<Never>(4)});
  EXPECT_EQ(state.Value(), 42U);
  EXPECT_TRUE(state.HasConflict());
}

TEST(VariableTest, DeclaredAsCommutingTheyAreNotTried) {
  using Always = Variable<std::uint32_t, Concurrency::kCommuting>;
  int calls = 0;
  const auto counted = Always::Changing("counted", [&calls](std::uint32_t x) {
    ++calls;
    return x;
  });
  const Always state =
      AfterAtOnce(Always(42), {Times<Always>(3), counted, Plus<Always>(1)});
  EXPECT_TRUE(state.Value() == 127U || state.Value() == 129U);
  EXPECT_FALSE(state.HasConflict());
  EXPECT_EQ(calls, 1);
}

TEST(VariableTest, RealNumbersMayCommuteToRounding) {
  using Exact = Variable<double>;
  using Rounded = Variable<double, Concurrency::kChecked, EqualToRounding>;
  const auto plus = [](double term) {
    return [term](double x) {
      return x + term;
    };
  };
  const Exact exact = AfterAtOnce(Exact(0),
                                  {Exact::Changing("a", plus(0.1)),
                                   Exact::Changing("b", plus(0.2)),
                                   Exact::Changing("c", plus(0.3))});
  EXPECT_TRUE(exact.HasConflict());
  // The same bits in any order: the least of the rounded results.
  std::vector<Rounded::Effect> terms = {Rounded::Changing("a", plus(0.1)),
                                        Rounded::Changing("b", plus(0.2)),
                                        Rounded::Changing("c", plus(0.3))};
  for (int i = 0; i < 3; ++i) {
    std::rotate(terms.begin(), terms.begin() + 1, terms.end());
    const Rounded rounded = AfterAtOnce(Rounded(0), terms);
    EXPECT_EQ(rounded.Value(), 0.6);
    EXPECT_FALSE(rounded.HasConflict());
  }
  const Rounded other = AfterAtOnce(
      Rounded(1), {Rounded::Changing("a", plus(0.1)), Rounded::Setting(2)});
  EXPECT_TRUE(other.HasConflict());
}

TEST(VariableTest, EffectsAreDescribed) {
  Record one;
  Times(3).Describe(one);
  ASSERT_EQ(one.fields().size(), 1U);
  EXPECT_EQ(one.fields()[0].name, "change");
  EXPECT_EQ(one.fields()[0].value, Record::Value(std::string("times 3")));
  Record several;
  Number::Sequentially(Number::Concurrently(Times(3), Plus(1)),
                       Number::Setting(2))
      .Describe(several);
  ASSERT_EQ(several.fields().size(), 2U);
  EXPECT_EQ(several.fields()[0].value, Record::Value(std::string("beside")));
  EXPECT_EQ(several.fields()[1].name, "change.2");
  EXPECT_EQ(several.fields()[1].value, Record::Value(std::string("set")));
}

struct Shop : Model {
  Cell<Variable<int>> price{this, "price", 42};
  Cell<Variable<std::string>> sign{this, "sign", "open"};
  std::vector<int> seen;

  Task<> Multiply(int factor) {
    price.Change("times", [factor](int x) { return factor * x; });
    seen.push_back(price.Get());
    co_return;
  }

  Task<> Raise() {
    price.Change("raise", [](int x) { return x + 1; });
    co_return;
  }

  Task<> Day() {
    Spawn(Multiply(3));
    Spawn(Multiply(4));
    co_await Delay(1s);
    Spawn(Multiply(3));
    Spawn(Raise());
    co_await Delay(1s);
    price.Set(7);
    sign.Change("shout", [](const std::string& x) { return x + "!"; });
    co_await Until(price == 7.0);
    seen.push_back(price.Get());
  }

  void Start() override { Spawn(Day()); }
};

TEST(VariableTest, TasksChangeItAndARunWarnsOfConflicts) {
  Shop shop;
  Simulator run(shop);
  run.RunUntil(500ms);
  EXPECT_EQ(run.Get(shop.price), 504);
  EXPECT_TRUE(run.warnings().empty());
  run.RunUntil(1500ms);
  EXPECT_EQ(run.Get(shop.price), 504);
  EXPECT_THAT(run.warnings(),
              ElementsAre("'price' at 1 s: tasks that did not see each other "
                          "contradict each other"));
  run.RunUntil(3s);
  EXPECT_EQ(run.Get(shop.sign), "open!");
  EXPECT_THAT(shop.seen, ElementsAre(126, 168, 1512, 7));
}

int Below(int end) {
  return *rc::gen::inRange(0, end);
}

// Functions on 0 to 4, most of which commute with some others.
Number::Effect AnyFunction() {
  const auto number = static_cast<std::uint32_t>(Below(5));
  const auto modulo = [number](const char* name, auto function) {
    return Number::Changing(
        name, [number, function](auto x) { return function(x, number) % 5; });
  };
  switch (Below(7)) {
    case 0:
      return Number::Setting(number);
    case 4:
    case 5:  // Each two commute on 0.
      return modulo("late", [](auto x, auto n) { return x < 2 ? x + 1 : n; });
    case 1:
      return modulo("power", [](auto x, auto /*n*/) { return x * x; });
    case 2:
      return modulo("least", [](auto x, auto n) { return std::min(x, n); });
    case 3:
      return modulo("times", std::multiplies<>());
    default:
      return modulo("plus", std::plus<>());
  }
}

// At most two functions: of three such, all orders are tried.
Number::Effect AnyEffect() {
  switch (Below(4)) {
    case 0:
      return Number::Sequentially(AnyFunction(), AnyFunction());
    case 1:
      return Number::Concurrently(AnyFunction(), AnyFunction());
    default:
      return AnyFunction();
  }
}

RC_GTEST_PROP(VariableTest, LawsHold, ()) {
  std::vector<Number> states;
  for (std::uint32_t i = 0; i < 5; ++i) {
    states.emplace_back(i);
  }
  states.push_back(AfterAtOnce(Number(1), {Times(3), Plus(1)}));
  std::vector<Number::Effect> effects;
  for (int i = 0; i < 6; ++i) {
    effects.push_back(AnyEffect());
  }
  for (const BrokenLaw& broken : CheckLaws<Number>(states, effects, {})) {
    RC_FAIL(broken.text);
  }
}

// Without checks, the law that the order is not seen is broken.
TEST(VariableTest, LawCheckFindsFunctionsThatOnlyClaimToCommute) {
  using Always = Variable<std::uint32_t, Concurrency::kCommuting>;
  const std::vector<Always> states = {Always(42)};
  const std::vector<Always::Effect> effects = {Times<Always>(3),
                                               Plus<Always>(1)};
  const auto broken = CheckLaws<Always>(states, effects, {});
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken.front().text,
            "L3: a | b is not b | a, with a = effect 0 {change: \"times 3\"}, "
            "b = effect 1 {change: \"plus 1\"}, on state 0 {value: 42}");
}

}  // namespace
}  // namespace orrery::process
