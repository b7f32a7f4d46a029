#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/cells/cell_type.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A law that a cell type breaks, with the first counterexample.
struct BrokenLaw {
  std::string law;  ///< "L3".

  /// "L3: a | b is not b | a, with a = effect 0 {set: 1}, b = effect 2
  /// {set: 3}, on state 1 (value: 7)". Samples count from 0.
  std::string text;
};

struct LawOptions {
  /// The tolerated relative difference of observed floating-point numbers that
  /// should be equal. Above 0, runs may differ by that much if cells are read
  /// more often.
  double relative_tolerance = 0;

  /// The tolerated difference of a value from Dynamics, relative to the sum of
  /// the sizes of its terms: for rounding.
  double dynamics_tolerance = 1e-9;
};

/// Observes the state as a whole if it has ==, else its value.
struct ObserveState {
  template <typename C>
  auto operator()(const C& state) const {
    if constexpr (std::equality_comparable<C>) {
      return state;
    } else {
      return std::decay_t<decltype(state.Value())>(state.Value());
    }
  }
};

namespace internal {

/// For example "effect 2 {set: 5}", with the fields of `record`, if any.
[[nodiscard]] std::string SampleText(std::string_view kind,
                                     std::size_t index,
                                     const Record& record);

/// " after 1.5 s"; "" for zero.
[[nodiscard]] std::string AfterText(Duration elapsed);

/// Checks the laws on all combinations of samples.
template <CellType C, typename Observe>
class LawCheck {
  using Effect = typename C::Effect;
  using Observed = std::decay_t<std::invoke_result_t<Observe, const C&>>;
  using Seen = std::decay_t<decltype(std::declval<const C&>().Value())>;

  static_assert(std::equality_comparable<Observed>,
                "to be checked, what is observed needs ==");

 public:
  LawCheck(std::span<const C> states,
           std::span<const Effect> effects,
           std::span<const Duration> durations,
           LawOptions options,
           Observe observe)
      : effects_(effects),
        durations_(durations),
        options_(options),
        observe_(std::move(observe)) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      states_.push_back({.state = states[i], .index = i});
      if constexpr (StepsInTime<C>) {
        for (const Duration duration : durations) {
          states_.push_back({.state = Stepped(states[i], duration),
                             .index = i,
                             .elapsed = duration});
        }
      }
    }
  }

  std::vector<BrokenLaw> Run() {
    CheckGroupings();
    CheckPairs();
    CheckUnits();
    for (const Sample& sample : states_) {
      CheckCopies(sample);
      CheckPassing(sample);
      CheckExpiry(sample);
    }
    return std::move(broken_);
  }

 private:
  struct Sample {
    C state;
    std::size_t index = 0;
    Duration elapsed{0};
  };

  /// The samples of a counterexample.
  struct Case {
    std::vector<std::size_t> effects = {};
    std::vector<Duration> durations = {};
  };

  static C Applied(C state, const Effect& effect) {
    state.Apply(effect);
    return state;
  }

  static C Stepped(C state, Duration duration) {
    state.Step(duration);
    return state;
  }

  template <typename T>
  [[nodiscard]] bool Same(const T& a, const T& b) const {
    if constexpr (std::floating_point<T>) {
      const double scale = std::max(std::abs(a), std::abs(b));
      return a == b || (std::isnan(a) && std::isnan(b)) ||
             std::abs(a - b) <= options_.relative_tolerance * scale;
    } else {
      return a == b;
    }
  }

  [[nodiscard]] bool SameState(const C& a, const C& b) const {
    return Same<Observed>(observe_(a), observe_(b));
  }

  [[nodiscard]] bool IsBroken(std::string_view law) const {
    return std::ranges::any_of(
        broken_, [law](const BrokenLaw& broken) { return broken.law == law; });
  }

  void Report(std::string_view law,
              std::string_view statement,
              const Case& with,
              const Sample& sample) {
    std::string text(law);
    text.append(": ").append(statement);
    std::string_view separator = ", with ";
    for (std::size_t i = 0; i < with.effects.size(); ++i) {
      text.append(separator).append(1, "abc"[i]).append(" = ");
      text += EffectText(with.effects[i]);
      separator = ", ";
    }
    for (std::size_t i = 0; i < with.durations.size(); ++i) {
      text.append(separator).append("d" + std::to_string(i + 1) + " =");
      text += AfterText(with.durations[i]).substr(std::size(" after") - 1);
      separator = ", ";
    }
    text.append(", on ").append(StateText(sample));
    broken_.push_back({.law = std::string(law), .text = std::move(text)});
  }

  [[nodiscard]] std::string EffectText(std::size_t index) const {
    Record record;
    if constexpr (requires { effects_[index].Describe(record); }) {
      effects_[index].Describe(record);
    } else if constexpr (Record::Takes<Effect>()) {
      record.Add("", effects_[index]);
    }
    return SampleText("effect", index, record);
  }

  [[nodiscard]] std::string StateText(const Sample& sample) const {
    Record record;
    if constexpr (Record::Takes<Seen>()) {
      record.Add("value", sample.state.Value());
    }
    return SampleText("state", sample.index, record) +
           AfterText(sample.elapsed);
  }

  /// Reports a law if two effects differ on some state.
  void RequireSameEffect(std::string_view law,
                         std::string_view statement,
                         std::pair<const Effect&, const Effect&> sides,
                         const Case& with) {
    if (IsBroken(law)) {
      return;
    }
    for (const Sample& sample : states_) {
      if (!SameState(Applied(sample.state, sides.first),
                     Applied(sample.state, sides.second))) {
        Report(law, statement, with, sample);
        return;
      }
    }
  }

  void CheckGroupings() {
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      for (std::size_t j = 0; j < effects_.size(); ++j) {
        for (std::size_t k = 0; k < effects_.size(); ++k) {
          CheckGrouping({.effects = {i, j, k}});
        }
      }
    }
  }

  void CheckGrouping(const Case& with) {
    const Effect& a = effects_[with.effects[0]];
    const Effect& b = effects_[with.effects[1]];
    const Effect& c = effects_[with.effects[2]];
    RequireSameEffect("L1",
                      "(a; b); c is not a; (b; c)",
                      {C::Sequentially(C::Sequentially(a, b), c),
                       C::Sequentially(a, C::Sequentially(b, c))},
                      with);
    RequireSameEffect("L2",
                      "(a | b) | c is not a | (b | c)",
                      {C::Concurrently(C::Concurrently(a, b), c),
                       C::Concurrently(a, C::Concurrently(b, c))},
                      with);
  }

  void CheckPairs() {
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      for (std::size_t j = 0; j < effects_.size(); ++j) {
        const Case with{.effects = {i, j}};
        const Effect& a = effects_[i];
        const Effect& b = effects_[j];
        RequireSameEffect("L3",
                          "a | b is not b | a",
                          {C::Concurrently(a, b), C::Concurrently(b, a)},
                          with);
        CheckActsInTurn(a, b, with);
      }
    }
  }

  void CheckActsInTurn(const Effect& a, const Effect& b, const Case& with) {
    const Effect both = C::Sequentially(a, b);
    for (const Sample& sample : states_) {
      if (!IsBroken("L7") && !SameState(Applied(sample.state, both),
                                        Applied(Applied(sample.state, a), b))) {
        Report("L7", "to apply a; b is not to apply a, then b", with, sample);
      }
    }
  }

  void CheckUnits() {
    const Effect unit = C::Empty();
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      const Case with{.effects = {i}};
      const Effect& a = effects_[i];
      RequireSameEffect(
          "L4", "Empty; a is not a", {C::Sequentially(unit, a), a}, with);
      RequireSameEffect(
          "L4", "a; Empty is not a", {C::Sequentially(a, unit), a}, with);
      RequireSameEffect(
          "L5", "Empty | a is not a", {C::Concurrently(unit, a), a}, with);
      RequireSameEffect(
          "L5", "a | Empty is not a", {C::Concurrently(a, unit), a}, with);
    }
    for (const Sample& sample : states_) {
      if (!IsBroken("L6") &&
          !SameState(Applied(sample.state, unit), sample.state)) {
        Report("L6", "to apply Empty changes a state", {}, sample);
      }
    }
  }

  void CheckPassing(const Sample& sample) {
    if constexpr (StepsInTime<C>) {
      if (!IsBroken("L8") &&
          !SameState(Stepped(sample.state, Duration::zero()), sample.state)) {
        Report("L8", "a step of no time changes a state", {}, sample);
      }
      for (const Duration duration : durations_) {
        CheckSteps(sample, duration);
        CheckWhatGoesOn(sample, duration);
        CheckForgetting(sample, duration);
      }
    }
  }

  // Compares a run that reads the cell after d1 with one that does not.
  void CheckForgetting(const Sample& sample, Duration d1) {
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      for (std::size_t j = 0; j < effects_.size() && !IsBroken("L13"); ++j) {
        const C start = Applied(sample.state, effects_[i]);
        const C read = Stepped(Stepped(start, d1), d1);
        const C unread = Stepped(start, d1 + d1);
        if (!SameState(Stepped(Applied(read, effects_[j]), d1),
                       Stepped(Applied(unread, effects_[j]), d1))) {
          Report("L13",
                 "to read d1 after a shows d1 after b, which comes d1 later",
                 {.effects = {i, j}, .durations = {d1}},
                 sample);
        }
      }
    }
  }

  void CheckSteps(const Sample& sample, Duration d1) {
    for (const Duration d2 : durations_) {
      if (!IsBroken("L9") && !SameState(Stepped(Stepped(sample.state, d1), d2),
                                        Stepped(sample.state, d1 + d2))) {
        Report("L9",
               "steps of d1 and d2 are not one of d1 + d2",
               {.durations = {d1, d2}},
               sample);
      }
    }
  }

  // Copies are compared by their values, if these have ==: a copy that shares
  // data with the original would be equal to it as a whole.
  using Look =
      std::conditional_t<std::equality_comparable<Seen>, Seen, Observed>;

  [[nodiscard]] Look LookAt(const C& state) const {
    if constexpr (std::equality_comparable<Seen>) {
      return state.Value();
    } else {
      return observe_(state);
    }
  }

  void CheckCopies(const Sample& sample) {
    for (std::size_t i = 0; i < effects_.size() && !IsBroken("L10"); ++i) {
      const Look before = LookAt(sample.state);
      C copy = sample.state;
      const bool same = Same(LookAt(copy), before);
      copy.Apply(effects_[i]);
      if constexpr (StepsInTime<C>) {
        copy.Step(Duration(std::chrono::seconds(1)));
      }
      if (!same || !Same(LookAt(sample.state), before)) {
        Report("L10",
               same ? "to apply a to a copy changes the original"
                    : "a copy is not the same",
               {.effects = {i}},
               sample);
      }
    }
  }

  [[nodiscard]] static bool HoldsFor(const C& state, Duration duration) {
    if constexpr (Expires<C>) {
      const std::optional<Duration> expiry = state.Expiry();
      return !expiry || duration < *expiry;
    } else {
      return true;
    }
  }

  void CheckWhatGoesOn(const Sample& sample, Duration duration) {
    if (!HoldsFor(sample.state, duration)) {
      return;
    }
    const C later = Stepped(sample.state, duration);
    if constexpr (HasDynamics<C>) {
      if (!IsBroken("L11") &&
          !IsOn(sample.state.Dynamics(), duration, later.Value())) {
        Report("L11",
               "the value after d1 is not what Dynamics says",
               {.durations = {duration}},
               sample);
      }
    } else if constexpr (std::equality_comparable<Seen>) {
      if (!IsBroken("L12") &&
          !Same<Seen>(later.Value(), sample.state.Value())) {
        Report("L12",
               "the value after d1 is another, before it expires",
               {.durations = {duration}},
               sample);
      }
    }
  }

  /// True if a curve passes through a value, within rounding.
  [[nodiscard]] bool IsOn(const Polynomial& curve,
                          Duration time,
                          double value) const {
    const double s = std::abs(Seconds(time).value);
    double scale = 0;
    double power = 1;
    for (const double coefficient : curve.coefficients()) {
      scale += std::abs(coefficient) * power;
      power *= s;
    }
    const double expected = curve.At(time);
    return value == expected ||
           std::abs(value - expected) <= options_.dynamics_tolerance * scale;
  }

  void CheckExpiry(const Sample& sample) {
    if constexpr (Expires<C>) {
      const std::optional<Duration> expiry = sample.state.Expiry();
      if (expiry && *expiry <= Duration::zero() && !IsBroken("L12")) {
        Report("L12", "the expiry is not above zero", {}, sample);
      }
      for (const Duration duration : durations_) {
        if (!IsBroken("L12") && !DrawsNearer(sample.state, duration)) {
          Report("L12",
                 "the expiry after d1 is not d1 sooner",
                 {.durations = {duration}},
                 sample);
        }
      }
    }
  }

  /// True if the expiry is `duration` sooner after `duration`, or over by then.
  [[nodiscard]] static bool DrawsNearer(const C& state, Duration duration) {
    if constexpr (StepsInTime<C>) {
      const std::optional<Duration> expiry = state.Expiry();
      const std::optional<Duration> later = Stepped(state, duration).Expiry();
      return !HoldsFor(state, duration) ||
             (expiry ? later == *expiry - duration : !later);
    } else {
      return true;
    }
  }

  // Those given, and each of them after each duration.
  std::vector<Sample> states_;
  std::span<const Effect> effects_;
  std::span<const Duration> durations_;
  LawOptions options_;
  Observe observe_;
  std::vector<BrokenLaw> broken_;
};

}  // namespace internal

/// Checks the laws of cell types on all combinations of samples. Returns the
/// laws that do not hold, each once.
///
/// - L1, L2: `;` and `|` are associative; L3: `|` is commutative.
/// - L4, L5: Empty is the unit of both.
/// - L6, L7: Empty changes no state; a; b is a, then b.
/// - L8, L9: a step of no time changes no state; steps add up.
/// - L10: copies are equal and share no data.
/// - L11: the value follows Dynamics.
/// - L12: an expiry is above zero, draws nearer as time passes, and until then
///   a value without dynamics is constant.
/// - L13: reading a cell, which brings it up to date, changes no later value.
///
/// A test of a type of one's own:
///
///     const std::vector<Peak> states{Peak(), Peak{3}};
///     const std::vector<double> effects{-1, 2, 5};
///     EXPECT_THAT(CheckLaws<Peak>(states, effects), IsEmpty());
///
/// The time is proportional to the cube of the number of effects, times the
/// number of states, times that of durations if the type steps in time.
/// @param durations above zero; the states are also tried after each of them.
/// @param observe a function of a state whose results have == and are compared.
///     Two effects are the same if they do the same to all the states.
template <CellType C, typename Observe = ObserveState>
[[nodiscard]] std::vector<BrokenLaw> CheckLaws(
    std::span<const C> states,
    std::span<const typename C::Effect> effects,
    std::span<const Duration> durations = {},
    LawOptions options = {},
    Observe observe = {}) {
  return internal::LawCheck<C, Observe>(
             states, effects, durations, options, std::move(observe))
      .Run();
}

}  // namespace orrery::process
