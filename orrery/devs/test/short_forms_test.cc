#include "orrery/devs/modeling/short_forms.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/library/measures.h"
#include "orrery/devs/library/sources.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

template <typename T>
std::vector<T> ValuesOf(const typename Recorder<T>::State& state) {
  std::vector<T> values;
  for (const auto& sample : state.samples) {
    values.push_back(sample.value);
  }
  return values;
}

std::vector<double> TimesOf(const auto& state) {
  std::vector<double> times;
  for (const auto& sample : state.samples) {
    times.push_back(Seconds(sample.time).value);
  }
  return times;
}

// Moore: shows its colour.
class Light : public FiniteStateMachine<Light> {
 public:
  enum class Phase : std::uint8_t { kRed, kGreen, kYellow };

  In<std::int64_t> tick{this, "tick"};
  Out<Phase> colour{this, "colour"};

  Phase Next(Phase phase, const Bag&) const {
    switch (phase) {
      case Phase::kRed:
        return Phase::kGreen;
      case Phase::kGreen:
        return Phase::kYellow;
      case Phase::kYellow:
        break;
    }
    return Phase::kRed;
  }

  void Show(Phase phase, Bag& y) const { y.Send(colour, phase); }
};

struct Crossroads : Coupled {
  Clock& clock = Add<Clock>("clock", 10s, 10s);
  Light& light = Add<Light>("light");
  Recorder<Light::Phase>& seen = Add<Recorder<Light::Phase>>("seen");

  Crossroads() : Coupled("crossroads") {
    Couple(clock.tick, light.tick);
    Couple(light.colour, seen.in);
  }
};

TEST(FiniteStateMachineTest, ShowsItsPhaseAtTheStartAndAtTheTimeOfEachInput) {
  using enum Light::Phase;
  const Crossroads crossroads;
  Simulator run(crossroads);
  run.RunUntil(35s);
  EXPECT_THAT(ValuesOf<Light::Phase>(run.state(crossroads.seen)),
              ElementsAre(kRed, kGreen, kYellow, kRed));
  EXPECT_THAT(TimesOf(run.state(crossroads.seen)), ElementsAre(0, 10, 20, 30));
  EXPECT_EQ(Light::PhaseOf(run.state(crossroads.light)), kRed);
}

TEST(FiniteStateMachineTest, PhaseIsTraced) {
  const Crossroads crossroads;
  Simulator run(crossroads);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv, {.outputs = false});
  run.Observe(trace, "crossroads.light");
  run.RunUntil(10s);
  EXPECT_EQ(out.str(),
            "time,model,event,name,value\n"
            "0,crossroads.light,start,phase,0\n"
            "0,crossroads.light,internal,phase,0\n"
            "10,crossroads.light,external,phase,1\n"
            "10,crossroads.light,internal,phase,1\n");
}

// Mealy: says 1 at the second of two equal bits.
class Repetition : public FiniteStateMachine<Repetition> {
 public:
  using Phase = std::optional<int>;
  using Reply = int;

  In<int> bit{this, "bit"};
  Out<int> is_repeated{this, "is_repeated"};

  Phase Next(const Phase&, const Bag& x) const { return x[bit].front(); }

  std::optional<Reply> Answer(const Phase& before, const Bag& x) const {
    if (!before) {
      return std::nullopt;
    }
    return *before == x[bit].front() ? 1 : 0;
  }

  void Send(Reply reply, Bag& y) const { y.Send(is_repeated, reply); }
};

struct Detector : Coupled {
  In<int> bit{this, "bit"};
  Repetition& machine = Add<Repetition>("machine");
  Recorder<int>& seen = Add<Recorder<int>>("seen");

  Detector() : Coupled("detector") {
    Couple(bit, machine.bit);
    Couple(machine.is_repeated, seen.in);
  }
};

TEST(FiniteStateMachineTest, AnswersEachInputByThePhaseBefore) {
  const Detector detector;
  Simulator run(detector);
  int second = 0;
  for (const int bit : {1, 0, 0, 1, 1, 1}) {
    run.Inject(detector.bit, bit, std::chrono::seconds(++second));
  }
  run.RunUntil(10s);
  EXPECT_THAT(ValuesOf<int>(run.state(detector.seen)),
              ElementsAre(0, 1, 0, 1, 1));
  EXPECT_THAT(TimesOf(run.state(detector.seen)), ElementsAre(2, 3, 4, 5, 6));
}

RC_GTEST_PROP(FiniteStateMachineTest, MealyMachineIsTheFunctionOfItsBits, ()) {
  const auto bits =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2));
  const Detector detector;
  Simulator run(detector);
  std::vector<int> expected;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    run.Inject(detector.bit, bits[i], std::chrono::milliseconds(i));
    if (i > 0) {
      expected.push_back(bits[i] == bits[i - 1] ? 1 : 0);
    }
  }
  run.RunUntil(1h);
  RC_ASSERT(ValuesOf<int>(run.state(detector.seen)) == expected);
}

// Three sources of a 0 at once. In classic DEVS their bits arrive one by one,
// before the machine, which is declared last, can answer the first.
struct Thrice : Coupled {
  Repetition* machine = nullptr;
  Recorder<int>* seen = nullptr;

  Thrice() : Coupled("thrice") {
    for (const char* name : {"a", "b", "c"}) {
      Add<Generator<int>>(name, 1s, GeneratorOptions<int>{.limit = 1});
    }
    machine = &Add<Repetition>("machine");
    seen = &Add<Recorder<int>>("seen");
    for (const char* name : {"a", "b", "c"}) {
      Couple(*FindPart(name)->FindPort("out"), machine->bit);
    }
    Couple(machine->is_repeated, seen->in);
  }
};

TEST(FiniteStateMachineTest, RepliesWaitInOrderWhereInputsComeFirst) {
  const Thrice thrice;
  Simulator classic(thrice, {.formalism = Formalism::kClassic});
  classic.RunUntil(2s);
  EXPECT_THAT(ValuesOf<int>(classic.state(*thrice.seen)), ElementsAre(1, 1));
}

TEST(FiniteStateMachineTest, BagIsOneInput) {
  const Thrice thrice;
  Simulator parallel(thrice);
  parallel.RunUntil(2s);
  EXPECT_THAT(ValuesOf<int>(parallel.state(*thrice.seen)), IsEmpty());
}

// Both: a door that says "beep" when it is opened, and shows where it is.
class Door : public FiniteStateMachine<Door> {
 public:
  enum class Phase : std::uint8_t { kClosed, kOpen };
  using Reply = int;

  In<bool> is_to_open{this, "is_to_open"};
  Out<int> said{this, "said"};

  Phase First() const { return Phase::kOpen; }

  Phase Next(Phase, const Bag& x) const {
    return x[is_to_open].front() ? Phase::kOpen : Phase::kClosed;
  }

  void Show(Phase phase, Bag& y) const {
    y.Send(said, phase == Phase::kOpen ? 1 : 0);
  }

  std::optional<Reply> Answer(Phase before, const Bag& x) const {
    const bool opens = before == Phase::kClosed && x[is_to_open].front();
    return opens ? std::optional<Reply>(100) : std::nullopt;
  }

  void Send(Reply reply, Bag& y) const { y.Send(said, reply); }
};

TEST(FiniteStateMachineTest, RepliesComeBeforeWhatThePhaseShows) {
  Coupled root("root");
  auto& source = root.Add<Generator<bool>>(
      "source",
      1s,
      GeneratorOptions<bool>{.limit = 4,
                             .make = [](std::int64_t number, RandomStream&) {
                               return number >= 2;  // Close, close, open, open.
                             }});
  auto& door = root.Add<Door>("door");
  auto& seen = root.Add<Recorder<int>>("seen");
  root.Couple(source.out, door.is_to_open);
  root.Couple(door.said, seen.in);
  Simulator run(root);
  run.RunUntil(10s);
  EXPECT_THAT(ValuesOf<int>(run.state(seen)), ElementsAre(1, 0, 0, 100, 1, 1));
  EXPECT_THAT(TimesOf(run.state(seen)), ElementsAre(0, 1, 2, 3, 3, 4));
}

// x(k+1) = a x(k) + (1 - a) u(k); of a unit step: x(k) = 1 - a^k.
class LowPass : public DiscreteTimeModel<LowPass> {
 public:
  using Value = double;
  using Input = double;

  In<double> u{this, "u"};
  Out<double> x{this, "x"};

  explicit LowPass(double a, Duration period = 100ms)
      : a_(a), period_(period) {}

  Duration Period() const { return period_; }

  void Read(double& held, const Bag& bag) const {
    for (const double value : bag[u]) {
      held = value;
    }
  }

  void Step(double& value, const double& held) const {
    value = a_ * value + (1 - a_) * held;
  }

  void Show(double value, double /*held*/, Bag& y) const { y.Send(x, value); }

 private:
  double a_;
  Duration period_;
};

struct Filter : Coupled {
  In<double> u{this, "u"};
  LowPass& filter;
  Recorder<double>& seen = Add<Recorder<double>>("seen");

  explicit Filter(double a)
      : Coupled("lab"), filter(Add<LowPass>("filter", a)) {
    Couple(u, filter.u);
    Couple(filter.x, seen.in);
  }
};

TEST(DiscreteTimeModelTest, FilterAnswersAStepByItsClosedForm) {
  const Filter lab(0.75);
  Simulator run(lab);
  run.Inject(lab.u, 1.0, 0s);
  run.RunUntil(5s);
  const auto& samples = run.state(lab.seen).samples;
  ASSERT_EQ(samples.size(), 50U);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    // The value before step k, at (k + 1) periods.
    EXPECT_EQ(samples[k].time, (k + 1) * Duration(100ms));
    EXPECT_NEAR(
        samples[k].value, 1 - std::pow(0.75, static_cast<double>(k)), 1e-15);
  }
}

TEST(DiscreteTimeModelTest, InputsBetweenStepsAreSeenAtTheNextStep) {
  const Filter lab(0.0);
  Simulator run(lab);
  run.Inject(lab.u, 1.0, 110ms);
  run.Inject(lab.u, 2.0, 190ms);
  run.Inject(lab.u, 3.0, 300ms);  // At a step: counts for the next.
  run.RunUntil(500ms);
  EXPECT_THAT(ValuesOf<double>(run.state(lab.seen)),
              ElementsAre(0, 0, 2, 2, 3));
}

RC_GTEST_PROP(DiscreteTimeModelTest, FilterIsTheLoopThatOneWouldWrite, ()) {
  const auto inputs =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(-100, 100));
  const Filter lab(0.3);
  Simulator run(lab);
  std::vector<double> expected;
  double x = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    run.Inject(lab.u,
               static_cast<double>(inputs[k]),
               50ms + static_cast<std::int64_t>(k) * Duration(100ms));
    expected.push_back(x);
    x = 0.3 * x + (1 - 0.3) * inputs[k];
  }
  run.RunUntil(static_cast<std::int64_t>(inputs.size()) * Duration(100ms));
  RC_ASSERT(ValuesOf<double>(run.state(lab.seen)) == expected);
}

// Counts the messages of a period, and restarts.
class RateMeter : public DiscreteTimeModel<RateMeter> {
 public:
  using Value = std::int64_t;
  using Input = std::int64_t;

  In<Job> in{this, "in"};

  Duration Period() const { return 1s; }

  Duration Offset() const { return 0s; }

  std::int64_t First() const { return -1; }

  void Read(std::int64_t& count, const Bag& x) const {
    count += static_cast<std::int64_t>(x[in].size());
  }

  void Step(std::int64_t& value, std::int64_t& count) const {
    value = count;
    count = 0;
  }
};

TEST(DiscreteTimeModelTest, StepMayClearItsInput) {
  Coupled root("root");
  auto& source = root.Add<Generator<>>("source", 300ms);
  auto& meter = root.Add<RateMeter>("meter");
  root.Couple(source.out, meter.in);
  Simulator run(root);
  EXPECT_EQ(RateMeter::ValueOf(run.state(meter)), -1);
  std::vector<std::int64_t> counts;
  for (int second = 0; second < 5; ++second) {
    run.RunUntil(std::chrono::seconds(second));
    counts.push_back(RateMeter::ValueOf(run.state(meter)));
  }
  // At 0.3, 0.6, 0.9 | 1.2, 1.5, 1.8 | 2.1, 2.4, 2.7 | 3 (at the step), ...
  EXPECT_THAT(counts, ElementsAre(0, 3, 3, 3, 4));
}

TEST(DiscreteTimeModelTest, PeriodThatIsNotPositiveIsRefused) {
  Coupled root("root");
  root.Add<LowPass>("filter", 0.5, Duration::zero());
  try {
    Simulator run(root);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(
        error.what(),
        testing::AllOf(testing::HasSubstr("root.filter"),
                       testing::HasSubstr("cannot step every 0 s: time would "
                                          "stand; give a period above 0 s")));
  }
}

}  // namespace
}  // namespace orrery::devs
