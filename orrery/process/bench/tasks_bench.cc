// Compares tasks with two simpler ways: a loop written by hand over a ladder
// queue, and bare coroutines on a binary heap. Times are processor times.

#include <malloc.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "orrery/base/bench/apart.h"
#include "orrery/base/bench/report.h"
#include "orrery/base/time.h"
#include "orrery/process/bench/bare_tasks.h"
#include "orrery/process/bench/customers.h"
#include "orrery/process/bench/phold.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"

namespace {

using namespace std::chrono_literals;
using orrery::BenchReport;
using orrery::Duration;
using orrery::MeasureApart;
using orrery::process::BareLoop;
using orrery::process::BareTask;
using orrery::process::Cell;
using orrery::process::Counter;
using orrery::process::CustomersBare;
using orrery::process::CustomersByHand;
using orrery::process::CustomersTasks;
using orrery::process::CustomerTotals;
using orrery::process::CustomerWork;
using orrery::process::MailBare;
using orrery::process::MailByHand;
using orrery::process::MailTasks;
using orrery::process::Model;
using orrery::process::PholdBare;
using orrery::process::PholdByHand;
using orrery::process::PholdTasks;
using orrery::process::PholdWork;
using orrery::process::Simulator;
using orrery::process::Task;
using orrery::process::Totals;

double CpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double AllocatedBytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

template <typename T>
struct Measured {
  T totals{};          ///< At the end.
  double seconds = 0;  ///< From a tenth of the time to the end.
  double bytes = 0;    ///< Allocated at a tenth.
};

/// The quickest of three runs of an `Engine` until `end`.
template <typename Engine, typename... Arguments>
auto Run(Duration end, Arguments... arguments) {
  using T = std::decay_t<decltype(std::declval<Engine&>().totals())>;
  Measured<T> best{.seconds = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < 3; ++i) {
    const auto apart = MeasureApart([&] {
      const double before = AllocatedBytes();
      Engine engine(arguments...);
      engine.RunUntil(end / 10);
      Measured<T> result{.bytes = AllocatedBytes() - before};
      const double start = CpuSeconds();
      engine.RunUntil(end);
      result.seconds = (CpuSeconds() - start) / 0.9;
      result.totals = engine.totals();
      return result;
    });
    if (apart && apart->value.seconds < best.seconds) {
      best = apart->value;
    }
  }
  return best;
}

/// The run of the tasks beside those of the peers.
template <typename T>
struct Compared {
  std::string name;
  std::string unit;
  Measured<T> tasks;
  Measured<T> by_hand;
  Measured<T> bare;
  /// The number of events (or the like) that the time is divided by.
  double number = 1;
  bool is_right = true;
};

template <typename T>
void Report(BenchReport& report, const Compared<T>& c) {
  const double scale = 1e9 / c.number;
  const bool is_right = c.is_right && c.tasks.totals == c.by_hand.totals &&
                        c.tasks.totals == c.bare.totals;
  report.Add(c.name + ", by hand",
             c.tasks.seconds * scale,
             c.by_hand.seconds * scale,
             c.unit,
             is_right);
  report.Add(c.name + ", bare coroutines",
             c.tasks.seconds * scale,
             c.bare.seconds * scale,
             c.unit,
             is_right);
}

/// The time in which `processes` make about this number of `events`.
Duration EndOf(double events, std::uint32_t processes) {
  return std::chrono::duration_cast<Duration>(
      PholdWork::kMeanDelay * (events / static_cast<double>(processes)));
}

void MeasurePhold(BenchReport& report,
                  std::uint32_t processes,
                  bool sends,
                  double events) {
  const Duration end = EndOf(events, processes);
  Compared<Totals> c{
      .name = (sends ? "phold " : "sleepers ") + std::to_string(processes),
      .unit = "ns/event",
      .tasks = Run<PholdTasks>(end, processes, sends),
      .by_hand = Run<PholdByHand>(end, processes, sends),
      .bare = Run<PholdBare>(end, processes, sends),
      .number = 1,
      .is_right = true};
  c.number = static_cast<double>(c.tasks.totals.events);
  c.is_right = std::abs(c.number / events - 1) < 0.1;
  Report(report, c);
  if (!sends) {
    report.Add(c.name + ", memory",
               c.tasks.bytes / processes,
               c.bare.bytes / processes,
               "bytes/process",
               c.is_right);
  }
}

void MeasureMail(BenchReport& report,
                 std::uint32_t processes,
                 bool logs,
                 double events) {
  // About half of the processes have a message.
  const Duration end = EndOf(2 * events, processes);
  Compared<Totals> c{.name = "phold " + std::to_string(processes) +
                             " with cells, conditions" + (logs ? ", log" : ""),
                     .unit = "ns/event",
                     .tasks = Run<MailTasks>(end, processes, logs),
                     .by_hand = Run<MailByHand>(end, processes),
                     .bare = Run<MailBare>(end, processes),
                     .number = 1,
                     .is_right = true};
  c.number = static_cast<double>(c.tasks.totals.events);
  c.is_right = std::abs(c.number / events - 1) < 0.4;
  Report(report, c);
}

void MeasureCustomers(BenchReport& report, double customers) {
  const auto end =
      std::chrono::duration_cast<Duration>(CustomerWork::kMeanGap * customers);
  Compared<CustomerTotals> c{.name = "m/m/1",
                             .unit = "ns/customer",
                             .tasks = Run<CustomersTasks>(end),
                             .by_hand = Run<CustomersByHand>(end),
                             .bare = Run<CustomersBare>(end),
                             .number = 1,
                             .is_right = true};
  c.number = static_cast<double>(c.tasks.totals.served);
  // The standard deviation of the mean of 10^6 is about 0.02 of it.
  const double tolerance = 0.06 * std::sqrt(1e6 / customers);
  c.is_right = std::abs(c.tasks.totals.mean_stay_s() / CustomerWork::kMeanStay -
                        1) < tolerance;
  Report(report, c);
}

/// Tasks that all add to one cell at one time.
struct Emitters : Model {
  Cell<Counter<>> total{this, "total"};
  int number;
  bool is_nested;

  Emitters(int tasks, bool nested) : number(tasks), is_nested(nested) {}

  void Start() override {
    if (is_nested) {
      Spawn(Nest(number));
      return;
    }
    for (int i = 0; i < number; ++i) {
      Spawn(Emit());
    }
  }

  Task<> Emit() {
    co_await Delay(1s);
    total.Add(1);
  }

  Task<> Nest(int left) {
    total.Add(1);
    if (left > 1) {
      Spawn(Nest(left - 1));
    }
    co_return;
  }
};

struct EmittersBare {
  BareLoop loop;
  std::int64_t total = 0;

  EmittersBare(int number, bool is_nested) {
    if (is_nested) {
      Nest(number);
      return;
    }
    for (int i = 0; i < number; ++i) {
      Emit();
    }
  }

  BareTask Emit() {
    co_await loop.Delay(1s);
    ++total;
  }

  BareTask Nest(int left) {
    co_await loop.Delay(0s);
    ++total;
    if (left > 1) {
      Nest(left - 1);
    }
  }
};

struct Emitted {
  std::int64_t total = 0;
  double seconds = 0;
};

template <typename Measure>
Emitted QuickestOf(Measure measure) {
  Emitted best{.seconds = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < 3; ++i) {
    const auto apart = MeasureApart([&] {
      const double start = CpuSeconds();
      const std::int64_t total = measure();
      return Emitted{.total = total, .seconds = CpuSeconds() - start};
    });
    if (apart && apart->value.seconds < best.seconds) {
      best = apart->value;
    }
  }
  return best;
}

void MeasureEmitters(BenchReport& report, int number, bool is_nested) {
  const Emitted tasks = QuickestOf([&] {
    Emitters model(number, is_nested);
    Simulator run(model);
    run.RunUntil(1s);
    return run.Get(model.total);
  });
  const Emitted bare = QuickestOf([&] {
    EmittersBare model(number, is_nested);
    model.loop.RunUntil(1s);
    return model.total;
  });
  const std::string name = std::to_string(number) +
                           (is_nested ? " nested spawns" : " emit at one time");
  report.Add(name + ", bare coroutines",
             tasks.seconds / number * 1e9,
             bare.seconds / number * 1e9,
             "ns/task",
             tasks.total == number && bare.total == number);
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = orrery::IsSmokeRun(argc, argv) ? 1e-3 : 1;
  BenchReport report("tasks");
  for (const std::uint32_t processes : {1024U, 16'384U}) {
    MeasurePhold(report, processes, true, 4e6 * scale + processes);
  }
  for (const std::uint32_t processes : {1024U, 16'384U}) {
    for (const bool logs : {false, true}) {
      MeasureMail(report, processes, logs, 1e6 * scale + processes);
    }
  }
  MeasurePhold(report, 100'000, false, 2e6 * scale + 1e5);
  if (scale == 1) {
    MeasurePhold(report, 1'000'000, false, 4e6);
  }
  MeasureCustomers(report, 2e6 * scale);
  for (const bool is_nested : {false, true}) {
    MeasureEmitters(report, scale == 1 ? 100'000 : 1000, is_nested);
  }
  return report.ExitCode();
}
