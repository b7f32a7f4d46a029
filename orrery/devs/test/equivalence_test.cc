#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/devs/reference.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/test/random_network.h"

namespace orrery::devs {
namespace {

using random_network::Atom;
using random_network::AtomBase;
using random_network::Call;
using random_network::Choice;
using random_network::ConfluentAtom;
using random_network::Log;
using random_network::LogEntry;
using random_network::Network;
using random_network::Number;
using random_network::Shape;

// Sorts the entries within each microstep, where neither outputs nor
// transitions have an order. A microstep ends where an output follows a
// transition, or with its time.
Log Sorted(Log log) {
  const auto is_next = [](const LogEntry& a, const LogEntry& b) {
    return a.time != b.time ||
           (a.call != Call::kOutput && b.call == Call::kOutput);
  };
  for (auto begin = log.begin(); begin != log.end();) {
    auto end = begin + 1;
    while (end != log.end() && !is_next(*(end - 1), *end)) {
      ++end;
    }
    std::sort(begin, end);
    begin = end;
  }
  return log;
}

// A part of a run: inputs, then a run up to a time.
struct Leg {
  struct Input {
    std::size_t port;
    bool is_text;
    Number value;
    Duration at;
  };

  std::vector<Input> inputs;
  Duration end;
};

std::vector<Leg> MakeLegs(const Network& network, std::mt19937_64& random) {
  std::vector<Leg> legs(1 + random() % 4);
  std::int64_t now = 0;
  for (Leg& leg : legs) {
    const auto add = [&](std::size_t num_ports, bool is_text) {
      const auto count = num_ports == 0 ? 0 : random() % 6;
      for (std::size_t i = 0; i < count; ++i) {
        leg.inputs.push_back(
            {.port = random() % num_ports,
             .is_text = is_text,
             .value = random(),
             .at = Duration(now + static_cast<std::int64_t>(random() % 12))});
      }
    };
    add(network.ports().ins.size(), false);
    add(network.ports().text_ins.size(), true);
    now += static_cast<std::int64_t>(random() % 12);
    leg.end = Duration(now);
  }
  return legs;
}

struct Result {
  Log log;
  std::vector<Number> states;
  Statistics statistics;
  std::vector<Duration> next_times;
};

template <typename Engine>
void RunLeg(Engine& engine, const Network& network, const Leg& leg) {
  for (const Leg::Input& input : leg.inputs) {
    if (input.is_text) {
      engine.Inject(*network.ports().text_ins[input.port],
                    std::to_string(input.value),
                    input.at);
    } else {
      engine.Inject(*network.ports().ins[input.port], input.value, input.at);
    }
  }
  engine.RunUntil(leg.end);
}

template <typename Engine>
std::vector<Number> StatesOf(const Engine& engine, const Network& network) {
  std::vector<Number> states;
  network.ForEachAtomic([&](const Model& model) {
    const auto* const atom = dynamic_cast<const Atom*>(&model);
    states.push_back(
        atom != nullptr
            ? engine.state(*atom).hash
            : engine.state(dynamic_cast<const ConfluentAtom&>(model)).hash);
  });
  return states;
}

template <typename Engine>
Result Run(Engine& engine,
           const Network& network,
           const std::vector<Leg>& legs,
           Log& log) {
  Result result;
  for (const Leg& leg : legs) {
    RunLeg(engine, network, leg);
    result.next_times.push_back(engine.next_time());
  }
  result.states = StatesOf(engine, network);
  result.statistics = engine.statistics();
  result.log = Sorted(std::exchange(log, {}));
  return result;
}

std::vector<const Model*> SomeAtomics(const Network& network,
                                      std::mt19937_64& random) {
  std::vector<const Model*> models;
  network.ForEachAtomic([&](const Model& model) { models.push_back(&model); });
  std::shuffle(models.begin(), models.end(), random);
  models.resize(1 + random() % models.size());
  return models;
}

/// Traces the engine in the form of the abstract simulators.
class Tracer : public Observer {
 public:
  explicit Tracer(Simulator& run) : run_(run) { run.Observe(*this); }

  void OnTransition(Duration time,
                    const Model& model,
                    Transition transition,
                    const void* /*state*/) override {
    if (transition != Transition::kStart) {
      trace_.push_back({.time = time,
                        .microstep = run_.statistics().microsteps,
                        .path = model.Path(),
                        .transition = transition});
    }
  }

  [[nodiscard]] std::span<const TraceEntry> trace() const { return trace_; }

 private:
  Simulator& run_;
  std::vector<TraceEntry> trace_;
};

// Transitions of a microstep have no order; a model has at most one.
std::vector<TraceEntry> Sorted(std::span<const TraceEntry> trace) {
  std::vector<TraceEntry> sorted(trace.begin(), trace.end());
  std::ranges::sort(sorted, {}, [](const TraceEntry& entry) {
    return std::pair(entry.microstep, entry.path);
  });
  return sorted;
}

struct Both {
  Result production;
  Result reference;
  std::vector<TraceEntry> production_trace;
  std::vector<TraceEntry> reference_trace;
  std::map<Number, std::string> paths;
};

struct Setting {
  Formalism formalism = Formalism::kParallel;
  Choice choice = Choice::kFirst;
  bool has_priority = false;
};

Both RunBoth(const Setting& setting, Number seed, int depth, int max_parts) {
  std::mt19937_64 random(seed);
  Log log;
  const Network network(
      {.depth = depth, .max_parts = max_parts, .choice = setting.choice},
      &log,
      random);
  const std::vector<Leg> legs = MakeLegs(network, random);
  Options options{.formalism = setting.formalism};
  if (setting.has_priority) {
    options.priority = SomeAtomics(network, random);
  }
  Both both;
  Simulator production(network, options);
  Tracer tracer(production);
  both.production = Run(production, network, legs, log);
  both.production_trace = Sorted(tracer.trace());
  ReferenceSimulator reference(network, options);
  both.reference = Run(reference, network, legs, log);
  network.ForEachAtomic([&](const Model& model) {
    both.paths.emplace(dynamic_cast<const AtomBase&>(model).number(),
                       model.Path());
  });
  both.reference_trace = Sorted(reference.trace());
  return both;
}

void ExpectEqualRuns(const Setting& setting) {
  const auto seed =
      *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<Number>());
  const auto depth = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 5));
  const auto max_parts =
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 8));
  const Both both = RunBoth(setting, seed, depth, max_parts);
  RC_ASSERT(both.production.statistics == both.reference.statistics);
  RC_ASSERT(both.production.next_times == both.reference.next_times);
  RC_ASSERT(both.production.log.size() == both.reference.log.size());
  RC_ASSERT(both.production.log == both.reference.log);
  RC_ASSERT(both.production.states == both.reference.states);
  RC_ASSERT(both.production_trace.size() == both.reference_trace.size());
  RC_ASSERT(both.production_trace == both.reference_trace);
}

RC_GTEST_PROP(EquivalenceTest, ParallelRunsAreThoseOfTheAbstractSimulator, ()) {
  ExpectEqualRuns({});
}

RC_GTEST_PROP(EquivalenceTest, ClassicRunsAreThoseOfTheAbstractSimulator, ()) {
  ExpectEqualRuns({.formalism = Formalism::kClassic});
}

RC_GTEST_PROP(EquivalenceTest, SelectFunctionsChooseTheSame, ()) {
  ExpectEqualRuns(
      {.formalism = Formalism::kClassic, .choice = Choice::kSelect});
}

RC_GTEST_PROP(EquivalenceTest, PriorityListsChooseTheSame, ()) {
  ExpectEqualRuns({.formalism = Formalism::kClassic, .choice = Choice::kList});
}

RC_GTEST_PROP(EquivalenceTest, OnePriorityForAllComesBeforeSelect, ()) {
  const bool has_select = *rc::gen::arbitrary<bool>();
  ExpectEqualRuns({.formalism = Formalism::kClassic,
                   .choice = has_select ? Choice::kSelect : Choice::kFirst,
                   .has_priority = true});
}

// At each leg's end: goes on, back, and on again; then continues from there in
// another run.
void ExpectEqualAfterRestore(Formalism formalism) {
  std::mt19937_64 random(
      *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<Number>()));
  Log log;
  const Network network({.depth = 3, .max_parts = 5}, &log, random);
  const std::vector<Leg> legs = MakeLegs(network, random);
  const Options options{.formalism = formalism};
  Simulator straight(network, options);
  Simulator winding(network, options);
  Simulator other(network, options);
  const auto expect_equal = [&](Simulator& run) {
    RC_ASSERT(run.now() == straight.now());
    RC_ASSERT(run.next_time() == straight.next_time());
    RC_ASSERT(run.statistics() == straight.statistics());
    RC_ASSERT(StatesOf(run, network) == StatesOf(straight, network));
  };
  for (const Leg& leg : legs) {
    const Snapshot before = winding.Save();
    RunLeg(straight, network, leg);
    RunLeg(winding, network, leg);
    const auto on = *rc::gen::inRange(0, 5);
    winding.RunUntil(leg.end + Duration(on));
    winding.Restore(before);
    RunLeg(winding, network, leg);
    expect_equal(winding);
    other.Restore(before);
    RunLeg(other, network, leg);
    expect_equal(other);
  }
}

RC_GTEST_PROP(EquivalenceTest, RestoredParallelRunsGoOnAsTheyWould, ()) {
  ExpectEqualAfterRestore(Formalism::kParallel);
}

RC_GTEST_PROP(EquivalenceTest, RestoredClassicRunsGoOnAsTheyWould, ()) {
  ExpectEqualAfterRestore(Formalism::kClassic);
}

// The trace of the abstract simulators agrees with the logs of the models.
TEST(EquivalenceTest, TraceHoldsEachTransition) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    const Both both = RunBoth({.formalism = formalism}, 3, 4, 6);
    ASSERT_GT(both.reference_trace.size(), 200U);
    std::map<Transition, std::int64_t> count;
    std::set<std::pair<std::int64_t, std::string>> in_trace;
    for (const TraceEntry& entry : both.reference_trace) {
      ++count[entry.transition];
      in_trace.emplace(entry.time.count(), entry.path);
    }
    std::set<std::pair<std::int64_t, std::string>> in_log;
    for (const LogEntry& entry : both.reference.log) {
      if (entry.call != Call::kOutput) {
        in_log.emplace(entry.time, both.paths.at(entry.model));
      }
    }
    EXPECT_EQ(in_trace, in_log);
    const Statistics& statistics = both.production.statistics;
    EXPECT_EQ(count[Transition::kInternal], statistics.internal);
    EXPECT_EQ(count[Transition::kExternal], statistics.external);
    EXPECT_EQ(count[Transition::kConfluent], statistics.confluent);
    EXPECT_EQ(both.reference_trace.back().microstep, statistics.microsteps);
  }
}

// Ensures that the networks above are active enough.
TEST(EquivalenceTest, NetworksDoWhatModelsMayDo) {
  Statistics sum;
  std::size_t zero_advances = 0;
  for (Number seed = 0; seed < 50; ++seed) {
    const Both both = RunBoth({}, seed, 4, 5);
    const Statistics& one = both.production.statistics;
    sum.internal += one.internal;
    sum.external += one.external;
    sum.confluent += one.confluent;
    sum.messages += one.messages;
    const Log& log = both.production.log;
    for (std::size_t i = 1; i < log.size(); ++i) {
      zero_advances += log[i].time == log[i - 1].time &&
                               log[i].call == Call::kOutput &&
                               log[i - 1].call != Call::kOutput
                           ? 1U
                           : 0U;
    }
  }
  EXPECT_GT(sum.internal, 2000);
  EXPECT_GT(sum.external, 2000);
  EXPECT_GT(sum.confluent, 500);
  EXPECT_GT(sum.messages, 2 * (sum.external + sum.confluent));
  EXPECT_GT(zero_advances, 500U);
}

}  // namespace
}  // namespace orrery::devs
