#include "orrery/devs/library.h"

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// The recorded samples: "1:7" for a 7 at 1 s.
template <typename S>
std::string TextOf(const S& state) {
  std::ostringstream text;
  for (const auto& sample : state.samples) {
    text << (text.tellp() > 0 ? " " : "") << Seconds(sample.time).value << ':'
         << sample.value;
  }
  return text.str();
}

std::string Refusal(const std::function<void()>& act) {
  try {
    act();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// A model of the library between an input and a recorder.
template <typename M>
struct Bench : Coupled {
  In<int> in{this, "in"};
  M& part;
  Recorder<int>& seen = Add<Recorder<int>>("seen");

  template <typename... Arguments>
  explicit Bench(Arguments&&... arguments)
      : Coupled("bench"),
        part(Add<M>("part", std::forward<Arguments>(arguments)...)) {
    Couple(in, part.in);
    Couple(part.out, seen.in);
  }
};

// ------------------------------------------------------------ sources

TEST(GeneratorTest, SendsAMessageAPeriodFromTheFirstTimeUpToItsLimit) {
  Coupled root("root");
  auto& late = root.Add<Generator<int>>("late", 2s);
  auto& soon = root.Add<Generator<int>>(
      "soon", 2s, GeneratorOptions<int>{.first = 500ms, .limit = 3});
  auto& a = root.Add<Recorder<int>>("a");
  auto& b = root.Add<Recorder<int>>("b");
  root.Couple(late.out, a.in);
  root.Couple(soon.out, b.in);
  Simulator run(root);
  run.RunUntil(8s);
  EXPECT_EQ(TextOf(run.state(a)), "2:0 4:1 6:2 8:3");
  EXPECT_EQ(TextOf(run.state(b)), "0.5:0 2.5:1 4.5:2");
}

TEST(GeneratorTest, SignalStopsIt) {
  Coupled root("root");
  auto& source = root.Add<Generator<int>>("source", 1s);
  auto& stop = root.Add<Generator<Signal>>(
      "stop",
      3s,
      GeneratorOptions<Signal>{.make = [](std::int64_t, RandomStream&) {
        return Signal();
      }});
  auto& seen = root.Add<Recorder<int>>("seen");
  root.Couple(source.out, seen.in);
  root.Couple(stop.out, source.stop);
  Simulator run(root);
  run.RunUntil(100s);
  EXPECT_EQ(TextOf(run.state(seen)), "1:0 2:1 3:2");
}

TEST(GeneratorTest, MakesMessagesByAFunctionOfNumberAndChance) {
  Coupled root("root");
  auto& source = root.Add<Generator<double>>(
      "source",
      1s,
      GeneratorOptions<double>{
          .make = [](std::int64_t number, RandomStream& random) {
            return static_cast<double>(number) + random.Uniform01();
          }});
  auto& seen = root.Add<Recorder<double>>("seen");
  root.Couple(source.out, seen.in);
  Simulator run(root, {.seed = 7});
  run.RunUntil(20s);
  RandomStream same(7, "root.source.content");
  const auto& samples = run.state(seen).samples;
  ASSERT_EQ(samples.size(), 20U);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].value, static_cast<double>(i) + same.Uniform01());
  }
}

TEST(GeneratorTest, ExponentialSpacingsMakeAPoissonProcess) {
  Coupled root("root");
  auto& source =
      root.Add<Generator<>>("source", Distribution::Exponential(0.01));
  Simulator run(root);
  run.RunUntil(10'000s);
  // A Poisson number with mean 1e6: within 4 standard deviations of 1000.
  EXPECT_NEAR(static_cast<double>(run.state(source).sent), 1e6, 4000);
}

TEST(ClockTest, SendsTheNumberOfEachTick) {
  Coupled root("root");
  auto& clock = root.Add<Clock>("clock", 250ms, 100ms);
  auto& seen = root.Add<Recorder<std::int64_t>>("seen");
  root.Couple(clock.tick, seen.in);
  Simulator run(root);
  run.RunUntil(1s);
  EXPECT_EQ(TextOf(run.state(seen)), "0.1:0 0.35:1 0.6:2 0.85:3");
}

TEST(RandomSourceTest, SendsTheDrawsOfItsStream) {
  Coupled root("root");
  auto& source =
      root.Add<RandomSource>("source", 1s, Distribution::Normal(5, 2));
  auto& seen = root.Add<Recorder<double>>("seen");
  root.Couple(source.out, seen.in);
  Simulator run(root, {.seed = 3});
  run.RunUntil(100s);
  RandomStream same(3, "root.source.values");
  ASSERT_EQ(run.state(seen).samples.size(), 100U);
  for (const auto& sample : run.state(seen).samples) {
    EXPECT_EQ(sample.value, same.Normal(5, 2));
  }
}

TEST(DistributionTest, DrawsWhatTheStreamDraws) {
  const std::vector<
      std::pair<Distribution, std::function<double(RandomStream&)>>>
      cases = {
          {Distribution::Exponential(2),
           [](RandomStream& r) {
             return r.Exponential(2);
           }},
          {Distribution::Uniform(1, 3),
           [](RandomStream& r) {
             return r.Uniform(1, 3);
           }},
          {Distribution::Normal(1, 3),
           [](RandomStream& r) {
             return r.Normal(1, 3);
           }},
          {Distribution::LogNormal(0, 0.5),
           [](RandomStream& r) {
             return r.LogNormal(0, 0.5);
           }},
          {Distribution::Gamma(3, 0.5),
           [](RandomStream& r) {
             return r.Gamma(3, 0.5);
           }},
          {Distribution::Beta(2, 5),
           [](RandomStream& r) {
             return r.Beta(2, 5);
           }},
          {Distribution::Weibull(2, 5),
           [](RandomStream& r) {
             return r.Weibull(2, 5);
           }},
          {Distribution::Triangular(1, 2, 5),
           [](RandomStream& r) {
             return r.Triangular(1, 2, 5);
           }},
          {Distribution::Poisson(4),
           [](RandomStream& r) {
             return static_cast<double>(r.Poisson(4));
           }},
          {Distribution::Empirical({1, 2, 5}),
           [](RandomStream& r) {
             return r.Empirical(std::vector<double>{1, 2, 5});
           }},
      };
  for (const auto& [distribution, draw] : cases) {
    RandomStream a(1, "a");
    RandomStream b(1, "a");
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(distribution.Draw(a), draw(b)) << distribution.text();
    }
  }
}

// ------------------------------------------------------------ servers

TEST(ProcessorTest, LosesWhatComesWhileItWorksAndTakesWhatComesAsItEnds) {
  const Bench<Processor<int>> bench(Duration(2s));
  Simulator run(bench);
  for (const int second : {1, 2, 3, 4}) {
    run.Inject(bench.in, second, std::chrono::seconds(second));
  }
  run.RunUntil(10s);
  EXPECT_EQ(TextOf(run.state(bench.seen)), "3:1 5:3");
  EXPECT_EQ(run.state(bench.part).lost, 2);
  EXPECT_EQ(run.state(bench.part).served, 2);
}

struct Till : Coupled {
  In<Job> in{this, "in"};
  Queue<>& queue;
  Processor<>& worker = Add<Processor<>>("worker", 10s);
  Recorder<Job>& seen = Add<Recorder<Job>>("seen");

  explicit Till(WaitingOptions<Job> options)
      : Coupled("till"), queue(Add<Queue<>>("queue", 1, std::move(options))) {
    Couple(in, queue.in);
    Couple(queue.out, worker.in);
    Couple(worker.out, queue.done);
    Couple(worker.out, seen.in);
  }

  // Numbers of the jobs in the order of service, for jobs with these priorities
  // that arrive at 1 s, 2 s, ...
  std::vector<std::int64_t> Serve(const std::vector<double>& priorities,
                                  std::int64_t* lost = nullptr) const {
    Simulator run(*this);
    std::int64_t id = 0;
    for (const double priority : priorities) {
      ++id;
      run.Inject(
          in, Job{.id = id, .priority = priority}, std::chrono::seconds(id));
    }
    run.RunUntil(1h);
    std::vector<std::int64_t> served;
    for (const auto& sample : run.state(seen).samples) {
      served.push_back(sample.value.id);
    }
    if (lost != nullptr) {
      *lost = run.state(queue).lost;
    }
    EXPECT_EQ(run.state(worker).lost, 0);
    return served;
  }
};

TEST(QueueTest, ServesInTheOrderOfItsDiscipline) {
  const std::vector<double> priorities = {0, 1, 3, 3, 2};
  EXPECT_THAT(Till({}).Serve(priorities), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(
      Till({.discipline = Discipline::kLastComeFirstServed}).Serve(priorities),
      ElementsAre(1, 5, 4, 3, 2));
  EXPECT_THAT(Till({.discipline = Discipline::kPriority}).Serve(priorities),
              ElementsAre(1, 2, 5, 3, 4));
  EXPECT_THAT(Till({.discipline = Discipline::kPriority,
                    .priority =
                        [](const Job& job) {
                          return -job.priority;
                        }})
                  .Serve(priorities),
              ElementsAre(1, 3, 4, 5, 2));
}

TEST(QueueTest, LosesWhatComesWhenItIsFull) {
  std::int64_t lost = 0;
  EXPECT_THAT(Till({.capacity = 2}).Serve({0, 0, 0, 0, 0}, &lost),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(lost, 2);
}

TEST(QueueTest, FeedsAsManyUnitsAsItIsSaid) {
  Coupled root("root");
  auto& source = root.Add<Generator<int>>(
      "source", 1s, GeneratorOptions<int>{.first = 0s, .limit = 6});
  auto& queue = root.Add<Queue<int>>("queue", 3);
  auto& road = root.Add<Delay<int>>("road", 10s);
  auto& seen = root.Add<Recorder<int>>("seen");
  root.Couple(source.out, queue.in);
  root.Couple(queue.out, road.in);
  root.Couple(road.out, queue.done);
  root.Couple(road.out, seen.in);
  Simulator run(root);
  run.RunUntil(100s);
  EXPECT_EQ(TextOf(run.state(seen)), "10:0 11:1 12:2 20:3 21:4 22:5");
}

TEST(QueueTest, MessageOfAUnitThatHasNoJobEndsTheRun) {
  Coupled root("root");
  auto& source = root.Add<Generator<int>>("source", 1s);
  auto& queue = root.Add<Queue<int>>("queue", 2);
  root.Couple(source.out, queue.done);
  Simulator run(root);
  EXPECT_THAT(
      Refusal([&] { run.RunUntil(1s); }),
      testing::AllOf(HasSubstr("root.queue"),
                     HasSubstr("cannot free a unit of a queue: 3 of 2 would be "
                               "free; couple to 'done' only what works on its "
                               "jobs")));
}

// Jobs at 1 s, 2 s, ..., 5 s.
void SendFive(const Bench<Server<int>>& bench, Simulator& run) {
  for (int second = 1; second <= 5; ++second) {
    run.Inject(bench.in, second, std::chrono::seconds(second));
  }
}

TEST(ServerTest, WorksOnAsManyJobsAsItHasUnits) {
  const Bench<Server<int>> bench(Duration(10s), 2);
  Simulator run(bench);
  SendFive(bench, run);
  run.RunUntil(100s);
  EXPECT_EQ(TextOf(run.state(bench.seen)), "11:1 12:2 21:3 22:4 31:5");
}

TEST(ServerTest, SumsWhatItHasDone) {
  const Bench<Server<int>> bench(Duration(10s), 2);
  Simulator run(bench);
  SendFive(bench, run);
  run.RunUntil(20s);
  const ServerTotals t =
      Server<int>::TotalsAt(run.state(bench.part), run.now());
  EXPECT_EQ(t.arrived, 5);
  EXPECT_EQ(t.started, 4);
  EXPECT_EQ(t.served, 2);
  EXPECT_EQ(t.waited_s, 8 + 8);
  EXPECT_EQ(t.stayed_s, 10 + 10);
  EXPECT_EQ(t.waiting_s, (11 - 3) + (12 - 4) + (20 - 5));
  EXPECT_EQ(t.busy_s, 10 + 10 + (20 - 11) + (20 - 12));
}

TEST(ServerTest, LosesWhatFindsNoPlaceToWait) {
  const Bench<Server<int>> bench(
      Duration(10s), 2, WaitingOptions<int>{.capacity = 1});
  Simulator run(bench);
  SendFive(bench, run);
  run.RunUntil(100s);
  EXPECT_EQ(TextOf(run.state(bench.seen)), "11:1 12:2 21:3");
  EXPECT_EQ(run.state(bench.part).totals.lost, 2);
}

RC_GTEST_PROP(ServerTest,
              LittlesLawHoldsExactlyOverABusyPeriod,
              (std::uint64_t seed)) {
  const auto units = *rc::gen::inRange<std::int64_t>(1, 5);
  Coupled root("root");
  auto& source = root.Add<Generator<>>("source",
                                       Distribution::Exponential(1),
                                       GeneratorOptions<Job>{.limit = 50});
  auto& server =
      root.Add<Server<>>("server", Distribution::Gamma(2, 0.6), units);
  root.Couple(source.out, server.in);
  Simulator run(root, {.seed = seed});
  run.RunUntil(100'000s);
  const ServerTotals& t = run.state(server).totals;
  RC_ASSERT(t.served == 50);
  RC_ASSERT(std::abs(t.waiting_s + t.busy_s - t.stayed_s) < 1e-9 * t.stayed_s);
  RC_ASSERT(std::abs(t.waiting_s - t.waited_s) <= 1e-9 * t.stayed_s);
}

// ------------------------------------------------------------ routing

struct Fork : Coupled {
  In<int> in{this, "in"};
  Switch<int>& fork;
  Recorder<int>& a = Add<Recorder<int>>("a");
  Recorder<int>& b = Add<Recorder<int>>("b");

  explicit Fork(Route<int> route)
      : Coupled("road"), fork(Add<Switch<int>>("fork", 2, std::move(route))) {
    Couple(in, fork.in);
    Couple(fork.out(0), a.in);
    Couple(fork.out(1), b.in);
  }
};

std::string Fed(const Fork& road, Simulator& run) {
  for (int i = 1; i <= 5; ++i) {
    run.Inject(road.in, i, std::chrono::seconds(i));
  }
  run.RunUntil(10s);
  return TextOf(run.state(road.a)) + " | " + TextOf(run.state(road.b));
}

TEST(SwitchTest, RoutesInTurn) {
  const Fork road(Route<int>::RoundRobin());
  Simulator run(road);
  EXPECT_EQ(Fed(road, run), "1:1 3:3 5:5 | 2:2 4:4");
}

TEST(SwitchTest, RoutesByAPredicate) {
  const Fork road(Route<int>::If([](const int& i) { return i > 3; }));
  Simulator run(road);
  EXPECT_EQ(Fed(road, run), "4:4 5:5 | 1:1 2:2 3:3");
}

TEST(SwitchTest, RoutesByProbability) {
  const Fork road(Route<int>::WithProbabilities({1, 3}));
  Simulator run(road);
  for (int i = 0; i < 10'000; ++i) {
    run.Inject(road.in, i, std::chrono::milliseconds(i));
  }
  run.RunUntil(1h);
  const auto first = static_cast<double>(run.state(road.a).samples.size());
  EXPECT_NEAR(first, 2500, 4 * std::sqrt(10'000 * 0.25 * 0.75));
  EXPECT_EQ(run.state(road.a).samples.size() + run.state(road.b).samples.size(),
            10'000U);
}

TEST(SwitchTest, RouteToAnOutputThatIsNotThereEndsTheRun) {
  const Fork road(Route<int>::By([](const int&) -> std::size_t { return 2; }));
  Simulator run(road);
  EXPECT_THAT(Refusal([&] { Fed(road, run); }),
              testing::AllOf(
                  HasSubstr("road.fork"),
                  HasSubstr("cannot send a message by output 2: the switch "
                            "has 2, counted from 0; let its route choose one "
                            "of them")));
}

TEST(MergeTest, SendsOnInTheOrderOfItsInputs) {
  Coupled root("root");
  auto& merge = root.Add<Merge<int>>("merge", 2);
  auto& seen = root.Add<Recorder<int>>("seen");
  auto& a =
      root.Add<Generator<int>>("a", 1s, GeneratorOptions<int>{.limit = 2});
  auto& b = root.Add<Generator<int>>(
      "b",
      1s,
      GeneratorOptions<int>{.limit = 3,
                            .make = [](std::int64_t n, RandomStream&) {
                              return 10 + static_cast<int>(n);
                            }});
  root.Couple(a.out, merge.in(1));
  root.Couple(b.out, merge.in(0));
  root.Couple(merge.out, seen.in);
  Simulator run(root);
  run.RunUntil(5s);
  EXPECT_EQ(TextOf(run.state(seen)), "1:10 1:0 2:11 2:1 3:12");
}

TEST(DelayTest, SendsOnEachMessageAfterItsDelay) {
  const Bench<Delay<int>> bench(Duration(1500ms));
  Simulator run(bench);
  run.Inject(bench.in, 1, 1s);
  run.Inject(bench.in, 2, 1s);
  run.Inject(bench.in, 3, 2s);
  run.RunUntil(10s);
  EXPECT_EQ(TextOf(run.state(bench.seen)), "2.5:1 2.5:2 3.5:3");
}

TEST(DelayTest, MessageOfAShorterDelayOvertakes) {
  int calls = 0;
  const Distribution falling(
      "falling", [&calls](RandomStream&) { return calls++ == 0 ? 3.0 : 1.0; });
  const Bench<Delay<int>> bench(falling);
  Simulator run(bench);
  run.Inject(bench.in, 1, 1s);
  run.Inject(bench.in, 2, 2s);
  run.Inject(bench.in, 3, 3s);
  run.RunUntil(10s);
  EXPECT_EQ(TextOf(run.state(bench.seen)), "3:2 4:1 4:3");
}

TEST(DelayTest, WhatIsDueBeyondTheRangeOfTimesNeverLeaves) {
  const Bench<Delay<int>> bench(Duration::max() - 1s);
  Simulator run(bench);
  run.Inject(bench.in, 1, 500ms);
  run.Inject(bench.in, 2, 2s);
  run.RunUntil(10s);
  EXPECT_EQ(run.next_time(), Duration::max() - 500ms);
  run.RunUntil(kPassive);
  EXPECT_EQ(run.state(bench.seen).samples.size(), 1U);
  EXPECT_EQ(run.state(bench.part).pending.size(), 1U);
}

TEST(DelayTest, TimeThatIsNotOneEndsTheRunWithItsDistribution) {
  const Distribution bad("sqrt(-1)",
                         [](RandomStream&) { return std::nan(""); });
  const Bench<Delay<int>> bench(bad);
  Simulator run(bench);
  run.Inject(bench.in, 1, 1s);
  EXPECT_THAT(Refusal([&] { run.RunUntil(10s); }),
              testing::AllOf(HasSubstr("bench.part"),
                             HasSubstr("t = 1 s"),
                             HasSubstr("cannot take nan s, drawn from "
                                       "sqrt(-1), for a time")));
}

// ------------------------------------------------------------ measures

// Generator, processor and transducer; the generator is stopped when the
// transducer reports.
struct Gpt : Coupled {
  Generator<>& generator;
  Processor<>& processor;
  Transducer<>& transducer;
  Sink<Report>& report = Add<Sink<Report>>("report");

  Gpt(Duration period,
      Duration processing,
      Duration observation,
      GeneratorOptions<Job> options = {})
      : Coupled("gpt"),
        generator(Add<Generator<>>("generator", period, std::move(options))),
        processor(Add<Processor<>>("processor", processing)),
        transducer(Add<Transducer<>>("transducer", observation)) {
    Couple(generator.out, processor.in);
    Couple(generator.out, transducer.arrived);
    Couple(processor.out, transducer.solved);
    Couple(transducer.report, report.in);
    Couple(transducer.done, generator.stop);
  }
};

template <typename M>
void ExpectReport(const M& model, Options options, const Report& expected) {
  Simulator run(model, std::move(options));
  run.RunUntil(1000s);
  ASSERT_EQ(run.state(model.report).count, 1);
  const Report& report = *run.state(model.report).last;
  EXPECT_EQ(report.arrived, expected.arrived);
  EXPECT_EQ(report.solved, expected.solved);
  EXPECT_EQ(report.mean_turnaround_s, expected.mean_turnaround_s);
  EXPECT_DOUBLE_EQ(report.throughput_per_s, expected.throughput_per_s);
}

TEST(TransducerTest, ReportsThePublishedNumbersOfGpt) {
  ExpectReport(Gpt(1s, 1s, 5s),
               {},
               {.arrived = 4,
                .solved = 3,
                .mean_turnaround_s = 1,
                .throughput_per_s = 0.6});
  ExpectReport(Gpt(1s, 3s, 100s),
               {},
               {.arrived = 99,
                .solved = 32,
                .mean_turnaround_s = 3,
                .throughput_per_s = 0.32});
}

// The experimental frame as a model of its own; only jobs pass between it and
// the model under test.
struct LibraryFrame : Coupled {
  In<Job> solved{this, "solved"};
  Out<Job> jobs{this, "jobs"};
  Out<Report> report{this, "report"};

  LibraryFrame(Duration period, Duration observation) {
    auto& generator = Add<Generator<>>(
        "generator", period, GeneratorOptions<Job>{.first = 0s});
    auto& transducer = Add<Transducer<>>("transducer", observation);
    Couple(generator.out, jobs);
    Couple(generator.out, transducer.arrived);
    Couple(solved, transducer.solved);
    Couple(transducer.report, report);
    Couple(transducer.done, generator.stop);
  }
};

struct Efp : Coupled {
  LibraryFrame& frame;
  Processor<>& processor;
  Sink<Report>& report = Add<Sink<Report>>("report");

  Efp(Duration period, Duration processing, Duration observation)
      : Coupled("efp"),
        frame(Add<LibraryFrame>("frame", period, observation)),
        processor(Add<Processor<>>("processor", processing)) {
    Couple(frame.jobs, processor.in);
    Couple(processor.out, frame.solved);
    Couple(frame.report, report.in);
  }
};

TEST(TransducerTest, ReportsThePublishedNumbersOfEfp) {
  ExpectReport(Efp(1s, 3s, 100s),
               {},
               {.arrived = 100,
                .solved = 33,
                .mean_turnaround_s = 3,
                .throughput_per_s = 0.33});
  ExpectReport(Efp(3s, 1s, 50s),
               {},
               {.arrived = 17,
                .solved = 17,
                .mean_turnaround_s = 1,
                .throughput_per_s = 0.34});
}

TEST(TransducerTest, ClassicGptIsTheSameWhereReportAndProcessorComeFirst) {
  const Gpt gpt(1s, 3s, 100s);
  ExpectReport(gpt,
               {.formalism = Formalism::kClassic,
                .priority = {&gpt.transducer, &gpt.processor}},
               {.arrived = 99,
                .solved = 32,
                .mean_turnaround_s = 3,
                .throughput_per_s = 0.32});
}

TEST(TransducerTest, ReportStaysAsItWasAtItsTime) {
  const Gpt gpt(1s, 3s, 100s);
  Simulator run(gpt);
  run.RunUntil(150s);
  const Report& sent = *run.state(gpt.report).last;
  const Report later =
      gpt.transducer.ReportAt(run.state(gpt.transducer), run.now());
  EXPECT_EQ(later.mean_number, sent.mean_number);
  EXPECT_EQ(later.throughput_per_s, 0.32);
}

TEST(TransducerTest, StopsTheGeneratorWhenItReports) {
  const Gpt gpt(1s, 1s, 5s);
  Simulator run(gpt);
  run.RunUntil(1000s);
  EXPECT_EQ(run.state(gpt.generator).sent, 5);
  EXPECT_EQ(run.state(gpt.processor).served, 5);
}

TEST(TransducerTest, AveragesTheNumberOfOpenJobsOverTime) {
  // A job at 1, 2, 3, ...; each stays 3 s: from 3 s on three are open.
  Coupled root("root");
  auto& source = root.Add<Generator<>>("source", 1s);
  auto& stay = root.Add<Delay<Job>>("stay", 3s);
  auto& all = root.Add<Transducer<>>("all", 10s);
  auto& later = root.Add<Transducer<>>("later", 13s, 3s);
  root.Couple(source.out, stay.in);
  for (const Transducer<>* meter : {&all, &later}) {
    root.Couple(source.out, meter->arrived);
    root.Couple(stay.out, meter->solved);
  }
  Simulator run(root);
  run.RunUntil(13s);
  const Report a = all.ReportAt(run.state(all), 10s);
  EXPECT_EQ(a.arrived, 9);
  EXPECT_EQ(a.solved, 6);
  EXPECT_DOUBLE_EQ(a.mean_number, (1 + 2 + 7 * 3) / 10.0);
  // The jobs of 1 s and 2 s are not counted: open are 1, 2, then three.
  const Report b = later.ReportAt(run.state(later), 13s);
  EXPECT_EQ(b.arrived, 10);
  EXPECT_EQ(b.solved, 7);
  EXPECT_DOUBLE_EQ(b.mean_number, (1 + 2 + 8 * 3) / 10.0);
  EXPECT_DOUBLE_EQ(b.throughput_per_s, 0.7);
  EXPECT_EQ(b.mean_turnaround_s, 3.0);
}

RC_GTEST_PROP(ArrivalTableTest, GivesEqualNumbersInTheOrderOfArrival, ()) {
  using Step = std::pair<bool, int>;
  const auto steps = *rc::gen::container<std::vector<Step>>(
      rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange(-20, 20)));
  ArrivalTable table;
  std::map<int, std::deque<Duration>> map;
  std::size_t size = 0;
  Duration time{};
  for (const auto& [is_arrival, number] : steps) {
    time += 1s;
    if (is_arrival) {
      table.Insert(number, time);
      map[number].push_back(time);
      ++size;
    } else {
      std::deque<Duration>& times = map[number];
      const auto taken = table.Take(number);
      RC_ASSERT(taken.has_value() == !times.empty());
      if (taken) {
        RC_ASSERT(*taken == times.front());
        times.pop_front();
        --size;
      }
    }
    RC_ASSERT(table.size() == size);
  }
}

// Two sources, each of which numbers its jobs from 0.
struct TwoSources : Coupled {
  using Source = Generator<>;

  Source& one;
  Source& other;
  Transducer<>& transducer = Add<Transducer<>>("transducer", 100s);

  TwoSources(Duration first, Duration second)
      : Coupled("two_sources"),
        one(Add<Source>("one", first, GeneratorOptions<Job>{.limit = 5})),
        other(Add<Source>("other", second, GeneratorOptions<Job>{.limit = 5})) {
    for (const Source* source : {&one, &other}) {
      Couple(source->out, transducer.arrived);
    }
  }

  // Each job is solved `stay` after its arrival.
  void Solve(Duration stay) {
    auto& system = Add<Delay<Job>>("system", stay);
    for (const Source* source : {&one, &other}) {
      Couple(source->out, system.in);
    }
    Couple(system.out, transducer.solved);
  }

  [[nodiscard]] Report Run() const {
    Simulator run(*this);
    run.RunUntil(200s);
    return transducer.ReportAt(run.state(transducer), 100s);
  }
};

TEST(TransducerTest, CountsJobsOfEqualNumbersThatComeTogether) {
  TwoSources model(10s, 10s);
  model.Solve(3s);
  const Report report = model.Run();
  EXPECT_EQ(report.arrived, 10);
  EXPECT_EQ(report.solved, 10);
  EXPECT_EQ(report.mean_turnaround_s, 3);
  EXPECT_DOUBLE_EQ(report.mean_number, 0.3);  // Little: 10 x 3 s in 100 s.
}

// Job k of the first source comes at 4 (k + 1) s, of the other at 6 (k + 1) s.
// All stay 9 s, so that most are open together with their equal.
TEST(TransducerTest, CountsJobsOfEqualNumbersThatOverlap) {
  TwoSources model(4s, 6s);
  model.Solve(9s);
  const Report report = model.Run();
  EXPECT_EQ(report.arrived, 10);
  EXPECT_EQ(report.solved, 10);
  EXPECT_DOUBLE_EQ(*report.mean_turnaround_s, 9);
  EXPECT_DOUBLE_EQ(report.mean_number, 0.9);
}

TEST(TransducerTest, JobsOfEqualNumbersThatAreNotSolvedStayOpen) {
  const Report report = TwoSources(10s, 20s).Run();
  // The last one arrives at the time of the report.
  EXPECT_EQ(report.arrived, 9);
  EXPECT_EQ(report.solved, 0);
  // Open from 10, 20, ..., 50 s and from 20, 40, ..., 80 s until 100 s.
  EXPECT_DOUBLE_EQ(report.mean_number,
                   (90 + 80 + 70 + 60 + 50 + 80 + 60 + 40 + 20) / 100.0);
}

// All jobs have the number 7. The first open one is solved.
TEST(TransducerTest, CountsJobsThatAllHaveOneNumber) {
  Coupled root("root");
  auto& source = root.Add<Generator<>>(
      "source",
      1s,
      GeneratorOptions<Job>{.make = [](std::int64_t, RandomStream&) {
        return Job{.id = 7};
      }});
  auto& stay = root.Add<Delay<Job>>("stay", 2500ms);
  auto& meter = root.Add<Transducer<>>("meter", 10s);
  root.Couple(source.out, stay.in);
  root.Couple(source.out, meter.arrived);
  root.Couple(stay.out, meter.solved);
  Simulator run(root);
  run.RunUntil(10s);
  const Report report = meter.ReportAt(run.state(meter), 10s);
  EXPECT_EQ(report.arrived, 9);
  EXPECT_EQ(report.solved, 7);  // At 3.5, 4.5, ..., 9.5 s.
  EXPECT_EQ(report.mean_turnaround_s, 2.5);
  EXPECT_DOUBLE_EQ(report.mean_number, (7 * 2.5 + 2 + 1) / 10);
}

TEST(TransducerTest, HasNoTurnaroundOfNothing) {
  const Gpt gpt(1s, 30s, 5s);
  ExpectReport(gpt, {}, {.arrived = 4, .solved = 0});
}

TEST(SinkTest, CountsAndKeepsTheLast) {
  Coupled root("root");
  auto& source = root.Add<Generator<int>>("source", 1s);
  auto& sink = root.Add<Sink<int>>("sink");
  root.Couple(source.out, sink.in);
  Simulator run(root);
  run.RunUntil(7s);
  EXPECT_EQ(run.state(sink).count, 7);
  EXPECT_EQ(run.state(sink).last, 6);
}

// ------------------------------------------------------------ files

struct Player : Coupled {
  FileSource& source;
  FileSink& sink;

  Player(const std::string& text, std::filesystem::path path)
      : Coupled("player"),
        source(AddSource(text)),
        sink(Add<FileSink>("sink", std::move(path))) {
    Couple(source.out, sink.in);
  }

 private:
  FileSource& AddSource(const std::string& text) {
    std::istringstream stream(text);
    return Add<FileSource>("source", stream, "input.csv");
  }
};

TEST(FilesTest, SinkWritesWhatTheSourceRead) {
  const std::string text =
      "time,value\n0,1\n0.5,-2.25\n0.5,1e+100\n1.000000001,0.1\n";
  const auto path = std::filesystem::path(testing::TempDir()) / "sink.csv";
  const Player player(text, path);
  Simulator run(player);
  run.RunUntil(10s);
  std::ostringstream out;
  FileSink::Write(run.state(player.sink), out);
  EXPECT_EQ(out.str(), text);

  player.sink.Save(run.state(player.sink));
  Coupled again("again");
  auto& source = again.Add<FileSource>("source", path);
  auto& seen = again.Add<Recorder<double>>("seen");
  again.Couple(source.out, seen.in);
  Simulator second(again);
  second.RunUntil(10s);
  EXPECT_EQ(TextOf(second.state(seen)), "0:1 0.5:-2.25 0.5:1e+100 1:0.1");
  std::filesystem::remove(path);
}

TEST(FilesTest, SnapshotKeepsWhatTheSinkHasSeen) {
  const Player player("1,10\n2,20\n3,30\n", "unused.csv");
  Simulator run(player);
  run.RunUntil(2s);
  const Snapshot saved = run.Save();
  run.RunUntil(3s);
  run.Restore(saved);
  EXPECT_EQ(TextOf(run.state(player.sink)), "1:10 2:20");
}

TEST(FilesTest, LineThatIsNoSampleIsRefusedByFileAndNumber) {
  const auto why = [](const std::string& text) {
    return Refusal([&] { const Player player(text, ""); });
  };
  EXPECT_EQ(why("time,value\n1,2\n2;3\n"),
            "cannot read input.csv, line 3: '2;3' is not a time and a value; "
            "write it as 'time,value'");
  EXPECT_EQ(why("1,2\n0.5,3\n"),
            "cannot read input.csv, line 2: its time, 0.5 s, lies before 1 s "
            "of the line before; sort the lines by time");
  EXPECT_EQ(why("1,2\nnan,3\n"),
            "cannot read input.csv, line 2: 'nan,3' has a time that is not "
            "between 0 and 9.2e9 s; mend it");
  EXPECT_EQ(Refusal([] { const FileSource source("/no/such.csv"); }),
            "cannot read /no/such.csv: it cannot be opened; check its name "
            "and permissions");
  EXPECT_EQ(Refusal([] { const FileSource source("/dev/zero"); }),
            "cannot read /dev/zero: it is a folder, a pipe or a device; write "
            "what comes from it to a file, and name that");
  const std::string pipe = testing::TempDir() + "orrery_pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(Refusal([&] { const FileSource source(pipe); }),
              HasSubstr("it is a folder, a pipe or a device"));
  std::filesystem::remove(pipe);
  EXPECT_THAT(Refusal([] { const FileSource source(testing::TempDir()); }),
              HasSubstr("it is a folder, a pipe or a device"));
  EXPECT_THAT(Refusal([] { FileSink("/no/such.csv").Save({}); }),
              HasSubstr("cannot write /no/such.csv: "));
}

// ------------------------------------------------------------ refusals

TEST(LibraryTest, ParametersOutOfRangeAreRefusedInWords) {
  EXPECT_EQ(Refusal([] { const Generator<> generator(0s); }),
            "cannot make a generator: its period is 0 s, and time would "
            "stand; give one above 0 s");
  EXPECT_EQ(Refusal([] { const Generator<> generator(-1s); }),
            "cannot let something take -1 s: it would end before it begins; "
            "give 0 s or more");
  EXPECT_EQ(Refusal([] { const Generator<> generator(1s, {.first = -2s}); }),
            "cannot make a generator: its first message is due at -2 s, "
            "before the start; give 0 s or more");
  EXPECT_EQ(Refusal([] { const Generator<> generator(1s, {.limit = -1}); }),
            "cannot make a generator: it is to send -1 messages; give a limit "
            "of 0 or more");
  EXPECT_EQ(Refusal([] { const Generator<Signal> generator(1s); }),
            "cannot make a generator: its messages carry no number, and "
            "nothing makes them; give a function 'make'");
  EXPECT_EQ(Refusal([] { const Clock clock(0s); }),
            "cannot make a clock: its period is 0 s, and time would stand; "
            "give one above 0 s");
  EXPECT_EQ(Refusal([] { const Clock clock(1s, -1s); }),
            "cannot make a clock: its first tick is due at -1 s, before the "
            "start; give 0 s or more");
  EXPECT_EQ(Refusal([] {
              const RandomSource source(0s, Distribution::Normal(0, 1));
            }),
            "cannot make a random source: its period is 0 s, and time would "
            "stand; give one above 0 s");
  EXPECT_EQ(Refusal([] { const Queue<> queue(1, {.capacity = 0}); }),
            "cannot make a queue: its capacity is 0; give one of 1 or more");
  EXPECT_EQ(Refusal([] { const Queue<> queue(0); }),
            "cannot make a queue: it is to feed 0 units; give 1 or more");
  EXPECT_EQ(Refusal([] {
              const Queue<int> queue(1, {.discipline = Discipline::kPriority});
            }),
            "cannot make a queue: it is to serve by priority, and its jobs "
            "have none; give a function 'priority'");
  EXPECT_EQ(Refusal([] { const Server<> server(1s, 0); }),
            "cannot make a server: it has 0 units; give 1 or more");
  EXPECT_EQ(Refusal([] { const Server<> server(1s, 1, {.capacity = -1}); }),
            "cannot make a server: its capacity is -1; give one of 0 or more");
  EXPECT_EQ(
      Refusal([] { const Switch<int> fork(0, Route<int>::RoundRobin()); }),
      "cannot make a switch: it has no outputs; give 1 or more");
  EXPECT_EQ(
      Refusal([] {
        const Switch<int> fork(3, Route<int>::WithProbabilities({0.5, 0.5}));
      }),
      "cannot make a switch: it has 3 outputs and 2 probabilities; give "
      "one for each output");
  EXPECT_EQ(Refusal([] { const Merge<int> merge(0); }),
            "cannot make a merge: it has no inputs; give 1 or more");
  EXPECT_EQ(Refusal([] { const Transducer<> transducer(0s); }),
            "cannot make a transducer: it is to observe from 0 s to 0 s; give "
            "a time of observation above that of warm-up, and neither below "
            "0 s");
  EXPECT_THAT(Refusal([] { Distribution::Exponential(-1); }), HasSubstr("-1"));
  EXPECT_EQ(Refusal([] { const Distribution none("none", {}); }),
            "cannot draw from the distribution none: it has no function; give "
            "one");
}

TEST(LibraryTest, StatesAreTraced) {
  const Gpt gpt(1s, 1s, 5s);
  Simulator run(gpt);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv);
  run.Observe(trace);
  run.RunUntil(5s);
  EXPECT_THAT(out.str(), HasSubstr("\n1,gpt.generator,output,out.id,0\n"));
  EXPECT_THAT(out.str(), HasSubstr("\n1,gpt.generator,internal,sent,1\n"));
  EXPECT_THAT(out.str(), HasSubstr("\n2,gpt.processor,confluent,served,1\n"));
  EXPECT_THAT(out.str(), HasSubstr("\n2,gpt.transducer,external,open,1\n"));
  EXPECT_THAT(
      out.str(),
      HasSubstr("\n5,gpt.transducer,output,report.throughput_per_s,0.6\n"));
  EXPECT_THAT(out.str(), HasSubstr("\n5,gpt.report,external,last.solved,3\n"));
}

}  // namespace
}  // namespace orrery::devs
