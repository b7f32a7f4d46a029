#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/describe.h"

namespace orrery::process {

/// What becomes of functions that act on a variable concurrently.
enum class Concurrency : std::uint8_t {
  kChecked,      ///< They are to commute; whether they do is tried.
  kCommuting,    ///< They do commute: nothing is tried, one order is taken.
  kConflicting,  ///< They never do.
};

/// Whether two numbers differ by what rounding explains.
struct EqualToRounding {
  double relative = 1e-12;

  [[nodiscard]] bool operator()(double a, double b) const {
    return a == b ||
           std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
  }
};

/// A cell type: a value that functions act on.
///
///     Cell<Variable<int>> price{this, "price", 42};
///     ...
///     price.Change("triple", [](int x) { return 3 * x; });
///
/// In sequence functions follow each other. Concurrent ones must commute, for
/// nobody chose their order: "times 3" beside "times 4" makes 504 of 42, but
/// "times 3" beside "plus 1" would make 127 or 129. Then neither is obeyed: the
/// value stays as it was before them, and the variable is in conflict until it
/// is set again.
///
/// Commuting is tried on the value at hand, with `Same` to compare. Up to
/// `kMostInAllOrders` concurrent effects are tried in all orders: whichever of
/// them have acted, in whatever order, the value must be the same. Of more each
/// two are tried on the value before them, and all in their order and in the
/// reverse one: n effects cost n^2 calls, and rare combinations get by that
/// only a third order would tell apart. Where many tasks act at once, on what
/// is known to commute, take kCommuting or a type with effects of its own, as
/// the Counter and the Accumulator are.
///
/// Functions may be called later than they are given, more than once or never:
/// they keep by value what they need, do nothing but return the new value, and
/// do not throw.
template <std::copyable T,
          Concurrency kConcurrency = Concurrency::kChecked,
          std::predicate<const T&, const T&> Same = std::equal_to<T>>
class Variable {
 public:
  using Function = std::function<T(const T&)>;

  static constexpr std::size_t kMostInAllOrders = 8;

  /// Functions in sequence, or effects side by side, in sequence with others.
  /// They are in lists, since composing two of any length is to cost the same.
  struct Effect {
    struct Change {
      std::string name;
      Function function;
      bool is_set = false;  ///< It clears a conflict.
    };

    struct Beside {
      std::list<Effect> effects;
    };

    std::list<std::variant<Change, Beside>> steps;

    /// {change: "triple"}; of several {change.1: ..., change.2: "beside"}.
    void Describe(Record& record) const {
      std::size_t i = 0;
      for (const auto& step : steps) {
        const auto* const change = std::get_if<Change>(&step);
        record.Add(internal::NameOfOne("change", i++, steps.size()),
                   change == nullptr ? std::string("beside") : change->name);
      }
    }
  };

  explicit Variable(T value = T()) : state_{.value = std::move(value)} {}

  /// @param name for people, in logs.
  static Effect Changing(std::string_view name, Function function) {
    Effect effect;
    effect.steps.push_back(typename Effect::Change{
        .name = std::string(name), .function = std::move(function)});
    return effect;
  }

  /// As the function that is `value` of whatever; and no conflict remains.
  static Effect Setting(T value) {
    Effect effect;
    effect.steps.push_back(typename Effect::Change{
        .name = "set",
        .function = [value = std::move(value)](const T&) { return value; },
        .is_set = true});
    return effect;
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    first.steps.splice(first.steps.end(), second.steps);
    return first;
  }

  static Effect Concurrently(Effect a, Effect b) {
    if (a.steps.empty()) {
      return b;
    }
    if (b.steps.empty()) {
      return a;
    }
    typename Effect::Beside all;
    AddBranches(std::move(a), all.effects);
    AddBranches(std::move(b), all.effects);
    Effect effect;
    effect.steps.push_back(std::move(all));
    return effect;
  }

  void Apply(const Effect& effect) {
    state_ = After(std::move(state_), effect);
  }

  [[nodiscard]] const T& Value() const { return state_.value; }

  [[nodiscard]] bool HasConflict() const { return state_.conflict; }

  friend bool operator==(const Variable&, const Variable&) = default;

 private:
  struct State {
    T value;
    bool conflict = false;

    friend bool operator==(const State&, const State&) = default;
  };

  // What stands side by side is one list, however it was grouped.
  static void AddBranches(Effect effect, std::list<Effect>& branches) {
    auto* const beside =
        effect.steps.size() == 1
            ? std::get_if<typename Effect::Beside>(&effect.steps.front())
            : nullptr;
    if (beside == nullptr) {
      branches.push_back(std::move(effect));
    } else {
      branches.splice(branches.end(), beside->effects);
    }
  }

  static State After(State state, const Effect& effect) {
    for (const auto& step : effect.steps) {
      if (const auto* change = std::get_if<typename Effect::Change>(&step)) {
        state.value = change->function(state.value);
        state.conflict = state.conflict && !change->is_set;
      } else {
        state = AfterAll(std::move(state),
                         std::get<typename Effect::Beside>(step).effects);
      }
    }
    return state;
  }

  static State AfterAll(State state, const std::list<Effect>& branches) {
    if constexpr (kConcurrency == Concurrency::kCommuting) {
      return InOrder(std::move(state), branches.begin(), branches.end());
    } else {
      if constexpr (kConcurrency == Concurrency::kChecked) {
        const std::optional<State> agreed =
            branches.size() <= kMostInAllOrders
                ? AfterAllOrders(state, branches)
                : AfterSomeOrders(state, branches);
        if (agreed) {
          return *agreed;
        }
      }
      state.conflict = true;
      return state;
    }
  }

  template <typename Iterator>
  static State InOrder(State state, Iterator begin, Iterator end) {
    for (; begin != end; ++begin) {
      state = After(std::move(state), *begin);
    }
    return state;
  }

  [[nodiscard]] static bool Agree(const State& a, const State& b) {
    return a.conflict == b.conflict && Same()(a.value, b.value);
  }

  // By the sets of branches that have acted: all orders pass through these.
  static std::optional<State> AfterAllOrders(
      const State& before, const std::list<Effect>& branches) {
    const std::size_t sets = std::size_t{1} << branches.size();
    std::vector<State> after;
    after.reserve(sets);
    after.push_back(before);
    for (std::size_t set = 1; set < sets; ++set) {
      std::optional<State> reached;
      std::size_t next_bit = 1;
      for (const Effect& last : branches) {
        const std::size_t bit = std::exchange(next_bit, 2 * next_bit);
        if ((set & bit) == 0) {
          continue;
        }
        State state = After(after[set ^ bit], last);
        if (reached && !Agree(*reached, state)) {
          return std::nullopt;
        }
        if (!reached || IsBefore(state, *reached)) {
          reached = std::move(state);
        }
      }
      after.push_back(*std::move(reached));
    }
    return std::move(after.back());
  }

  // Of values that are the same to rounding the least, whatever came first.
  [[nodiscard]] static bool IsBefore(const State& a, const State& b) {
    if constexpr (std::totally_ordered<T>) {
      return a.value < b.value;
    } else {
      return false;
    }
  }

  static std::optional<State> AfterSomeOrders(
      const State& before, const std::list<Effect>& branches) {
    for (auto a = branches.begin(); a != branches.end(); ++a) {
      const State first = After(before, *a);
      for (auto b = std::next(a); b != branches.end(); ++b) {
        if (!Agree(After(first, *b), After(After(before, *b), *a))) {
          return std::nullopt;
        }
      }
    }
    State forth = InOrder(before, branches.begin(), branches.end());
    return Agree(forth, InOrder(before, branches.rbegin(), branches.rend()))
               ? std::optional(std::move(forth))
               : std::nullopt;
  }

  State state_;
};

}  // namespace orrery::process
