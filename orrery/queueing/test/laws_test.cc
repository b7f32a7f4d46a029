// Laws of all resources, stores and queues.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/numbers/estimate.h"
#include "orrery/base/system/executor.h"
#include "orrery/queueing/queueing.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Handle;
using process::Interrupted;
using process::Simulator;
using process::Task;

// A visit to all facilities, at times that often coincide.
struct Visit {
  int arrival = 0;
  int service = 0;
  int patience = 0;
  std::int64_t units = 1;
  int priority = 0;
  int kind = 0;
};

std::ostream& operator<<(std::ostream& out, const Visit& visit) {
  return out << "{.arrival = " << visit.arrival
             << ", .service = " << visit.service
             << ", .patience = " << visit.patience
             << ", .units = " << visit.units
             << ", .priority = " << visit.priority << ", .kind = " << visit.kind
             << "}";
}

// Few or many visits of any kind; with inRange alone their values would grow
// with their number.
rc::Gen<std::vector<Visit>> Visits() {
  return rc::gen::container<std::vector<Visit>>(rc::gen::resize(
      rc::kNominalSize,
      rc::gen::construct<Visit>(rc::gen::inRange(0, 6),
                                rc::gen::inRange(0, 4),
                                rc::gen::inRange(0, 5),
                                rc::gen::inRange<std::int64_t>(1, 4),
                                rc::gen::inRange(0, 3),
                                rc::gen::inRange(0, 7))));
}

struct Town : process::Model {
  Resource servers{this, "servers", 3};
  PriorityResource doctor{this, "doctor", 3};
  PreemptiveResource machine{this, "machine", 3};
  Container tank{this, "tank", {.capacity = 6, .initial = 2}};
  Store<int> store{this, "store", 2};
  FilterStore<int> mixed{this, "mixed"};
  std::vector<Visit> visits;
  std::vector<std::vector<std::string>> notes;  // By visit.

  explicit Town(std::vector<Visit> v)
      : visits(std::move(v)), notes(visits.size()) {}

  void Start() override {
    Handle<> last;
    for (std::size_t i = 0; i < visits.size(); ++i) {
      last = Spawn(Comes(i, last));
    }
  }

  void Note(std::size_t i, const std::string& what) {
    notes[i].push_back(what + " " + ToText(Now()));
  }

  Task<> Comes(std::size_t i, Handle<> other) {
    const Visit& visit = visits[i];
    try {
      co_await Delay(visit.arrival * 1s);
      switch (visit.kind) {
        case 0:
          co_await Call(IsServed(i));
          break;
        case 1:
          co_await Call(Reneges(i));
          break;
        case 2:
          co_await Call(SeesDoctor(i));
          break;
        case 3:
          co_await Call(UsesMachine(i));
          break;
        case 4:
          co_await Call(MovesGoods(i));
          break;
        case 5:
          other.Cancel();
          break;
        default:
          other.Interrupt("stop");
      }
    } catch (const Interrupted& interrupted) {
      Note(i, interrupted.what());
    } catch (const process::Cancelled&) {
      Note(i, "cancelled");
    } catch (const Error&) {
      Note(i, "none");  // The first task has no other.
    }
  }

  Task<> IsServed(std::size_t i) {
    const Holding held = co_await servers.Acquire(visits[i].units);
    Note(i, "served");
    co_await Delay(visits[i].service * 1s);
    Note(i, "done");
  }

  Task<> Reneges(std::size_t i) {
    auto [held, item, late] = co_await AnyOf(servers.Acquire(visits[i].units),
                                             store.Get(),
                                             Delay(visits[i].patience * 1s));
    Note(i,
         std::string(held ? "held" : "") + (item ? "item" : "") +
             (late ? "late" : ""));
    co_await Delay(visits[i].service * 1s);
  }

  Task<> SeesDoctor(std::size_t i) {
    const Holding held = co_await doctor.Acquire(
        {.priority = static_cast<double>(visits[i].priority),
         .units = visits[i].units});
    Note(i, "seen");
    co_await Delay(visits[i].service * 1s);
  }

  Task<> UsesMachine(std::size_t i) {
    const PreemptibleHolding held = co_await machine.Acquire(
        {.priority = static_cast<double>(visits[i].priority),
         .preempts = visits[i].patience % 2 == 0,
         .units = visits[i].units});
    Note(i, "machine");
    co_await store.Put(static_cast<int>(i));
    Note(i, "put");
    co_await Delay(visits[i].service * 1s);
    co_await tank.Get(static_cast<double>(visits[i].units));
    Note(i, "got");
  }

  Task<> MovesGoods(std::size_t i) {
    co_await tank.Put(static_cast<double>(visits[i].units));
    mixed.Push(visits[i].priority);
    const int least = visits[i].service % 3;
    Note(i, "item " + std::to_string(co_await mixed.Get([least](int item) {
              return item >= least;
            })));
  }
};

struct Outcome {
  std::vector<std::vector<std::string>> notes;
  Duration end{};
  process::Statistics counts;
  std::vector<double> numbers;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

void AddTo(std::vector<double>& numbers, const ResourceStatistics& s) {
  for (const std::int64_t count :
       {s.requests, s.granted, s.withdrawn, s.preempted}) {
    numbers.push_back(static_cast<double>(count));
  }
  numbers.insert(numbers.end(), {s.in_use.mean, s.queue.mean, s.queue.max});
}

Outcome RunTown(const std::vector<Visit>& visits,
                const process::Options& options) {
  Town town(visits);
  Simulator run(town, options);
  while (run.Step()) {
    // Conservation: the units in use are those granted and not given back. The
    // line is served as long as its first request fits.
    for (const internal::Lender* lender :
         {static_cast<const internal::Lender*>(&town.servers),
          static_cast<const internal::Lender*>(&town.doctor),
          static_cast<const internal::Lender*>(&town.machine)}) {
      RC_ASSERT(lender->in_use() >= 0);
      RC_ASSERT(lender->in_use() <= lender->capacity());
      RC_ASSERT(lender->in_use() > 0 || lender->queue_length() == 0);
      const ResourceStatistics s = lender->statistics();
      RC_ASSERT(s.requests == s.granted + s.withdrawn + lender->queue_length());
    }
    RC_ASSERT(town.tank.level() >= 0);
    RC_ASSERT(town.store.size() == 0 || town.store.gets_waiting() == 0);
  }
  for (std::vector<std::string>& notes : town.notes) {
    // They were made by two tasks, one of which calls the other.
    std::ranges::sort(notes);
  }
  Outcome outcome{.notes = town.notes,
                  .end = run.now(),
                  .counts = run.statistics(),
                  .numbers = {}};
  AddTo(outcome.numbers, town.servers.statistics());
  AddTo(outcome.numbers, town.doctor.statistics());
  AddTo(outcome.numbers, town.machine.statistics());
  outcome.numbers.push_back(town.tank.level());
  outcome.numbers.push_back(static_cast<double>(town.store.size()));
  outcome.numbers.push_back(static_cast<double>(town.mixed.size()));
  return outcome;
}

RC_GTEST_PROP(QueueingLawsTest, NoOrderOfStepsCanBeSeen, ()) {
  const std::vector<Visit> visits = *Visits();
  const auto order = *rc::gen::arbitrary<std::uint64_t>();
  const Outcome usual = RunTown(visits, {});
  const Outcome shuffled = RunTown(visits, {.shuffle = order});
  RC_ASSERT(usual.notes == shuffled.notes);
  RC_ASSERT(usual == shuffled);
}

// Compares with a reference for first come, first served.
RC_GTEST_PROP(QueueingLawsTest, AResourceIsAsALineServedByHand, ()) {
  std::vector<Visit> visits = *Visits();
  for (Visit& visit : visits) {
    visit.kind = 0;
  }
  std::vector<std::size_t> order(visits.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  // Visits without a delay are in the next batch, too.
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return visits[i].arrival; });
  std::vector<Duration> free_at(3, 0s);  // When each unit is free.
  Duration last = 0s;
  Town town(visits);
  Simulator run(town);
  run.Run();
  for (const std::size_t i : order) {
    std::ranges::sort(free_at);
    const auto units = static_cast<std::size_t>(visits[i].units);
    last =
        std::max({last, Duration(visits[i].arrival * 1s), free_at[units - 1]});
    for (std::size_t k = 0; k < units; ++k) {
      free_at[k] = last + visits[i].service * 1s;
    }
    RC_ASSERT(town.notes[i].front() == "served " + ToText(last));
  }
}

/// Random customers at some servers.
struct Station : process::Model {
  Resource servers;
  Duration spacing;
  Duration service;
  std::int64_t customers;
  BatchMeans waits;
  Monitor stays_ns;
  TimeWeighted present;

  Station(std::int64_t units, Duration s, Duration w, std::int64_t n)
      : servers(this, "servers", units),
        spacing(s),
        service(w),
        customers(n),
        waits(n / 40, n / 10) {}

  Task<> Customer(Duration work) {
    const Duration arrival = Now();
    present.Add(1, arrival);
    const Holding held = co_await servers.Acquire();
    waits.Add(Seconds(Now() - arrival).value);
    co_await Delay(work);
    present.Add(-1, Now());
    stays_ns.Add(static_cast<double>((Now() - arrival).count()));
  }

  Task<> Source() {
    RandomStream arrivals = Random("arrivals");
    RandomStream works = Random("works");
    for (std::int64_t i = 0; i < customers; ++i) {
      co_await Delay(arrivals.Exponential(1) * spacing);
      Spawn(Customer(ToDuration(works.Exponential(Seconds(service).value))));
    }
  }

  void Start() override { Spawn(Source()); }
};

// For a system that is empty at both ends, the integral of the number present
// is the sum of the stays, in whole nanoseconds.
TEST(QueueingLawsTest, LittlesLawIsExactOverAnEmptiedSystem) {
  Station station(2, 10s, 15s, 2'000);
  Simulator run(station);
  run.Run();
  EXPECT_EQ(station.present.value(), 0);
  EXPECT_EQ(
      station.present.Mean(run.now()) * static_cast<double>(run.now().count()),
      station.stays_ns.sum());
  const ResourceStatistics s = station.servers.statistics();
  EXPECT_EQ(s.granted, 2'000);
  EXPECT_NEAR(
      s.queue.mean * Seconds(run.now()).value, s.wait_s.mean * 2'000, 1e-9);
  EXPECT_NEAR(
      (s.queue.mean + s.in_use.mean), station.present.Mean(run.now()), 1e-12);
}

// M/M/1 with a load of 0.8: the mean wait is 0.8 / 0.2 service times.
TEST(QueueingLawsTest, AnMM1QueueIsAsTheorySays) {
  Station station(1, 10s, 8s, 400'000);
  Simulator run(station, {.seed = 3});
  run.Run();
  const Estimate wait = station.waits.estimate();
  EXPECT_LT(std::abs(station.waits.Correlation()), 0.35);
  EXPECT_LT(wait.half_width, 1.6);
  EXPECT_NEAR(wait.mean, 32, 1.5 * wait.half_width);
  const ResourceStatistics s = station.servers.statistics();
  EXPECT_NEAR(s.utilisation, 0.8, 0.01);
  EXPECT_NEAR(s.queue.mean, 3.2, 0.15 * wait.half_width);
  EXPECT_NEAR(station.stays_ns.mean() / 1e9, 40, 1.5 * wait.half_width);
}

// M/M/3 with a load of 2.4: Erlang's C is 0.6472, and the mean wait C / (3 - a)
// service times.
TEST(QueueingLawsTest, AnMMcQueueIsAsErlangSays) {
  Station station(3, 10s, 24s, 400'000);
  Simulator run(station, {.seed = 5});
  run.Run();
  const double a = 2.4;
  const double last = a * a * a / 6 * 3 / (3 - a);
  const double c = last / (1 + a + a * a / 2 + last);
  EXPECT_NEAR(c, 0.6472, 1e-4);
  const Estimate wait = station.waits.estimate();
  EXPECT_LT(wait.half_width, 1.6);
  EXPECT_NEAR(wait.mean, c / (3 - a) * 24, 1.5 * wait.half_width);
}

class Threads final : public Executor {
 public:
  [[nodiscard]] std::size_t concurrency() const noexcept override { return 3; }

 private:
  void Run(std::size_t count, Executor::Task task) override {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([task, i] { task(i); });
    }
  }
};

double MeanWait(const Station& station, const Simulator& /*run*/) {
  return station.servers.statistics().wait_s.mean;
}

std::unique_ptr<Station> NewStation() {
  return std::make_unique<Station>(1, 10s, 5s, 20'000);
}

TEST(ReplicateTest, ItsRunsAreTheSameOneByOneAndAtTheSameTime) {
  Threads threads;
  const std::vector<double> some =
      Replicate({.count = 4}, NewStation, MeanWait);
  const std::vector<double> more =
      Replicate({.count = 12}, threads, NewStation, MeanWait);
  EXPECT_EQ(some, std::vector<double>(more.begin(), more.begin() + 4));
  const std::unique_ptr<Station> first = NewStation();
  Simulator run(*first);
  run.Run();
  EXPECT_EQ(MeanWait(*first, run), some[0]);
  const Estimate wait = EstimateMean(more);  // Theory: 5 s.
  EXPECT_LT(wait.half_width, 0.2);
  EXPECT_NEAR(wait.mean, 5, 1.5 * wait.half_width);
}

TEST(ReplicateTest, TheFirstFailureIsThrown) {
  Threads threads;
  const auto fails = [](const Station&, const Simulator& run) -> double {
    throw std::runtime_error(ToText(run.now()));
  };
  EXPECT_THROW(Replicate({.count = 3, .until = 1s}, threads, NewStation, fails),
               std::runtime_error);
  EXPECT_THROW(Replicate({.count = -1}, NewStation, MeanWait), Error);
}

}  // namespace
}  // namespace orrery::queueing
