#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/devs/library/distribution.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

/// The rule by which a switch chooses the output of a message.
template <typename T>
class Route {
 public:
  /// The outputs in turn: 0, 1, ..., then from 0 again.
  static Route RoundRobin() { return Route({}, {}); }

  /// The output that a function returns.
  static Route By(std::function<std::size_t(const T&)> choose) {
    return Route(std::move(choose), {});
  }

  /// Output 0 for messages for which `holds`, output 1 for the others.
  static Route If(std::function<bool(const T&)> holds) {
    return By([holds = std::move(holds)](const T& message) -> std::size_t {
      return holds(message) ? 0 : 1;
    });
  }

  /// A random output, with a probability in proportion to its weight.
  static Route WithProbabilities(std::vector<double> weights) {
    return Route({}, std::move(weights));
  }

  /// The output of a message.
  /// @param turn the number of earlier messages.
  [[nodiscard]] std::size_t Choose(const T& message,
                                   std::int64_t turn,
                                   std::size_t num_outputs,
                                   RandomStream& random) const {
    if (choose_) {
      return choose_(message);
    }
    if (!weights_.empty()) {
      return random.Discrete(weights_);
    }
    return static_cast<std::size_t>(turn) % num_outputs;
  }

  /// Empty for other rules.
  [[nodiscard]] const std::vector<double>& weights() const noexcept {
    return weights_;
  }

 private:
  Route(std::function<std::size_t(const T&)> choose,
        std::vector<double> weights)
      : choose_(std::move(choose)), weights_(std::move(weights)) {}

  std::function<std::size_t(const T&)> choose_;
  std::vector<double> weights_;
};

/// Sends each message on at once, by one of its outputs "out0", "out1", ...
template <typename T = Job>
class Switch : public Atomic<Switch<T>> {
 public:
  struct Routed {
    std::size_t output;
    T message;
  };

  struct State {
    std::vector<Routed> pending;
    std::int64_t passed = 0;
    RandomStream random;
  };

  In<T> in{this, "in"};

  /// @throws Error kInvalidArgument for no outputs, or if there are
  ///     probabilities, but not one for each output.
  Switch(std::size_t num_outputs, Route<T> route) : route_(std::move(route)) {
    if (num_outputs == 0) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a switch: it has no outputs; give 1 or more");
    }
    const std::vector<double>& weights = route_.weights();
    if (!weights.empty()) {
      CheckWeights(weights, num_outputs);
    }
    for (std::size_t i = 0; i < num_outputs; ++i) {
      outputs_.emplace_back(this, "out" + std::to_string(i));
    }
  }

  /// Precondition: there is one of this number.
  [[nodiscard]] const Out<T>& out(std::size_t number) const {
    return outputs_.at(number);
  }

  [[nodiscard]] State Initial(const Start& start) const {
    return {.pending = {}, .random = start.Stream("route")};
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.pending.empty() ? kPassive : Duration::zero();
  }

  void Output(const State& s, Bag& y) const {
    for (const Routed& routed : s.pending) {
      y.Send(outputs_[routed.output], routed.message);
    }
  }

  void Internal(State& s) const { s.pending.clear(); }

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    for (const T& message : x[in]) {
      const std::size_t output =
          route_.Choose(message, s.passed, outputs_.size(), s.random);
      if (output >= outputs_.size()) {
        throw Error(ErrorCode::kInvalidModel,
                    "cannot send a message by output " +
                        std::to_string(output) + ": the switch has " +
                        std::to_string(outputs_.size()) +
                        ", counted from 0; let its route choose one of them");
      }
      s.pending.push_back({output, message});
      ++s.passed;
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("passed", s.passed);
  }

 private:
  static void CheckWeights(const std::vector<double>& weights,
                           std::size_t num_outputs) {
    if (weights.size() != num_outputs) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a switch: it has " +
                      std::to_string(num_outputs) + " outputs and " +
                      std::to_string(weights.size()) +
                      " probabilities; give one for each output");
    }
    RandomStream trial(0, "switch");
    static_cast<void>(trial.Discrete(weights));
  }

  Route<T> route_;
  std::deque<Out<T>> outputs_;
};

/// Sends on messages of any of its inputs "in0", "in1", ... at once;
/// simultaneous ones in the order of the inputs. (If the order of couplings
/// suffices, couple all senders to one input instead.)
template <typename T = Job>
class Merge : public Atomic<Merge<T>> {
 public:
  struct State {
    std::vector<T> pending;
  };

  Out<T> out{this, "out"};

  /// @throws Error kInvalidArgument for no inputs.
  explicit Merge(std::size_t num_inputs) {
    if (num_inputs == 0) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a merge: it has no inputs; give 1 or more");
    }
    for (std::size_t i = 0; i < num_inputs; ++i) {
      inputs_.emplace_back(this, "in" + std::to_string(i));
    }
  }

  /// Precondition: there is one of this number.
  [[nodiscard]] const In<T>& in(std::size_t number) const {
    return inputs_.at(number);
  }

  Duration TimeAdvance(const State& s) const {
    return s.pending.empty() ? kPassive : Duration::zero();
  }

  void Output(const State& s, Bag& y) const {
    for (const T& message : s.pending) {
      y.Send(out, message);
    }
  }

  void Internal(State& s) const { s.pending.clear(); }

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    for (const In<T>& input : inputs_) {
      for (const T& message : x[input]) {
        s.pending.push_back(message);
      }
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("pending", s.pending.size());
  }

 private:
  std::deque<In<T>> inputs_;
};

/// Sends on each message when its delay is over. With random delays one may
/// overtake another; those due at the same time leave in the order in which
/// they came.
template <typename T = Job>
class Delay : public Atomic<Delay<T>> {
 public:
  struct Due {
    Duration time{};
    T message;
  };

  struct State {
    Duration clock{};
    std::vector<Due> pending;  ///< The first to leave is the last.
    RandomStream random;
  };

  In<T> in{this, "in"};
  Out<T> out{this, "out"};

  explicit Delay(Times delay) : delay_(std::move(delay)) {}

  [[nodiscard]] State Initial(const Start& start) const {
    return {.clock = {}, .pending = {}, .random = start.Stream("delay")};
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    if (s.pending.empty() || s.pending.back().time == kPassive) {
      return kPassive;
    }
    return s.pending.back().time - s.clock;
  }

  void Output(const State& s, Bag& y) const {
    const Duration now = s.pending.back().time;
    for (auto i = s.pending.rbegin(); i != s.pending.rend() && i->time == now;
         ++i) {
      y.Send(out, i->message);
    }
  }

  void Internal(State& s) const {
    s.clock = s.pending.back().time;
    while (!s.pending.empty() && s.pending.back().time == s.clock) {
      s.pending.pop_back();
    }
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.clock += elapsed;
    for (const T& message : x[in]) {
      const Duration time = delay_.DrawEnd(s.clock, s.random);
      const auto place = std::lower_bound(
          s.pending.begin(),
          s.pending.end(),
          time,
          [](const Due& other, Duration t) { return other.time > t; });
      s.pending.insert(place, Due{time, message});
    }
  }

  void Describe(const State& s, Record& record) const {
    record.Add("pending", s.pending.size());
  }

 private:
  Times delay_;
};

}  // namespace orrery::devs
