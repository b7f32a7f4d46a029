// The models of the library together, in one plant, must meet the laws of all
// models.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/devs/library.h"
#include "orrery/devs/reference.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

// Jobs that go through a server, then by one of three ways at random.
struct Plant : Coupled {
  Generator<>& source;
  Server<>& hall;
  Switch<Job>& choice;
  Delay<Job>& road;
  Queue<>& queue;
  Processor<>& press;
  Processor<>& drill;
  Merge<Job>& gate = Add<Merge<Job>>("gate", 3U);
  Transducer<>& meter = Add<Transducer<>>("meter", 1h, 5s);
  Sink<>& store = Add<Sink<>>("store");
  RandomSource& noise;
  Sink<double>& heard = Add<Sink<double>>("heard");

  Plant()
      : Coupled("plant"),
        source(Add<Generator<>>(
            "source",
            Distribution::Exponential(1),
            GeneratorOptions<Job>{
                .make =
                    [](std::int64_t number, RandomStream& random) {
                      return Job{.id = number, .priority = random.Uniform01()};
                    }})),
        hall(Add<Server<>>(
            "hall",
            Distribution::Gamma(2, 0.7),
            2,
            WaitingOptions<Job>{.capacity = 5,
                                .discipline = Discipline::kPriority})),
        choice(Add<Switch<Job>>(
            "choice", 3U, Route<Job>::WithProbabilities({3, 2, 1}))),
        road(Add<Delay<Job>>("road", Distribution::Uniform(1, 3))),
        queue(
            Add<Queue<>>("queue",
                         1,
                         WaitingOptions<Job>{
                             .capacity = 3,
                             .discipline = Discipline::kLastComeFirstServed})),
        press(Add<Processor<>>("press", 2s)),
        drill(Add<Processor<>>("drill", Distribution::Weibull(2, 1))),
        noise(Add<RandomSource>("noise", 1s, Distribution::Normal(0, 1))) {
    Couple(source.out, hall.in);
    Couple(source.out, meter.arrived);
    Couple(hall.out, choice.in);
    Couple(choice.out(0), road.in);
    Couple(choice.out(1), queue.in);
    Couple(choice.out(2), drill.in);
    Couple(queue.out, press.in);
    Couple(press.out, queue.done);
    Couple(road.out, gate.in(0));
    Couple(press.out, gate.in(1));
    Couple(drill.out, gate.in(2));
    Couple(gate.out, meter.solved);
    Couple(gate.out, store.in);
    Couple(noise.out, heard.in);
  }
};

RC_GTEST_PROP(LibraryRunTest, RestoredRunGoesOnAsItDid, (std::uint64_t seed)) {
  const Plant plant;
  const auto formalism =
      *rc::gen::element(Formalism::kParallel, Formalism::kClassic);
  const auto middle = *rc::gen::inRange<std::int64_t>(0, 100'000) * 1ms;
  Simulator run(plant, {.formalism = formalism, .seed = seed});
  run.RunUntil(middle);
  const Snapshot saved = run.Save();
  const auto rest = [&] {
    std::ostringstream text;
    Trace trace(text, Trace::Format::kCsv);
    run.Observe(trace);
    run.RunUntil(middle + 50s);
    run.Ignore(trace);
    return text.str();
  };
  const std::string first = rest();
  run.Restore(saved);
  RC_ASSERT(rest() == first);
  RC_ASSERT(first.size() > 1000U);
}

RC_GTEST_PROP(LibraryRunTest,
              AbstractSimulatorComesToTheSame,
              (std::uint64_t seed)) {
  const Plant plant;
  const auto formalism =
      *rc::gen::element(Formalism::kParallel, Formalism::kClassic);
  Simulator run(plant, {.formalism = formalism, .seed = seed});
  ReferenceSimulator reference(plant, {.formalism = formalism, .seed = seed});
  run.RunUntil(100s);
  reference.RunUntil(100s);
  RC_ASSERT(run.statistics() == reference.statistics());
  RC_ASSERT(run.state(plant.store).count == reference.state(plant.store).count);
  RC_ASSERT(run.state(plant.store).last == reference.state(plant.store).last);
  RC_ASSERT(run.state(plant.meter).turnaround_s ==
            reference.state(plant.meter).turnaround_s);
  RC_ASSERT(run.state(plant.heard).last == reference.state(plant.heard).last);
}

RC_GTEST_PROP(LibraryRunTest,
              NoJobIsMadeOrLostUncounted,
              (std::uint64_t seed)) {
  const Plant plant;
  Simulator run(plant, {.seed = seed});
  run.RunUntil(200s);
  const auto size = [](const auto& container) {
    return static_cast<std::int64_t>(container.size());
  };
  const auto& hall = run.state(plant.hall);
  const auto& queue = run.state(plant.queue);
  const auto& press = run.state(plant.press);
  const auto& drill = run.state(plant.drill);
  const std::int64_t lost = hall.totals.lost + queue.lost + drill.lost;
  const std::int64_t inside =
      size(hall.busy) + size(hall.line) + size(run.state(plant.road).pending) +
      size(queue.line) + (press.job ? 1 : 0) + (drill.job ? 1 : 0);
  RC_ASSERT(press.lost == 0);
  RC_ASSERT(run.state(plant.source).sent ==
            lost + inside + run.state(plant.store).count);
}

TEST(LibraryRunTest, EventsDoNotAllocateOnceARunIsWarm) {
  const Plant plant;
  Simulator run(plant);
  run.RunUntil(2000s);
  const std::int64_t before = run.state(plant.store).count;
  const int allocations = CountAllocations();
  run.RunUntil(2400s);
  EXPECT_EQ(CountAllocations(), allocations);
  EXPECT_GT(run.state(plant.store).count, before + 200);
}

// A timed Petri net in numbers, run by a loop: transitions whose time is next
// fire; disabled ones then lose their clocks.
struct Net {
  struct Transition {
    Duration delay{};
    std::map<std::size_t, std::int64_t> takes;
    std::map<std::size_t, std::int64_t> puts;
  };

  std::vector<std::int64_t> tokens;
  std::vector<Transition> transitions;

  // Delays have random nanoseconds, so that two transitions fire at once only
  // if both have waited for the same ones, in another order.
  explicit Net(std::uint64_t seed) {
    RandomStream random(seed, "net");
    tokens.resize(static_cast<std::size_t>(random.UniformInt(1, 6)));
    for (std::int64_t& count : tokens) {
      count = random.UniformInt(0, 4);
    }
    const auto arcs = [&](std::int64_t most, std::int64_t most_tokens) {
      std::map<std::size_t, std::int64_t> result;
      for (std::int64_t i = random.UniformInt(1, most); i > 0; --i) {
        const auto place = static_cast<std::size_t>(
            random.UniformInt(0, static_cast<std::int64_t>(tokens.size()) - 1));
        result[place] = random.UniformInt(1, most_tokens);
      }
      return result;
    };
    transitions.resize(static_cast<std::size_t>(random.UniformInt(2, 8)));
    for (Transition& transition : transitions) {
      // They take a little less than they put, so that some nets never rest.
      transition = {Duration(random.UniformInt(100'000'000, 2'000'000'000)),
                    arcs(3, 1),
                    arcs(2, 2)};
    }
  }

  bool IsEnabled(const Transition& transition) const {
    return std::all_of(
        transition.takes.begin(), transition.takes.end(), [&](const auto& arc) {
          return tokens[arc.first] >= arc.second;
        });
  }

  void Fire(const Transition& transition) {
    for (const auto& [place, count] : transition.takes) {
      tokens[place] -= count;
    }
    for (const auto& [place, count] : transition.puts) {
      tokens[place] += count;
    }
  }

  // The number of firings of each transition until `end`.
  std::vector<std::int64_t> Run(Duration end) {
    std::vector<std::int64_t> fired(transitions.size());
    std::vector<Duration> due(transitions.size(), kPassive);
    Duration now{};
    while (true) {
      for (std::size_t i = 0; i < transitions.size(); ++i) {
        if (!IsEnabled(transitions[i])) {
          due[i] = kPassive;
        } else if (due[i] == kPassive) {
          due[i] = now + transitions[i].delay;
        }
      }
      now = *std::min_element(due.begin(), due.end());
      if (now > end) {
        return fired;
      }
      for (std::size_t i = 0; i < transitions.size(); ++i) {
        if (due[i] == now && IsEnabled(transitions[i])) {
          due[i] = kPassive;
          ++fired[i];
          Fire(transitions[i]);
        }
      }
    }
  }
};

TEST(LibraryRunTest, TemplatesCarryJobsIfNothingElseIsSaid) {
  Coupled root("root");
  auto& source = root.Add<Generator<>>("source", 1s);
  auto& choice = root.Add<Switch<>>("choice", 2U, Route<Job>::RoundRobin());
  auto& road = root.Add<Delay<>>("road", 500ms);
  auto& gate = root.Add<Merge<>>("gate", 2U);
  auto& seen = root.Add<Recorder<>>("seen");
  root.Couple(source.out, choice.in);
  root.Couple(choice.out(0), road.in);
  root.Couple(road.out, gate.in(0));
  root.Couple(choice.out(1), gate.in(1));
  root.Couple(gate.out, seen.in);
  Simulator run(root);
  run.RunUntil(4s);
  EXPECT_EQ(run.state(seen).samples.size(), 4U);
}

RC_GTEST_PROP(LibraryRunTest,
              PetriNetFiresAsTheLoopThatOneWouldWrite,
              (std::uint64_t seed)) {
  Net net(seed);
  const auto formalism =
      *rc::gen::element(Formalism::kParallel, Formalism::kClassic);
  PetriNet model("net");
  std::vector<const PetriPlace*> places;
  std::vector<const PetriTransition*> transitions;
  for (const std::int64_t tokens : net.tokens) {
    places.push_back(
        &model.AddPlace("place" + std::to_string(places.size()), tokens));
  }
  for (const Net::Transition& transition : net.transitions) {
    auto& added = model.AddTransition(
        "transition" + std::to_string(transitions.size()), transition.delay);
    for (const auto& [place, count] : transition.takes) {
      model.Connect(*places[place], added, count);
    }
    for (const auto& [place, count] : transition.puts) {
      model.Connect(added, *places[place], count);
    }
    transitions.push_back(&added);
  }
  Simulator run(model, {.formalism = formalism});
  run.RunUntil(30s);
  const auto fired = net.Run(30s);
  RC_CLASSIFY(std::accumulate(fired.begin(), fired.end(), std::int64_t{0}) > 30,
              "busy");
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    RC_ASSERT(run.state(*transitions[i]).fired == fired[i]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    RC_ASSERT(run.state(*places[i]).tokens == net.tokens[i]);
  }
}

}  // namespace
}  // namespace orrery::devs
