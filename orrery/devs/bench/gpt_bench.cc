// Compares chains of generator, processor and sink with a loop written by hand:
// over a heap of the events or, if all are due at once, over the chains.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"

namespace {

using namespace std::chrono_literals;
using orrery::BenchReport;
using orrery::Duration;
using orrery::devs::Atomic;
using orrery::devs::Bag;
using orrery::devs::Coupled;
using orrery::devs::In;
using orrery::devs::kPassive;
using orrery::devs::Out;
using orrery::devs::Simulator;
using orrery::devs::Trace;

struct Job {
  int id = 0;

  void Describe(orrery::Record& record) const { record.Add("id", id); }
};

class Generator : public Atomic<Generator> {
 public:
  struct State {
    int next = 0;
  };

  Out<Job> out{this, "out"};

  explicit Generator(Duration period) : period_(period) {}

  [[nodiscard]] Duration TimeAdvance(const State&) const { return period_; }

  void Output(const State& s, Bag& y) const { y.Send(out, {.id = s.next}); }

  void Internal(State& s) const { ++s.next; }

 private:
  Duration period_;
};

class Processor : public Atomic<Processor> {
 public:
  struct State {
    Job job;
    bool is_busy = false;
    Duration sigma = kPassive;
  };

  In<Job> in{this, "in"};
  Out<Job> out{this, "out"};

  explicit Processor(Duration service) : service_(service) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, s.job); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration elapsed, const Bag& x) const {
    if (s.is_busy) {
      s.sigma -= elapsed;
    } else {
      s = {.job = x[in].front(), .is_busy = true, .sigma = service_};
    }
  }

 private:
  Duration service_;
};

class Sink : public Atomic<Sink> {
 public:
  struct State {
    std::int64_t jobs = 0;
  };

  In<Job> in{this, "in"};

  void External(State& s, Duration, const Bag& x) const {
    s.jobs += static_cast<std::int64_t>(x[in].size());
  }
};

// The period of chain `i`: all equal, or all different. Service takes half of
// it.
Duration PeriodOf(std::size_t i, bool is_sync) {
  return is_sync ? Duration(1s)
                 : 500ms + 1us * static_cast<std::int64_t>(i * 2654435761U %
                                                           1'000'003U);
}

struct Totals {
  std::int64_t generated = 0;
  std::int64_t solved = 0;

  friend bool operator==(const Totals&, const Totals&) = default;
};

class Chains {
 public:
  Chains(std::size_t chains, bool is_sync) {
    for (std::size_t i = 0; i < chains; ++i) {
      const std::string number = std::to_string(i);
      const Duration period = PeriodOf(i, is_sync);
      auto& generator = root_.Add<Generator>("generator" + number, period);
      auto& processor = root_.Add<Processor>("processor" + number, period / 2);
      auto& sink = root_.Add<Sink>("sink" + number);
      root_.Couple(generator.out, processor.in);
      root_.Couple(processor.out, sink.in);
      generators_.push_back(&generator);
      sinks_.push_back(&sink);
    }
  }

  [[nodiscard]] const Coupled& root() const { return root_; }

  [[nodiscard]] Totals Count(const Simulator& run) const {
    Totals totals;
    for (std::size_t i = 0; i < sinks_.size(); ++i) {
      totals.generated += run.state(*generators_[i]).next;
      totals.solved += run.state(*sinks_[i]).jobs;
    }
    return totals;
  }

 private:
  Coupled root_{"gpt"};
  std::vector<const Generator*> generators_;
  std::vector<const Sink*> sinks_;
};

// The loop by hand if all chains are in step.
Totals RunInStep(std::size_t chains, Duration end) {
  struct Chain {
    int next = 0;
    Processor::State processor;
    std::int64_t jobs = 0;
  };

  std::vector<Chain> all(chains);
  for (Duration t = 1s; t <= end; t += 500ms) {
    const bool is_generated = t % Duration(1s) == 0s;
    for (Chain& chain : all) {
      if (is_generated) {
        chain.processor = {
            .job = {.id = chain.next}, .is_busy = true, .sigma = 500ms};
        ++chain.next;
      } else {
        chain.processor = {};
        ++chain.jobs;
      }
    }
  }
  Totals totals;
  for (const Chain& chain : all) {
    totals.generated += chain.next;
    totals.solved += chain.jobs;
  }
  return totals;
}

// The event of a generator starts a service and schedules its next one. The
// event of a service counts a job. No models, no messages.
Totals RunByHand(std::size_t chains, bool is_sync, Duration end) {
  if (is_sync) {
    return RunInStep(chains, end);
  }
  Totals totals;

  struct Event {
    std::int64_t time;
    std::uint32_t chain;
    bool is_service;

    bool operator>(const Event& other) const { return time > other.time; }
  };

  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  for (std::uint32_t i = 0; i < chains; ++i) {
    events.push({PeriodOf(i, is_sync).count(), i, false});
  }
  while (events.top().time <= end.count()) {
    const Event event = events.top();
    events.pop();
    if (event.is_service) {
      ++totals.solved;
      continue;
    }
    ++totals.generated;
    const std::int64_t period = PeriodOf(event.chain, is_sync).count();
    events.push({event.time + period, event.chain, false});
    events.push({event.time + period / 2, event.chain, true});
  }
  return totals;
}

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void Measure(BenchReport& report,
             std::size_t models,
             bool is_sync,
             double wanted_transitions) {
  const std::string name =
      (is_sync ? "sync " : "async ") + std::to_string(models) + " models";
  const std::size_t chains = models / 3;
  const double before = ResidentBytes();
  const Chains model(chains, is_sync);
  // Four transitions in a period of a chain.
  const auto periods = static_cast<std::int64_t>(wanted_transitions / 4 /
                                                 static_cast<double>(chains)) +
                       1;
  const Duration part = 1s * periods + 250ms;
  std::optional<Simulator> run(model.root());
  run->RunUntil(part);  // Warms up.
  const double bytes = ResidentBytes() - before;
  const auto count = [&] {
    const auto& s = run->statistics();
    return s.internal + s.external + 2 * s.confluent;
  };
  const std::int64_t first = count();
  Totals by_hand;
  const auto [ours, limit] = orrery::MedianSecondsOfBoth(
      [&] { run->RunUntil(run->now() + part); },
      [&] { by_hand = RunByHand(chains, is_sync, part); },
      1);
  const auto transitions = static_cast<double>(count() - first) / 2;
  const bool is_right =
      model.Count(*run) == RunByHand(chains, is_sync, run->now()) &&
      by_hand.generated > 0;
  report.Add(name,
             ours / transitions * 1e9,
             limit / transitions * 1e9,
             "ns/transition",
             is_right);
  if (bytes > 4e6) {  // Below that, freed memory is reused.
    report.Add(name + ", memory",
               bytes / static_cast<double>(models),
               {},
               "bytes/model",
               is_right);
  }
}

// Measures the cost of a trace of all messages to a file, beside the bare run.
void MeasureTrace(BenchReport& report, double wanted_transitions) {
  const Chains model(333, false);
  const auto periods = static_cast<std::int64_t>(wanted_transitions / 4 / 333);
  const Duration end = 1s * periods;
  const auto path =
      std::filesystem::temp_directory_path() / "orrery_gpt_bench.csv";
  Totals bare;
  Totals traced;
  const auto [ours, limit] = orrery::MedianSecondsOfBoth(
      [&] {
        Simulator run(model.root());
        std::ofstream out(path);
        Trace trace(out, Trace::Format::kCsv, {.states = false});
        run.Observe(trace);
        run.RunUntil(end);
        traced = model.Count(run);
      },
      [&] {
        Simulator run(model.root());
        run.RunUntil(end);
        bare = model.Count(run);
      },
      3);
  std::ifstream written(path);
  const auto lines = std::count(std::istreambuf_iterator<char>(written),
                                std::istreambuf_iterator<char>(),
                                '\n');
  std::filesystem::remove(path);
  const double scale = 1e9 / wanted_transitions;
  report.Add("async 999 models, messages as CSV",
             ours * scale,
             limit * scale,
             "ns/transition",
             bare == traced && lines == 1 + traced.generated + traced.solved);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  BenchReport report("gpt");
  for (const bool is_sync : {false, true}) {
    for (const std::size_t models : {99U, 999U, 9'999U, 99'999U, 999'999U}) {
      if (!is_smoke || models < 1000) {
        Measure(report, models, is_sync, is_smoke ? 1e4 : 1e7);
      }
    }
  }
  MeasureTrace(report, is_smoke ? 1e4 : 1e6);
  return report.ExitCode();
}
