#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/library/arrival_table.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

/// The measurements of a transducer.
struct Report {
  std::int64_t arrived = 0;
  std::int64_t solved = 0;
  /// From the arrival of the solved jobs on; nothing if there are none.
  std::optional<double> mean_turnaround_s;
  double throughput_per_s = 0;
  /// The time average of the number of arrived and not yet solved jobs.
  double mean_number = 0;

  void Describe(Record& record) const {
    record.Add("arrived", arrived);
    record.Add("solved", solved);
    record.Add("mean_turnaround_s", mean_turnaround_s);
    record.Add("throughput_per_s", throughput_per_s);
    record.Add("mean_number", mean_number);
  }
};

/// Measures a system from outside: couple its inputs to `arrived`, its outputs
/// to `solved`. At its observation time it sends a report, and a signal by
/// which sources can be stopped. The report covers earlier arrivals only:
/// output precedes the transition that receives the inputs of that time. A
/// solved job that has not arrived is not counted. Of several open jobs of one
/// number the first to arrive is solved first.
/// @tparam R the type of the report, and S that of the signal.
template <Numbered T = Job, typename R = Report, typename S = Signal>
class Transducer : public Atomic<Transducer<T, R, S>> {
 public:
  struct State {
    Duration clock{};
    ArrivalTable open;
    std::int64_t arrived = 0;
    std::int64_t solved = 0;
    double turnaround_s = 0;
    double number_s = 0;  ///< Integral of the number of open jobs.
    bool is_done = false;
  };

  In<T> arrived{this, "arrived"};
  In<T> solved{this, "solved"};
  Out<R> report{this, "report"};
  Out<S> done{this, "done"};

  /// @param warm_up jobs that arrive during it are not counted.
  /// @throws Error kInvalidArgument if the warm-up is negative or does not end
  ///     before the observation time.
  explicit Transducer(Duration observation, Duration warm_up = Duration::zero())
      : observation_(observation), warm_up_(warm_up) {
    if (warm_up < Duration::zero() || observation <= warm_up) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a transducer: it is to observe from " +
                      ToText(warm_up) + " to " + ToText(observation) +
                      "; give a time of observation above that of warm-up, "
                      "and neither below 0 s");
    }
  }

  /// The report for a state `clock` after the start; after the observation
  /// time, the report at that time.
  [[nodiscard]] Report ReportAt(const State& s, Duration clock) const {
    const Duration end = std::min(clock, observation_);
    const double seconds = Seconds{end - warm_up_}.value;
    Report result;
    result.arrived = s.arrived;
    result.solved = s.solved;
    if (s.solved > 0) {
      result.mean_turnaround_s = s.turnaround_s / static_cast<double>(s.solved);
    }
    if (seconds > 0) {
      const double number_s = s.number_s + NumberSeconds(s, end);
      result.throughput_per_s = static_cast<double>(s.solved) / seconds;
      result.mean_number = number_s / seconds;
    }
    return result;
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.is_done ? kPassive : observation_ - s.clock;
  }

  void Output(const State& s, Bag& y) const {
    y.Send(report, R(ReportAt(s, observation_)));
    y.Send(done, S(Signal()));
  }

  void Internal(State& s) const {
    Pass(s, observation_);
    s.is_done = true;
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    if (s.is_done) {
      return;
    }
    Pass(s, s.clock + elapsed);
    if (s.clock >= warm_up_) {
      for (const T& job : x[arrived]) {
        ++s.arrived;
        s.open.Insert(NumberOf(job), s.clock);
      }
    }
    for (const T& job : x[solved]) {
      if (const auto arrival = s.open.Take(NumberOf(job))) {
        ++s.solved;
        s.turnaround_s += Seconds(s.clock - *arrival).value;
      }
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("arrived", s.arrived);
    record.Add("solved", s.solved);
    record.Add("open", s.open.size());
  }

 private:
  // Correct during the warm-up, too: no job is open then.
  static double NumberSeconds(const State& s, Duration until) {
    return Seconds(until - s.clock).value * static_cast<double>(s.open.size());
  }

  static void Pass(State& s, Duration until) {
    s.number_s += NumberSeconds(s, until);
    s.clock = until;
  }

  Duration observation_;
  Duration warm_up_;
};

/// Receives messages, and counts them.
template <typename T = Job>
class Sink : public Atomic<Sink<T>> {
 public:
  struct State {
    std::int64_t count = 0;
    std::optional<T> last;
  };

  In<T> in{this, "in"};

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    for (const T& message : x[in]) {
      ++s.count;
      s.last = message;
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("count", s.count);
    if constexpr (Record::Takes<T>()) {
      record.Add("last", s.last);
    }
  }
};

/// Keeps all messages, with their times.
template <typename T = Job>
class Recorder : public Atomic<Recorder<T>> {
 public:
  struct Sample {
    Duration time{};  ///< Time since the start.
    T value;

    friend bool operator==(const Sample&, const Sample&) = default;
  };

  struct State {
    Duration clock{};
    std::vector<Sample> samples;
  };

  In<T> in{this, "in"};

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.clock += elapsed;
    for (const T& value : x[in]) {
      s.samples.push_back({s.clock, value});
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("count", s.samples.size());
    if constexpr (Record::Takes<T>()) {
      if (!s.samples.empty()) {
        record.Add("last", s.samples.back().value);
      }
    }
  }
};

}  // namespace orrery::devs
