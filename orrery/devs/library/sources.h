#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/library/distribution.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

template <typename T>
struct GeneratorOptions {
  /// The time of the first message; by default one spacing after the start.
  std::optional<Duration> first = {};
  /// The number of messages that it sends.
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  /// Makes a message from its number, counted from 0; MakeNumbered by default.
  std::function<T(std::int64_t number, RandomStream& random)> make = {};
};

/// Sends messages, a spacing apart. A constant spacing gives a periodic source,
/// an exponential one a Poisson process. A signal at `stop` ends it for good; a
/// message due at the same time is still sent.
/// @tparam S the type of the signal.
template <typename T = Job, typename S = Signal>
class Generator : public Atomic<Generator<T, S>> {
 public:
  struct State {
    T next;  ///< The next message to be sent.
    std::int64_t sent = 0;
    Duration sigma{};
    RandomStream spacing;  ///< Yields the times.
    RandomStream content;  ///< Yields the messages.
  };

  In<S> stop{this, "stop"};
  Out<T> out{this, "out"};

  /// @throws Error kInvalidArgument if the spacing is always zero, the first
  ///     time or the limit negative, or if T has no number and options.make is
  ///     missing.
  explicit Generator(Times spacing, GeneratorOptions<T> options = {})
      : spacing_(std::move(spacing)), options_(std::move(options)) {
    Check();
  }

  [[nodiscard]] State Initial(const Start& start) const {
    RandomStream content = start.Stream("content");
    T next = Make(0, content);
    State s{.next = std::move(next),
            .spacing = start.Stream("spacing"),
            .content = content};
    s.sigma = options_.limit == 0 ? kPassive
              : options_.first    ? *options_.first
                                  : spacing_.Draw(s.spacing);
    return s;
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, s.next); }

  void Internal(State& s) const {
    ++s.sent;
    if (s.sent == options_.limit) {
      s.sigma = kPassive;
      return;
    }
    s.next = Make(s.sent, s.content);
    s.sigma = spacing_.Draw(s.spacing);
  }

  void External(State& s, Duration /*elapsed*/, const Bag& /*x*/) const {
    s.sigma = kPassive;
  }

  void Describe(const State& s, Record& record) const {
    record.Add("sent", s.sent);
    record.Add("sigma", s.sigma);
  }

 private:
  T Make(std::int64_t number, RandomStream& content) const {
    if constexpr (Numbered<T>) {
      if (!options_.make) {
        return MakeNumbered<T>(number);
      }
    }
    return options_.make(number, content);
  }

  void Check() const {
    const auto refuse = [](const std::string& why) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a generator: " + why);
    };
    if (spacing_.is_zero()) {
      refuse("its period is 0 s, and time would stand; give one above 0 s");
    }
    if (options_.first && *options_.first < Duration::zero()) {
      refuse("its first message is due at " + ToText(*options_.first) +
             ", before the start; give 0 s or more");
    }
    if (options_.limit < 0) {
      refuse("it is to send " + std::to_string(options_.limit) +
             " messages; give a limit of 0 or more");
    }
    if (!Numbered<T> && !options_.make) {
      refuse(
          "its messages carry no number, and nothing makes them; give a "
          "function 'make'");
    }
  }

  Times spacing_;
  GeneratorOptions<T> options_;
};

/// Ticks with a constant period; each tick sends its number, from 0.
class Clock : public Atomic<Clock> {
 public:
  struct State {
    std::int64_t ticks = 0;
    Duration sigma{};

    void Describe(Record& record) const { record.Add("ticks", ticks); }
  };

  Out<std::int64_t> tick{this, "tick"};

  /// @param offset the time of the first tick.
  /// @throws Error kInvalidArgument for a period that is not above zero or a
  ///     negative offset.
  explicit Clock(Duration period, Duration offset = Duration::zero());

  [[nodiscard]] State Initial() const { return {.sigma = offset_}; }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(tick, s.ticks); }

  void Internal(State& s) const {
    ++s.ticks;
    s.sigma = period_;
  }

 private:
  Duration period_;
  Duration offset_;
};

/// Sends numbers drawn from a distribution, a spacing apart, the first one
/// spacing after the start.
class RandomSource : public Atomic<RandomSource> {
 public:
  struct State {
    double value = 0;  ///< The next value to be sent.
    Duration sigma{};
    RandomStream spacing;
    RandomStream values;

    void Describe(Record& record) const { record.Add("value", value); }
  };

  Out<double> out{this, "out"};

  /// @throws Error kInvalidArgument if the spacing is always zero.
  RandomSource(Times spacing, Distribution values);

  [[nodiscard]] State Initial(const Start& start) const;

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, s.value); }

  void Internal(State& s) const { Draw(s); }

 private:
  void Draw(State& s) const;

  Times spacing_;
  Distribution values_;
};

}  // namespace orrery::devs
