#include "orrery/process/cells/laws.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/cells/register.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Laws(const std::vector<BrokenLaw>& broken) {
  std::vector<std::string> laws;
  for (const BrokenLaw& one : broken) {
    laws.push_back(one.law);
  }
  return laws;
}

// The type of cell_type.h's comment.
struct Peak {
  using Effect = double;
  double peak = -1e300;

  static Effect Empty() { return -1e300; }

  static Effect Sequentially(Effect a, Effect b) { return std::max(a, b); }

  static Effect Concurrently(Effect a, Effect b) { return std::max(a, b); }

  void Apply(Effect e) { peak = std::max(peak, e); }

  double Value() const { return peak; }
};

TEST(LawsTest, HoldForTheTypeOfTheManual) {
  const std::vector<Peak> states{Peak(), Peak{3}};
  const std::vector<double> effects{-1, 2, 5};
  EXPECT_THAT(CheckLaws<Peak>(states, effects), IsEmpty());
}

// Merlin's LinearAccumulation: to clear and to add commute in sequence too.
struct ClearAndAdd {
  struct Effect {
    bool clear = false;
    double add = 0;
  };

  double volume = 0;

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect a, Effect b) { return Concurrently(a, b); }

  static Effect Concurrently(Effect a, Effect b) {
    return {.clear = a.clear || b.clear, .add = a.add + b.add};
  }

  void Apply(Effect effect) {
    volume += effect.add;
    volume = effect.clear ? 0 : volume;
  }

  double Value() const { return volume; }
};

TEST(LawsTest, FindThatAClearingAndAnAdditionDoNotCommute) {
  const std::vector<ClearAndAdd> states{{.volume = 10}};
  const std::vector<ClearAndAdd::Effect> effects{{.clear = true}, {.add = 5}};
  const auto broken = CheckLaws<ClearAndAdd>(states, effects);
  ASSERT_THAT(Laws(broken), ElementsAre("L7"));
  EXPECT_EQ(broken[0].text,
            "L7: to apply a; b is not to apply a, then b, with a = effect 0, "
            "b = effect 1, on state 0 {value: 10}");
}

struct PrefersLeft : Register<int> {
  using Register<int>::Register;

  static Effect Concurrently(const Effect& a, const Effect& b) {
    return a == Empty() ? b : a;
  }
};

TEST(LawsTest, FindAnOrderThatNobodyChose) {
  const std::vector<PrefersLeft> states{PrefersLeft(7)};
  const std::vector<PrefersLeft::Effect> effects{PrefersLeft::Setting(1),
                                                 PrefersLeft::Setting(3)};
  const auto broken = CheckLaws<PrefersLeft>(states, effects);
  ASSERT_THAT(Laws(broken), ElementsAre("L3"));
  EXPECT_EQ(broken[0].text,
            "L3: a | b is not b | a, with a = effect 0 {set: 1}, b = effect 1 "
            "{set: 3}, on state 0 {value: 7}");
}

// Accumulates as it steps, hence rounds at each step.
struct RoundsSteps {
  using Effect = double;
  double volume = 0;
  double rate = 0;

  static Effect Empty() { return 0; }

  static Effect Sequentially(Effect a, Effect b) { return a + b; }

  static Effect Concurrently(Effect a, Effect b) { return a + b; }

  void Apply(Effect effect) { rate += effect; }

  void Step(Duration dt) { volume += rate * Seconds(dt).value; }

  double Value() const { return volume; }

  Polynomial Dynamics() const { return {volume, rate}; }
};

TEST(LawsTest, FindRoundingInSteps) {
  const std::vector<RoundsSteps> states{{.rate = 0.1}};
  const std::vector<double> effects{0.5};
  const std::vector<Duration> durations{100ms, 700ms};
  const auto broken = CheckLaws<RoundsSteps>(states, effects, durations);
  ASSERT_THAT(Laws(broken), ElementsAre("L9"));
  EXPECT_EQ(broken[0].text,
            "L9: steps of d1 and d2 are not one of d1 + d2, with d1 = 0.1 s, "
            "d2 = 0.7 s, on state 0 {value: 0}");
}

TEST(LawsTest, OverlookRoundingOnDemand) {
  const std::vector<RoundsSteps> states{{.rate = 0.1}};
  const std::vector<double> effects{0.5};
  const std::vector<Duration> durations{100ms, 700ms};
  EXPECT_THAT(CheckLaws<RoundsSteps>(
                  states, effects, durations, {.relative_tolerance = 1e-12}),
              IsEmpty());
}

// A type with one fault at a time.
enum class Fault {
  kNone,
  kSequenceHasNoGroups,
  kConcurrencyHasNoGroups,
  kEmptyCountsInSequence,
  kEmptyCountsConcurrently,
  kEmptyActs,
  kNoTimePasses,
  kSharesState,
  kDynamicsLie,
  kExpiryIsOver,
  kExpiryStays,
  kCountsSteps,
};

// A number that is added to, on a slope, and foretells 10 s.
template <Fault kFault>
struct Faulty {
  struct Effect {
    int add = 0;
  };

  std::shared_ptr<int> shared = std::make_shared<int>(0);
  int number = 0;
  int num_steps = 0;
  int num_steps_before = 0;  // The last effect.
  std::int64_t elapsed_s = 0;

  static Effect Empty() { return {.add = kFault == Fault::kEmptyActs ? 1 : 0}; }

  static Effect Sequentially(Effect a, Effect b) {
    if (kFault == Fault::kSequenceHasNoGroups && a.add != 0 && b.add != 0) {
      return {.add = a.add - b.add};
    }
    if (kFault == Fault::kEmptyCountsInSequence && a.add == 0) {
      return {.add = b.add + 1};
    }
    return {.add = a.add + b.add};
  }

  static Effect Concurrently(Effect a, Effect b) {
    if (kFault == Fault::kConcurrencyHasNoGroups && a.add != 0 && b.add != 0) {
      return {.add = (a.add + b.add) * 2};
    }
    if (kFault == Fault::kEmptyCountsConcurrently && b.add == 0) {
      return {.add = a.add + 1};
    }
    return {.add = a.add + b.add};
  }

  void Apply(Effect effect) {
    (kFault == Fault::kSharesState ? *shared : number) += effect.add;
    if (kFault == Fault::kCountsSteps && effect.add != 0) {
      num_steps_before = num_steps;
    }
  }

  void Step(Duration dt) {
    ++num_steps;
    elapsed_s += dt / 1s;
    number += kFault == Fault::kNoTimePasses && dt == 0s ? 1 : 0;
  }

  double Value() const {
    return number + *shared + num_steps_before + static_cast<double>(elapsed_s);
  }

  Polynomial Dynamics() const {
    return {Value(), kFault == Fault::kDynamicsLie ? 2.0 : 1.0};
  }

  std::optional<Duration> Expiry() const {
    if (kFault == Fault::kExpiryIsOver) {
      return 0s;
    }
    return (kFault == Fault::kExpiryStays ? 10 : 10 - elapsed_s % 10) * 1s;
  }
};

template <Fault kFault>
std::vector<std::string> LawsBrokenBy() {
  const std::vector<Faulty<kFault>> states(1);
  const std::vector<typename Faulty<kFault>::Effect> effects{{.add = 5},
                                                             {.add = 3}};
  const std::vector<Duration> durations{2s, 3s};
  return Laws(CheckLaws<Faulty<kFault>>(states, effects, durations));
}

TEST(LawsTest, FindWhichLawIsBroken) {
  using enum Fault;
  EXPECT_THAT(LawsBrokenBy<kNone>(), IsEmpty());
  EXPECT_THAT(LawsBrokenBy<kSequenceHasNoGroups>(), ElementsAre("L1", "L7"));
  EXPECT_THAT(LawsBrokenBy<kConcurrencyHasNoGroups>(), ElementsAre("L2"));
  EXPECT_THAT(LawsBrokenBy<kEmptyCountsInSequence>(), ElementsAre("L4"));
  EXPECT_THAT(LawsBrokenBy<kEmptyCountsConcurrently>(), ElementsAre("L5"));
  EXPECT_THAT(LawsBrokenBy<kEmptyActs>(), ElementsAre("L4", "L5", "L6"));
  EXPECT_THAT(LawsBrokenBy<kNoTimePasses>(), ElementsAre("L8"));
  EXPECT_THAT(LawsBrokenBy<kDynamicsLie>(), ElementsAre("L11"));
  EXPECT_THAT(LawsBrokenBy<kExpiryIsOver>(), ElementsAre("L12"));
  EXPECT_THAT(LawsBrokenBy<kExpiryStays>(), ElementsAre("L12"));
  EXPECT_THAT(LawsBrokenBy<kCountsSteps>(), ElementsAre("L13"));
}

TEST(LawsTest, FindCopiesThatShareWhatChanges) {
  EXPECT_THAT(LawsBrokenBy<Fault::kSharesState>(), ::testing::Contains("L10"));
}

// Shown by its value alone, which changes though nothing says so.
struct ChangesUnseen : Register<int> {
  using Register<int>::Register;
  Duration elapsed{0};

  void Step(Duration dt) { elapsed += dt; }

  bool Value() const { return elapsed > 1s; }
};

TEST(LawsTest, FindValuesThatChangeByThemselves) {
  const std::vector<ChangesUnseen> states(1);
  const std::vector<ChangesUnseen::Effect> effects{ChangesUnseen::Setting(1)};
  const std::vector<Duration> durations{2s};
  EXPECT_THAT(Laws(CheckLaws<ChangesUnseen>(states, effects, durations)),
              ElementsAre("L12"));
}

TEST(LawsTest, LookAtWhatIsAskedFor) {
  const std::vector<PrefersLeft> states{PrefersLeft(7)};
  const std::vector<PrefersLeft::Effect> effects{PrefersLeft::Setting(1),
                                                 PrefersLeft::Setting(3)};
  const auto is_positive = [](const PrefersLeft& state) {
    return state.Value() > 0;
  };
  EXPECT_THAT(CheckLaws<PrefersLeft>(states, effects, {}, {}, is_positive),
              IsEmpty());
}

}  // namespace
}  // namespace orrery::process
