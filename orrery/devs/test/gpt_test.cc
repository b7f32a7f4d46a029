// Generators, processors and transducers: cases of Zeigler's book, and results
// on which several public engines agree.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/numbers/random.h"
#include "orrery/devs/reference.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

struct NumberedJob {
  int id = 0;
};

/// Sends a job at `first` and then after each of `period(id)`, until it is
/// stopped.
class JobGenerator : public Atomic<JobGenerator> {
 public:
  struct State {
    int next = 0;
    Duration sigma{};
  };

  In<bool> stop{this, "stop"};
  Out<NumberedJob> out{this, "out"};

  JobGenerator(Duration first, std::function<Duration(int)> period)
      : first_(first), period_(std::move(period)) {}

  State Initial() const { return {.sigma = first_}; }

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const {
    y.Send(out, NumberedJob{s.next});
  }

  void Internal(State& s) const { s.sigma = period_(s.next++); }

  void External(State& s, Duration /*elapsed*/, const Bag& /*x*/) const {
    s.sigma = kPassive;
  }

 private:
  Duration first_;
  std::function<Duration(int)> period_;
};

/// Serves a job at a time for `service(id)`; jobs that arrive meanwhile are
/// lost.
class JobProcessor : public Atomic<JobProcessor> {
 public:
  struct State {
    std::optional<NumberedJob> job;
    Duration sigma = kPassive;
  };

  In<NumberedJob> in{this, "in"};
  Out<NumberedJob> out{this, "out"};

  explicit JobProcessor(std::function<Duration(int)> service)
      : service_(std::move(service)) {}

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, *s.job); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration elapsed, const Bag& x) const {
    if (s.job) {
      s.sigma -= elapsed;
    } else {
      s = {.job = x[in].front(), .sigma = service_(x[in].front().id)};
    }
  }

 private:
  std::function<Duration(int)> service_;
};

struct FrameReport {
  int arrived = 0;
  int solved = 0;
  Duration turnaround{};  ///< Mean.
  double throughput = 0;  ///< Per second.

  friend bool operator==(const FrameReport&, const FrameReport&) = default;
};

/// Watches jobs for a time and reports.
class JobTransducer : public Atomic<JobTransducer> {
 public:
  struct State {
    Duration now{};
    Duration sigma{};
    std::map<int, Duration> arrivals;
    int solved = 0;
    Duration turnaround{};  // Sum.
  };

  In<NumberedJob> arrived{this, "arrived"};
  In<NumberedJob> solved{this, "solved"};
  Out<FrameReport> report{this, "report"};
  Out<bool> stop{this, "stop"};

  explicit JobTransducer(Duration observation) : observation_(observation) {}

  State Initial() const { return {.sigma = observation_, .arrivals = {}}; }

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const {
    const double seconds = std::chrono::duration<double>(observation_).count();
    y.Send(report,
           FrameReport{.arrived = static_cast<int>(s.arrivals.size()),
                       .solved = s.solved,
                       .turnaround = s.turnaround / s.solved,
                       .throughput = s.solved / seconds});
    y.Send(stop, true);
  }

  void Internal(State& s) const { s.sigma = kPassive; }

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.now += elapsed;
    if (s.sigma != kPassive) {
      s.sigma -= elapsed;
    }
    for (const NumberedJob& job : x[arrived]) {
      s.arrivals.emplace(job.id, s.now);
    }
    for (const NumberedJob& job : x[solved]) {
      ++s.solved;
      s.turnaround += s.now - s.arrivals.at(job.id);
    }
  }

 private:
  Duration observation_;
};

/// Keeps messages with their times.
template <typename T>
class JobSink : public Atomic<JobSink<T>> {
 public:
  struct State {
    Duration now{};
    std::vector<std::pair<Duration, T>> received;
  };

  In<T> in{this, "in"};

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.now += elapsed;
    for (const T& message : x[in]) {
      s.received.emplace_back(s.now, message);
    }
  }
};

std::function<Duration(int)> Always(Duration duration) {
  return [duration](int) {
    return duration;
  };
}

/// An engine and a formalism.
struct Engine {
  bool is_reference;
  Formalism formalism;

  // Runs until `end` and calls `look`.
  template <typename Look>
  void Run(const Coupled& model, Duration end, Look look) const {
    const Options options{.formalism = formalism};
    if (is_reference) {
      ReferenceSimulator run(model, options);
      run.RunUntil(end);
      look(run);
    } else {
      Simulator run(model, options);
      run.RunUntil(end);
      look(run);
    }
  }
};

class GptTest : public testing::TestWithParam<Engine> {};

INSTANTIATE_TEST_SUITE_P(Engines,
                         GptTest,
                         testing::Values(Engine{false, Formalism::kParallel},
                                         Engine{false, Formalism::kClassic},
                                         Engine{true, Formalism::kParallel},
                                         Engine{true, Formalism::kClassic}),
                         [](const auto& engine) {
                           return std::string(engine.param.is_reference
                                                  ? "Reference"
                                                  : "Engine") +
                                  (engine.param.formalism == Formalism::kClassic
                                       ? "Classic"
                                       : "Parallel");
                         });

// The report of generator, processor and transducer. Nothing is due at the end.
FrameReport RunGpt(const Engine& engine,
                   Duration period,
                   Duration service,
                   Duration observation) {
  Coupled gpt("gpt");
  auto& generator = gpt.Add<JobGenerator>("generator", period, Always(period));
  auto& processor = gpt.Add<JobProcessor>("processor", Always(service));
  auto& transducer = gpt.Add<JobTransducer>("transducer", observation);
  auto& sink = gpt.Add<JobSink<FrameReport>>("sink");
  gpt.Couple(generator.out, processor.in);
  gpt.Couple(generator.out, transducer.arrived);
  gpt.Couple(processor.out, transducer.solved);
  gpt.Couple(transducer.report, sink.in);
  gpt.Couple(transducer.stop, generator.stop);
  // In classic DEVS the report comes first, then the processor, then the
  // generator.
  const std::vector<const Model*> order = {&transducer, &processor, &generator};
  gpt.SetPriority(order);
  FrameReport report;
  engine.Run(gpt, observation + service, [&](const auto& run) {
    ASSERT_EQ(run.state(sink).received.size(), 1U);
    EXPECT_EQ(run.state(sink).received[0].first, observation);
    EXPECT_EQ(run.next_time(), kPassive);
    report = run.state(sink).received[0].second;
  });
  return report;
}

TEST_P(GptTest, ReportsWhatArrivedBeforeItsOutput) {
  EXPECT_EQ(
      RunGpt(GetParam(), 1s, 1s, 5s),
      (FrameReport{
          .arrived = 4, .solved = 3, .turnaround = 1s, .throughput = 0.6}));
}

TEST_P(GptTest, LosesWhatComesWhileTheProcessorIsBusy) {
  EXPECT_EQ(
      RunGpt(GetParam(), 1s, 3s, 100s),
      (FrameReport{
          .arrived = 99, .solved = 32, .turnaround = 3s, .throughput = 0.32}));
}

/// Generator and transducer around the model under test.
class Frame : public Coupled {
 public:
  In<NumberedJob> in{this, "in"};
  Out<NumberedJob> out{this, "out"};
  Out<FrameReport> report{this, "report"};

  Frame(Duration period, Duration observation) {
    auto& generator = Add<JobGenerator>("generator", 0s, Always(period));
    auto& transducer = Add<JobTransducer>("transducer", observation);
    Couple(generator.out, out);
    Couple(generator.out, transducer.arrived);
    Couple(in, transducer.solved);
    Couple(transducer.report, report);
    Couple(transducer.stop, generator.stop);
    const std::vector<const Model*> order = {&transducer, &generator};
    SetPriority(order);
  }
};

FrameReport RunEfp(const Engine& engine,
                   Duration period,
                   Duration service,
                   Duration observation) {
  Coupled efp("efp");
  auto& frame = efp.Add<Frame>("frame", period, observation);
  auto& processor = efp.Add<JobProcessor>("processor", Always(service));
  auto& sink = efp.Add<JobSink<FrameReport>>("sink");
  efp.Couple(frame.out, processor.in);
  efp.Couple(processor.out, frame.in);
  efp.Couple(frame.report, sink.in);
  const std::vector<const Model*> order = {&processor, &frame};
  efp.SetPriority(order);
  FrameReport report;
  engine.Run(efp, observation, [&](const auto& run) {
    ASSERT_EQ(run.state(sink).received.size(), 1U);
    report = run.state(sink).received[0].second;
  });
  return report;
}

TEST_P(GptTest, OfAnExperimentalFrameCountsFromZero) {
  EXPECT_EQ(
      RunEfp(GetParam(), 1s, 3s, 100s),
      (FrameReport{
          .arrived = 100, .solved = 33, .turnaround = 3s, .throughput = 0.33}));
}

TEST_P(GptTest, OfAnExperimentalFrameSolvesAllOfFewJobs) {
  EXPECT_EQ(
      RunEfp(GetParam(), 3s, 1s, 50s),
      (FrameReport{
          .arrived = 17, .solved = 17, .turnaround = 1s, .throughput = 0.34}));
}

// Chains ----------------------------------------------------------------------

constexpr int kChains = 100;
constexpr Duration kHorizon = 100370ms;

struct Chains {
  Coupled root{"chains"};
  std::vector<const JobSink<NumberedJob>*> sinks;

  // Chain i with `period(i, id)` and `service(i, id)`. If both are due, the
  // processor comes before the generator.
  template <typename Period, typename Service>
  Chains(Period period, Service service) {
    for (int i = 0; i < kChains; ++i) {
      const auto period_of = [=](int id) {
        return period(i, id);
      };
      const auto service_of = [=](int id) {
        return service(i, id);
      };
      const std::string number = std::to_string(i);
      auto& processor =
          root.Add<JobProcessor>("processor" + number, service_of);
      auto& generator = root.Add<JobGenerator>(
          "generator" + number, period_of(-1), period_of);
      auto& sink = root.Add<JobSink<NumberedJob>>("sink" + number);
      root.Couple(generator.out, processor.in);
      root.Couple(processor.out, sink.in);
      sinks.push_back(&sink);
    }
  }
};

// In each chain jobs 0 to 99 come at 1 s to 100 s, and all but the last leave
// half a second later: 100 + 99 events and as many inputs.
TEST_P(GptTest, ChainsInStepCountAsTheyMust) {
  const Chains chains([](int, int) { return 1s; },
                      [](int, int) { return 500ms; });
  GetParam().Run(chains.root, kHorizon, [&](const auto& run) {
    const Statistics& statistics = run.statistics();
    EXPECT_EQ(statistics.internal, kChains * (100 + 99));
    EXPECT_EQ(statistics.external, kChains * (100 + 99));
    EXPECT_EQ(statistics.confluent, 0);
    EXPECT_EQ(statistics.messages, kChains * (100 + 99));
    EXPECT_EQ(statistics.microsteps,
              GetParam().formalism == Formalism::kParallel
                  ? 100 + 99
                  : kChains * (100 + 99));
    EXPECT_EQ(run.now(), kHorizon);
    EXPECT_EQ(run.next_time(), 100500ms);
    for (const auto* sink : chains.sinks) {
      const auto& received = run.state(*sink).received;
      ASSERT_EQ(received.size(), 99U);
      for (int k = 0; k < 99; ++k) {
        const auto& [time, job] = received[static_cast<std::size_t>(k)];
        ASSERT_EQ(time, (k + 1) * 1000ms + 500ms);
        ASSERT_EQ(job.id, k);
      }
    }
  });
}

// A random but reproducible number of milliseconds, up to `most`.
Duration ByChance(const char* name, int chain, int id, std::int64_t most) {
  RandomStream stream(11, name);
  stream.Seek(static_cast<std::uint64_t>(2000 * (chain + 1) + id));
  return Duration(1ms) *
         (1 + static_cast<std::int64_t>(stream.Next() %
                                        static_cast<std::uint64_t>(most)));
}

// The same results by a queue of events and three variables a chain.
std::vector<std::vector<std::pair<Duration, int>>> RunByHand(
    const std::function<Duration(int, int)>& period,
    const std::function<Duration(int, int)>& service) {
  enum Kind { kLeave, kArrive };

  using Event = std::tuple<Duration, Kind, int>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<int> next(kChains, 0);
  std::vector<std::optional<int>> job(kChains);
  std::vector<std::vector<std::pair<Duration, int>>> left(kChains);
  for (int i = 0; i < kChains; ++i) {
    events.emplace(period(i, -1), kArrive, i);
  }
  while (std::get<Duration>(events.top()) <= kHorizon) {
    const auto [time, kind, chain] = events.top();
    const auto i = static_cast<std::size_t>(chain);
    events.pop();
    if (kind == kLeave) {
      left[i].emplace_back(time, *job[i]);
      job[i].reset();
      continue;
    }
    if (!job[i]) {
      job[i] = next[i];
      events.emplace(time + service(chain, next[i]), kLeave, chain);
    }
    events.emplace(time + period(chain, next[i]), kArrive, chain);
    ++next[i];
  }
  return left;
}

TEST_P(GptTest, ChainsOfAnyPeriodsDoWhatAPlainLoopDoes) {
  const auto period = [](int chain, int id) {
    return ByChance("period", chain, id, 2000);
  };
  const auto service = [](int chain, int id) {
    return ByChance("service", chain, id, 1500);
  };
  const Chains chains(period, service);
  const auto expected = RunByHand(period, service);
  GetParam().Run(chains.root, kHorizon, [&](const auto& run) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<std::pair<Duration, int>> left;
      for (const auto& [time, job] : run.state(*chains.sinks[i]).received) {
        left.emplace_back(time, job.id);
      }
      ASSERT_EQ(left, expected[i]) << "chain " << i;
      total += left.size();
    }
    EXPECT_GT(total, 5000U);
  });
}

}  // namespace
}  // namespace orrery::devs
