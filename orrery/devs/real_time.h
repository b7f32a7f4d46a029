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
  /// What begins later than this after its wall time is late.
  Duration max_lag = std::chrono::milliseconds(10);
  /// Whether what is late ends RunUntil with an error. Else it is counted, and
  /// the run goes on as fast as it can until it is in time again.
  bool strict = false;
  /// Whether arrivals() and Repeat() are wanted; the messages are then kept.
  bool keep_arrivals = false;
};

using orrery::LagReport;

/// When a message arrived, and where.
struct Arrival {
  const Port* port = nullptr;
  Duration time{};

  friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// Lets a run keep pace with a clock: no instant begins before its wall time,
/// `factor` times the simulated time since the begin. What is behind is made up
/// for, so that lags do not add up.
///
/// One thread has the run and calls RunUntil. All other functions may be called
/// from any thread, as long as it lasts; they do not wait for the model.
class RealTime {
 public:
  /// @param run is run on by nobody else from now on. It and `clock` must
  ///     outlive the result.
  /// @throws Error kInvalidArgument for a factor that is not above zero and
  ///     finite, or a negative max_lag.
  RealTime(Simulator& run, WallClock& clock, RealTimeOptions options = {});

  /// Carries out all events up to `end`, each not before its wall time, and
  /// returns at that of `end`; if that is kPassive, runs until Stop(). The time
  /// of the run belongs to the time of the first call; calls that follow go on
  /// from there, however long they let wait.
  /// @returns whether the end was reached, and Stop() not called.
  /// @throws Error kInvalidArgument if an instant is late and that is strict:
  ///     it and what follows have not happened, and the run can go on, at best
  ///     after Synchronize(). Also if the run was run on or restored by others,
  ///     or is in RunUntil already. Error kInvalidModel as Simulator::RunUntil.
  bool RunUntil(Duration end);

  /// Ends RunUntil before its next instant; without one, the next one at once.
  void Stop();

  /// Lets the simulated time reached belong to the time it is now, after a
  /// pause or to give up what is behind.
  void Synchronize();

  /// The simulated time that the clock shows, which the run may be behind.
  [[nodiscard]] Duration now() const;

  /// Lets a message arrive at an input of the outermost model, at now() or as
  /// soon after it as can be, in an instant that has not begun.
  /// @returns when.
  /// @throws Error kInvalidArgument if the port is none of the outermost model.
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

  /// What the run was handed, in this order, if that is kept.
  [[nodiscard]] std::vector<Arrival> arrivals() const;

  /// Injects the same messages at the same times into another run of the same
  /// model. If that is where this one was at first, it gives the same results,
  /// to the bit, at any pace.
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
  void CarryOut(Duration time,
                Duration lag,
                std::unique_lock<std::mutex>& lock);
  void Finish(Duration end);
  [[nodiscard]] Duration Shown() const;

  Simulator& run_;
  WallClock& clock_;
  const Coupled& root_;
  const bool keeps_arrivals_;
  std::atomic<bool> is_running_ = false;

  mutable std::mutex mutex_;  // Of all below.
  std::condition_variable wake_;
  Pace pace_;
  Duration reached_;   // Where run_ is.
  Duration earliest_;  // At which a message can arrive.
  bool is_to_stop_ = false;
  std::deque<Message> waiting_;  // To be handed over.
  std::vector<Message> kept_;
  std::int64_t num_injections_ = 0;
};

}  // namespace orrery::devs
