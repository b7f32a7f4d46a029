#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/system/pace.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {

struct RealTimeOptions {
  /// Seconds of the wall clock for a simulated one, above zero: 1 is real time,
  /// 0.1 is ten times as fast.
  double factor = 1;
  /// An instant that begins later than this after its wall time is late.
  Duration max_lag = std::chrono::milliseconds(10);
  /// True if a late instant ends RunUntil with an error. Otherwise it is
  /// counted, and the run goes on as fast as it can until it has caught up.
  bool strict = false;
  /// True if injected messages are kept, for arrivals() and Repeat().
  bool keep_arrivals = false;
};

using orrery::LagReport;

/// The time and port of a message.
struct Arrival {
  const Port* port = nullptr;
  Duration time{};

  friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// Lets a run keep pace with a clock: no instant begins before its wall time,
/// which is `factor` times the simulated time since the begin. The run catches
/// up after a lag, so that lags do not add up.
///
/// One thread owns the run and calls RunUntil. All other functions may be
/// called from any thread at the same time; they do not wait for the model.
class RealTime {
 public:
  /// @param run must not be run by anybody else from now on. It and `clock`
  ///     must outlive this object.
  /// @throws Error kInvalidArgument for a factor that is not above zero and
  ///     finite, or a negative max_lag.
  RealTime(Simulator& run, WallClock& clock, RealTimeOptions options = {});

  /// Carries out all events up to `end`, each not before its wall time, and
  /// returns at that of `end`; with kPassive it runs until Stop(). The first
  /// call ties the time of the run to the wall time of the call. Later calls go
  /// on from there, even after a long pause.
  /// @returns true if the end was reached, false after Stop().
  /// @throws Error kInvalidArgument if an instant is late in strict mode: it
  ///     has not happened, and the run can go on, preferably after
  ///     Synchronize(). Also if the run was run or restored by others, or is in
  ///     RunUntil already. Error kInvalidModel as Simulator::RunUntil.
  bool RunUntil(Duration end);

  /// Ends RunUntil before its next instant. If it is not running, the next call
  /// ends at once.
  void Stop();

  /// Ties the reached simulated time to the present wall time, after a pause or
  /// to give up a lag.
  void Synchronize();

  /// The simulated time according to the clock; the run may lag behind.
  [[nodiscard]] Duration now() const;

  /// Injects a message at an input of the outermost model, at now() or as soon
  /// after as possible, in an instant that has not begun.
  /// @returns the simulated time of arrival.
  /// @throws Error kInvalidArgument if the port is not one of the outermost
  ///     model.
  template <typename T>
  Duration Inject(const In<T>& port, T value) {
    return Accept(port, std::nullopt, ToSend(port, std::move(value)));
  }

  /// The same at a given simulated time.
  /// @throws Error kInvalidArgument also if the instant of that time has begun.
  template <typename T>
  void Inject(const In<T>& port, T value, Duration at) {
    Accept(port, at, ToSend(port, std::move(value)));
  }

  [[nodiscard]] LagReport report() const;

  /// The injected messages, in the order in which the run received them, if
  /// these are kept.
  [[nodiscard]] std::vector<Arrival> arrivals() const;

  /// Injects the same messages at the same times into another run of the same
  /// model. From the same initial state it gives the same results, to the bit,
  /// at any pace.
  void Repeat(Simulator& run) const;

 private:
  using Send = std::function<void(Simulator&, Duration at)>;

  struct Message {
    Arrival arrival;
    Send send;
  };

  template <typename T>
  static Send ToSend(const In<T>& port, T value) {
    return [&port, value = std::move(value)](Simulator& run, Duration at) {
      run.Inject(port, value, at);
    };
  }

  Duration Accept(const Port& port, std::optional<Duration> at, Send send);
  void HandOver();
  void RunInstant(Duration time,
                  Duration lag,
                  std::unique_lock<std::mutex>& lock);
  void Finish(Duration end);
  [[nodiscard]] Duration Shown() const;

  Simulator& run_;
  WallClock& clock_;
  const Coupled& root_;
  const bool keeps_arrivals_;
  std::atomic<bool> is_running_ = false;

  mutable std::mutex mutex_;  // Guards all members below.
  std::condition_variable wake_;
  Pace pace_;
  Duration reached_;   // Time of run_.
  Duration earliest_;  // The earliest possible time of arrival.
  bool is_to_stop_ = false;
  std::deque<Message> waiting_;  // Messages that the run has not received yet.
  std::vector<Message> kept_;
  std::int64_t num_injections_ = 0;
};

}  // namespace orrery::devs
