// The laws of all cell types of the library on random samples: 216 triples of
// effects on 3 states and on these after each of 2 durations, 100 times each.

#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/process/cells/accumulator.h"
#include "orrery/process/cells/counter.h"
#include "orrery/process/cells/laws.h"
#include "orrery/process/cells/log.h"
#include "orrery/process/cells/map.h"
#include "orrery/process/cells/piecewise_linear.h"
#include "orrery/process/cells/polynomial_dynamics.h"
#include "orrery/process/cells/pool.h"
#include "orrery/process/cells/queue.h"
#include "orrery/process/cells/register.h"
#include "orrery/process/cells/set.h"
#include "orrery/process/cells/steps.h"

namespace orrery::process {

namespace {

using namespace std::chrono_literals;

int NumberBelow(int end) {
  return *rc::gen::inRange(0, end);
}

// Multiples of 1/8: with durations of eighths of seconds, lines are exact.
double Eighth() {
  return (NumberBelow(161) - 80) / 8.0;
}

// Numbers of all magnitudes; hardly any sum of two of them is exact.
double MagnitudeOf() {
  return std::ldexp(*rc::gen::inRange(-1'000'000, 1'000'001),
                    *rc::gen::inRange(-90, 91));
}

struct Eighths {
  static double Number() { return Eighth(); }

  static Duration Time() { return (1 + NumberBelow(80)) * 125ms; }
};

struct AllSizes {
  static double Number() {
    return NumberBelow(4) == 0 ? Eighth() : MagnitudeOf();
  }

  static Duration Time() {
    return Duration(*rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000));
  }
};

// The samples of a type: a first state and the effects that users emit.
template <typename C, typename Numbers>
struct Sampler;

template <typename Numbers>
struct Sampler<Register<int>, Numbers> {
  static Register<int> State() { return Register<int>(NumberBelow(3)); }

  static auto Effect() { return Register<int>::Setting(NumberBelow(3)); }
};

template <typename T, typename Numbers>
struct Sampler<Counter<T>, Numbers> {
  static Counter<T> State() { return Counter<T>(*rc::gen::arbitrary<T>()); }

  static auto Effect() { return Counter<T>::Adding(*rc::gen::arbitrary<T>()); }
};

template <typename Numbers>
struct Sampler<Accumulator, Numbers> {
  static Accumulator State() {
    return Accumulator(Numbers::Number(), Numbers::Number());
  }

  static Accumulator::Effect Effect() {
    const double number = Numbers::Number();
    switch (NumberBelow(6)) {
      case 0:
        return Accumulator::Setting(number);
      case 1:
        return Accumulator::SettingRate(number);
      case 2:
      case 3:
        return Accumulator::AddingRate(number);
      default:
        return Accumulator::Adding(number);
    }
  }
};

template <std::size_t kDegree, typename Numbers>
struct Sampler<PolynomialDynamics<kDegree>, Numbers> {
  using C = PolynomialDynamics<kDegree>;

  static Polynomial Curve() {
    std::vector<double> coefficients(
        static_cast<std::size_t>(NumberBelow(int{kDegree} + 2)));
    for (double& coefficient : coefficients) {
      coefficient = Numbers::Number();
    }
    return Polynomial(std::span<const double>(coefficients));
  }

  static C State() { return C(Curve()); }

  static typename C::Effect Effect() {
    return NumberBelow(3) == 0 ? C::Setting(Curve()) : C::Adding(Curve());
  }
};

template <typename Numbers>
struct Sampler<Log<int>, Numbers> {
  static Log<int> State() { return Log<int>({NumberBelow(3)}); }

  static auto Effect() { return Log<int>::Appending(NumberBelow(3)); }
};

template <typename Numbers>
struct Sampler<Queue<int>, Numbers> {
  static Queue<int> State() {
    return Queue<int>(
        std::vector<int>(static_cast<std::size_t>(NumberBelow(5)), 9));
  }

  static Queue<int>::Effect Effect() {
    return NumberBelow(2) == 0 ? Queue<int>::Pushing(NumberBelow(3))
                               : Queue<int>::Popping(NumberBelow(3));
  }
};

template <typename Numbers>
struct Sampler<Set<int>, Numbers> {
  static Set<int> State() { return Set<int>({NumberBelow(3), NumberBelow(3)}); }

  static Set<int>::Effect Effect() {
    return NumberBelow(2) == 0 ? Set<int>::Inserting(NumberBelow(3))
                               : Set<int>::Erasing(NumberBelow(3));
  }
};

template <typename Numbers>
struct Sampler<Map<int, int>, Numbers> {
  using C = Map<int, int>;

  static C State() {
    return C(std::map<int, int>{{NumberBelow(2), NumberBelow(2)}});
  }

  static C::Effect Effect() {
    return NumberBelow(3) == 0 ? C::Erasing(NumberBelow(2))
                               : C::Putting(NumberBelow(2), NumberBelow(2));
  }
};

template <typename Numbers>
struct Sampler<Pool, Numbers> {
  static Pool State() { return Pool(5, NumberBelow(6)); }

  static Pool::Effect Effect() {
    return NumberBelow(2) == 0 ? Pool::Acquiring(NumberBelow(4))
                               : Pool::Releasing(NumberBelow(4));
  }
};

template <typename Key, typename Numbers>
std::vector<Key> AnyKeys() {
  Duration time = (NumberBelow(80) - 40) * 125ms;
  std::vector<Key> keys;
  for (int n = 1 + NumberBelow(4); n > 0; --n) {
    keys.push_back({time, Numbers::Number()});
    time += Numbers::Time();
  }
  return keys;
}

template <typename Numbers>
struct Sampler<Steps<double>, Numbers> {
  static Steps<double> State() {
    return Steps<double>(Numbers::Number(),
                         AnyKeys<Steps<double>::Key, Numbers>());
  }

  static auto Effect() { return Steps<double>::Empty(); }
};

template <typename Numbers>
struct Sampler<PiecewiseLinear, Numbers> {
  static PiecewiseLinear State() {
    return PiecewiseLinear(AnyKeys<PiecewiseLinear::Key, Numbers>());
  }

  static auto Effect() { return PiecewiseLinear::Empty(); }
};

// A random composition of effects that users emit.
template <typename C, typename Numbers>
typename C::Effect AnyEffect() {
  auto effect = C::Empty();
  for (int n = NumberBelow(5); n > 0; --n) {
    const auto one = Sampler<C, Numbers>::Effect();
    switch (NumberBelow(3)) {
      case 0:
        effect = C::Sequentially(effect, one);
        break;
      case 1:
        effect = C::Sequentially(one, effect);
        break;
      default:
        effect = C::Concurrently(effect, one);
    }
  }
  return effect;
}

template <typename C, typename Numbers>
C AnyState() {
  C state = Sampler<C, Numbers>::State();
  for (int n = NumberBelow(3); n > 0; --n) {
    if constexpr (StepsInTime<C>) {
      state.Step(Numbers::Time());
    }
    state.Apply(AnyEffect<C, Numbers>());
  }
  return state;
}

template <typename C>
void RequireSameEffects(const std::vector<typename C::Effect>& effects) {
  for (const auto& a : effects) {
    RC_ASSERT(C::Sequentially(a, C::Empty()) == a);
    RC_ASSERT(C::Sequentially(C::Empty(), a) == a);
    RC_ASSERT(C::Concurrently(a, C::Empty()) == a);
    for (const auto& b : effects) {
      RC_ASSERT(C::Concurrently(a, b) == C::Concurrently(b, a));
      for (const auto& c : effects) {
        RC_ASSERT(C::Sequentially(C::Sequentially(a, b), c) ==
                  C::Sequentially(a, C::Sequentially(b, c)));
        RC_ASSERT(C::Concurrently(C::Concurrently(a, b), c) ==
                  C::Concurrently(a, C::Concurrently(b, c)));
      }
    }
  }
}

// Checks all laws to the last bit; those on effects also for the effects
// themselves.
template <typename C, typename Numbers = Eighths>
void RequireLaws() {
  std::vector<C> states;
  for (int i = 0; i < 3; ++i) {
    states.push_back(AnyState<C, Numbers>());
  }
  std::vector<typename C::Effect> effects;
  for (int i = 0; i < 6; ++i) {
    effects.push_back(AnyEffect<C, Numbers>());
  }
  const std::vector<Duration> durations{Numbers::Time(), Numbers::Time()};
  for (const BrokenLaw& broken : CheckLaws<C>(states, effects, durations)) {
    // When huge terms cancel, their last bits are far greater than the value.
    if (!(std::is_same_v<Numbers, AllSizes> && broken.law == "L11")) {
      RC_FAIL(broken.text);
    }
  }
  RequireSameEffects<C>(effects);
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheRegister, ()) {
  RequireLaws<Register<int>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheCounter, ()) {
  RequireLaws<Counter<>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheCounterOfASmallType, ()) {
  RequireLaws<Counter<std::int8_t>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheAccumulator, ()) {
  RequireLaws<Accumulator>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheAccumulatorOfNumbersOfAllSizes, ()) {
  RequireLaws<Accumulator, AllSizes>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForLinearDynamics, ()) {
  RequireLaws<LinearDynamics>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForPolynomialDynamics, ()) {
  RequireLaws<PolynomialDynamics<3>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForDynamicsWithNumbersOfAllSizes, ()) {
  RequireLaws<PolynomialDynamics<2>, AllSizes>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheLog, ()) {
  RequireLaws<Log<int>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheQueue, ()) {
  RequireLaws<Queue<int>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheSet, ()) {
  RequireLaws<Set<int>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForTheMap, ()) {
  RequireLaws<Map<int, int>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForThePool, ()) {
  RequireLaws<Pool>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForSteps, ()) {
  RequireLaws<Steps<double>>();
}

RC_GTEST_PROP(CellsLawsTest, HoldForPiecewiseLinearInputs, ()) {
  RequireLaws<PiecewiseLinear>();
}

}  // namespace

}  // namespace orrery::process
