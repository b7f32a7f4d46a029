#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

/// A base of finite state machines, as `class Light : public
/// FiniteStateMachine<Light>`: atomic models without a time advance of their
/// own, which have a transition when inputs arrive and answer at the same time,
/// in the next microstep.
///
/// `M` has, all const but the types:
/// - `Phase`, copyable: the state of the machine, often an enumeration;
/// - optionally `Phase First()`; else the first phase is `Phase{}`;
/// - `Phase Next(const Phase&, const Bag& x)`: the phase after inputs `x`;
/// - optionally `void Show(const Phase&, Bag& y)`: the output of a Moore
///   machine in a phase, sent at the start and after every input, even one that
///   keeps the phase;
/// - optionally `Reply`, copyable, with `std::optional<Reply> Answer(const
///   Phase& before, const Bag& x)` and `void Send(const Reply&, Bag& y)`: the
///   output of a Mealy machine for an input, sent before that of `Show`. If
///   more inputs arrive before it is sent, as in classic DEVS, the replies wait
///   in order.
///
/// The phase is traced if its type can be recorded. Mealy, Bell Syst. Tech. J.
/// 34 (1955) 1045; Moore, Automata Studies (1956).
template <typename M>
class FiniteStateMachine : public Atomic<M> {
 public:
  struct State;

  /// The phase in a state, as of `Simulator::state`.
  static const auto& PhaseOf(const State& s) { return s.phase; }

  [[nodiscard]] State Initial() const {
    if constexpr (requires(const M& m) { m.First(); }) {
      return State{.phase = self().First()};
    } else {
      return State{};
    }
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.has_to_show || s.HasReplies() ? Duration::zero() : kPassive;
  }

  void Output(const State& s, Bag& y) const {
    if constexpr (kIsMealy<M>) {
      for (const auto& reply : s.replies) {
        self().Send(reply, y);
      }
    }
    if constexpr (kIsMoore<M>) {
      if (s.has_to_show) {
        self().Show(s.phase, y);
      }
    }
  }

  void Internal(State& s) const {
    s.has_to_show = false;
    if constexpr (kIsMealy<M>) {
      s.replies.clear();
    }
  }

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    if constexpr (kIsMealy<M>) {
      if (auto reply = self().Answer(s.phase, x)) {
        s.replies.push_back(*std::move(reply));
      }
    }
    s.phase = self().Next(s.phase, x);
    s.has_to_show = kIsMoore<M>;
  }

  void Describe(const State& s, Record& record) const {
    if constexpr (Record::Takes<typename M::Phase>()) {
      record.Add("phase", s.phase);
    }
  }

 private:
  struct None {};

  template <typename T>
  static constexpr bool kIsMealy = requires {
    typename T::Reply;
  };

  template <typename T>
  static constexpr bool kIsMoore = requires {
    &T::Show;
  };

  template <typename T>
  static auto RepliesOf() {
    if constexpr (kIsMealy<T>) {
      return std::vector<typename T::Reply>();
    } else {
      return None();
    }
  }

  [[nodiscard]] const M& self() const { return static_cast<const M&>(*this); }
};

/// The phase, and the outputs still to be sent.
template <typename M>
struct FiniteStateMachine<M>::State {
  typename M::Phase phase{};
  bool has_to_show = kIsMoore<M>;
  decltype(RepliesOf<M>()) replies{};

  [[nodiscard]] bool HasReplies() const {
    if constexpr (kIsMealy<M>) {
      return !replies.empty();
    } else {
      return false;
    }
  }
};

/// A base of discrete-time models, as `class Filter : public
/// DiscreteTimeModel<Filter>`: atomic models that step once a period,
/// independently of their inputs.
///
/// `M` has, all const but the types:
/// - `Duration Period()`, above zero and constant;
/// - optionally `Duration Offset()`, not negative: the time of the first step,
///   else one period after the start;
/// - `Value`, copyable, `Value{}` at first or what `Value First()` returns;
/// - if there are inputs, `Input`, copyable, and `void Read(Input&, const Bag&
///   x)`, which takes in the messages. Inputs at the very time of a step count
///   for the next, in classic DEVS only if SELECT lets the step come first;
/// - `void Step(Value&, Input&)`, or `void Step(Value&)` without inputs: the
///   input that it leaves is kept for the next step;
/// - optionally `void Show(const Value&, const Input&, Bag& y)`, or `void
///   Show(const Value&, Bag& y)`: the output at a step, for the value before
///   it.
///
/// The value is traced if its type can be recorded. Zeigler, Praehofer & Kim,
/// "Theory of Modeling and Simulation", 2nd ed., 2000, section 6.4.
template <typename M>
class DiscreteTimeModel : public Atomic<M> {
 public:
  struct State;

  /// The value in a state, as of `Simulator::state`.
  static const auto& ValueOf(const State& s) { return s.value; }

  /// @throws Error kInvalidModel for a period or an offset out of range.
  [[nodiscard]] State Initial() const {
    const Duration period = self().Period();
    if (period <= Duration::zero()) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot step every " + ToText(period) +
                      ": time would stand; give a period above 0 s");
    }
    State s{};
    s.sigma = period;
    if constexpr (requires(const M& m) { m.Offset(); }) {
      s.sigma = self().Offset();
      if (s.sigma < Duration::zero()) {
        throw Error(ErrorCode::kInvalidModel,
                    "cannot step first at " + ToText(s.sigma) +
                        ": the run starts at 0 s; give no negative offset");
      }
    }
    if constexpr (requires(const M& m) { m.First(); }) {
      s.value = self().First();
    }
    return s;
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const {
    if constexpr (requires(const M& m) { m.Show(s.value, s.input, y); }) {
      self().Show(s.value, s.input, y);
    } else if constexpr (requires(const M& m) { m.Show(s.value, y); }) {
      self().Show(s.value, y);
    }
  }

  void Internal(State& s) const {
    if constexpr (requires(const M& m) { m.Step(s.value, s.input); }) {
      self().Step(s.value, s.input);
    } else {
      self().Step(s.value);
    }
    s.sigma = self().Period();
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.sigma -= elapsed;
    if constexpr (kHasInput<M>) {
      self().Read(s.input, x);
    }
  }

  void Describe(const State& s, Record& record) const {
    if constexpr (Record::Takes<typename M::Value>()) {
      record.Add("value", s.value);
    }
  }

 private:
  struct None {};

  template <typename T>
  static constexpr bool kHasInput = requires {
    typename T::Input;
  };

  template <typename T>
  static auto InputOf() {
    if constexpr (kHasInput<T>) {
      return typename T::Input{};
    } else {
      return None();
    }
  }

  [[nodiscard]] const M& self() const { return static_cast<const M&>(*this); }
};

/// The value, the input since the last step, and the time to the next step.
template <typename M>
struct DiscreteTimeModel<M>::State {
  typename M::Value value{};
  decltype(InputOf<M>()) input{};
  Duration sigma{};
};

}  // namespace orrery::devs
