#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/devs/library/distribution.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/library/waiting_line.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

inline constexpr std::int64_t kUnlimited =
    std::numeric_limits<std::int64_t>::max();

/// The options of a waiting line.
template <typename T>
struct WaitingOptions {
  /// The most jobs that may wait; jobs that arrive at a full line are lost.
  std::int64_t capacity = kUnlimited;
  Discipline discipline = Discipline::kFirstComeFirstServed;
  /// The priority of a job, for Discipline::kPriority; by default its member
  /// `priority`.
  std::function<double(const T&)> priority = {};
};

/// A type of jobs with a priority: the lower, the sooner.
template <typename T>
concept HasPriority = requires(const T& job) {
  { job.priority } -> std::convertible_to<double>;
};

namespace internal {

/// @throws Error kInvalidArgument for a capacity below `least`, or if jobs
///     without a priority are to be served by priority.
template <typename T>
void CheckWaiting(const WaitingOptions<T>& options,
                  const char* what,
                  std::int64_t least) {
  const auto refuse = [what](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a " + std::string(what) + ": " + why);
  };
  if (options.capacity < least) {
    refuse("its capacity is " + std::to_string(options.capacity) +
           "; give one of " + std::to_string(least) + " or more");
  }
  if (options.discipline == Discipline::kPriority && !HasPriority<T> &&
      !options.priority) {
    refuse(
        "it is to serve by priority, and its jobs have none; give a function "
        "'priority'");
  }
}

template <typename T>
double PriorityOf(const T& job, const WaitingOptions<T>& options) {
  if (options.priority) {
    return options.priority(job);
  }
  if constexpr (HasPriority<T>) {
    return job.priority;
  } else {
    return 0;
  }
}

}  // namespace internal

/// Serves one job at a time; jobs that arrive meanwhile are lost. A job that
/// arrives at the very time at which another one ends is taken.
template <typename T = Job>
class Processor : public Atomic<Processor<T>> {
 public:
  struct State {
    std::optional<T> job;
    Duration sigma = kPassive;
    std::int64_t served = 0;
    std::int64_t lost = 0;
    RandomStream random;
  };

  In<T> in{this, "in"};
  Out<T> out{this, "out"};

  explicit Processor(Times service) : service_(std::move(service)) {}

  [[nodiscard]] State Initial(const Start& start) const {
    return {.job = {}, .random = start.Stream("service")};
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, *s.job); }

  void Internal(State& s) const {
    s.job.reset();
    s.sigma = kPassive;
    ++s.served;
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    if (s.job) {
      s.sigma -= elapsed;
    }
    for (const T& job : x[in]) {
      if (s.job) {
        ++s.lost;
      } else {
        s.job = job;
        s.sigma = service_.Draw(s.random);
      }
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("is_busy", s.job.has_value());
    record.Add("sigma", s.sigma);
    record.Add("served", s.served);
    record.Add("lost", s.lost);
  }

 private:
  Times service_;
};

/// Holds jobs for servers. It begins with `units` of free servers and sends a
/// job to each. Each message at `done` tells that a server is free again, and
/// is answered by the next job (couple the output of the server to it). More
/// such messages than jobs sent end the run.
template <typename T = Job>
class Queue : public Atomic<Queue<T>> {
 public:
  struct State {
    WaitingLine<T> line;
    std::int64_t free = 0;
    std::int64_t lost = 0;
  };

  In<T> in{this, "in"};
  In<T> done{this, "done"};
  Out<T> out{this, "out"};

  /// @throws Error kInvalidArgument for a capacity or a number of units below
  ///     1, or if jobs without a priority are to be served by priority.
  explicit Queue(std::int64_t units = 1, WaitingOptions<T> options = {})
      : units_(units), options_(std::move(options)) {
    internal::CheckWaiting(options_, "queue", 1);
    if (units < 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a queue: it is to feed " +
                      std::to_string(units) + " units; give 1 or more");
    }
  }

  State Initial() const { return {.line = {}, .free = units_}; }

  Duration TimeAdvance(const State& s) const {
    return s.free > 0 && !s.line.empty() ? Duration::zero() : kPassive;
  }

  void Output(const State& s, Bag& y) const {
    y.Send(out, s.line.front().item);
  }

  void Internal(State& s) const {
    s.line.Pop();
    --s.free;
  }

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.free += static_cast<std::int64_t>(x[done].size());
    if (s.free > units_) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot free a unit of a queue: " + std::to_string(s.free) +
                      " of " + std::to_string(units_) +
                      " would be free; couple to 'done' only what works on "
                      "its jobs");
    }
    for (const T& job : x[in]) {
      // Jobs that can go at once do not wait.
      const auto waiting = static_cast<std::int64_t>(s.line.size()) - s.free;
      if (waiting >= options_.capacity) {
        ++s.lost;
        continue;
      }
      s.line.Push(job,
                  Duration::zero(),
                  options_.discipline,
                  internal::PriorityOf(job, options_));
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("size", s.line.size());
    record.Add("free", s.free);
    record.Add("lost", s.lost);
  }

 private:
  std::int64_t units_;
  WaitingOptions<T> options_;
};

/// Statistics of a server, as sums: the difference of two is for the time
/// between them.
struct ServerTotals {
  std::int64_t arrived = 0;
  std::int64_t lost = 0;
  std::int64_t started = 0;
  std::int64_t served = 0;
  double waited_s = 0;   ///< Sum over the jobs that were started.
  double stayed_s = 0;   ///< Waiting and service, summed over the jobs served.
  double waiting_s = 0;  ///< Integral of the number of waiting jobs.
  double busy_s = 0;     ///< Integral of the number of busy units.

  friend ServerTotals operator-(const ServerTotals& a, const ServerTotals& b);
};

/// Serves as many jobs at a time as it has units; others wait. With c units,
/// exponential times and an unlimited line it is the M/M/c of queueing theory;
/// with a capacity of K - c the M/M/c/K.
template <typename T = Job>
class Server : public Atomic<Server<T>> {
 public:
  struct InService {
    T job;
    Duration arrival{};
    Duration end{};
  };

  struct State {
    Duration clock{};  ///< Time since the start, at the last transition.
    WaitingLine<T> line;
    std::vector<InService> busy;  ///< In the order of falling ends.
    ServerTotals totals;
    RandomStream random;
  };

  In<T> in{this, "in"};
  Out<T> out{this, "out"};

  /// @throws Error kInvalidArgument for less than 1 unit, a negative capacity,
  ///     or if jobs without a priority are to be served by priority.
  explicit Server(Times service,
                  std::int64_t units = 1,
                  WaitingOptions<T> options = {})
      : service_(std::move(service)),
        units_(units),
        options_(std::move(options)) {
    internal::CheckWaiting(options_, "server", 0);
    if (units < 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a server: it has " + std::to_string(units) +
                      " units; give 1 or more");
    }
  }

  /// The statistics up to `clock`, the time since the start.
  static ServerTotals TotalsAt(const State& s, Duration clock) {
    ServerTotals totals = s.totals;
    Integrate(s, clock - s.clock, totals);
    return totals;
  }

  [[nodiscard]] State Initial(const Start& start) const {
    return {.clock = {},
            .line = {},
            .busy = {},
            .totals = {},
            .random = start.Stream("service")};
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    if (s.busy.empty() || s.busy.back().end == kPassive) {
      return kPassive;
    }
    return s.busy.back().end - s.clock;
  }

  void Output(const State& s, Bag& y) const {
    const Duration now = s.busy.back().end;
    for (auto i = s.busy.rbegin(); i != s.busy.rend() && i->end == now; ++i) {
      y.Send(out, i->job);
    }
  }

  void Internal(State& s) const {
    Pass(s, TimeAdvance(s));
    while (!s.busy.empty() && s.busy.back().end == s.clock) {
      ++s.totals.served;
      s.totals.stayed_s += Seconds(s.clock - s.busy.back().arrival).value;
      s.busy.pop_back();
    }
    while (HasFreeUnit(s) && !s.line.empty()) {
      auto next = s.line.Pop();
      Begin(s, std::move(next.item), next.arrival);
    }
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    Pass(s, elapsed);
    for (const T& job : x[in]) {
      ++s.totals.arrived;
      if (HasFreeUnit(s)) {
        Begin(s, job, s.clock);
      } else if (static_cast<std::int64_t>(s.line.size()) < options_.capacity) {
        s.line.Push(job,
                    s.clock,
                    options_.discipline,
                    internal::PriorityOf(job, options_));
      } else {
        ++s.totals.lost;
      }
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("waiting", s.line.size());
    record.Add("busy", s.busy.size());
    record.Add("served", s.totals.served);
    record.Add("lost", s.totals.lost);
  }

 private:
  static void Integrate(const State& s, Duration time, ServerTotals& totals) {
    const double seconds = Seconds(time).value;
    totals.waiting_s += seconds * static_cast<double>(s.line.size());
    totals.busy_s += seconds * static_cast<double>(s.busy.size());
  }

  static void Pass(State& s, Duration time) {
    Integrate(s, time, s.totals);
    s.clock += time;
  }

  [[nodiscard]] bool HasFreeUnit(const State& s) const {
    return static_cast<std::int64_t>(s.busy.size()) < units_;
  }

  void Begin(State& s, T job, Duration arrival) const {
    ++s.totals.started;
    s.totals.waited_s += Seconds(s.clock - arrival).value;
    const Duration end = service_.DrawEnd(s.clock, s.random);
    // The first to begin leaves first of the jobs that end together.
    const auto place = std::lower_bound(
        s.busy.begin(),
        s.busy.end(),
        end,
        [](const InService& other, Duration t) { return other.end > t; });
    s.busy.insert(place, InService{std::move(job), arrival, end});
  }

  Times service_;
  std::int64_t units_;
  WaitingOptions<T> options_;
};

inline ServerTotals operator-(const ServerTotals& a, const ServerTotals& b) {
  return {.arrived = a.arrived - b.arrived,
          .lost = a.lost - b.lost,
          .started = a.started - b.started,
          .served = a.served - b.served,
          .waited_s = a.waited_s - b.waited_s,
          .stayed_s = a.stayed_s - b.stayed_s,
          .waiting_s = a.waiting_s - b.waiting_s,
          .busy_s = a.busy_s - b.busy_s};
}

}  // namespace orrery::devs
