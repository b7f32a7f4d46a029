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

/// The ways to treat functions that act on a variable concurrently.
enum class Concurrency : std::uint8_t {
  kChecked,      ///< They must commute; that is checked.
  kCommuting,    ///< They commute, without a check: one order is taken.
  kConflicting,  ///< They always conflict.
};

/// Compares two numbers up to rounding.
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
/// In sequence functions are applied in turn. Concurrent ones must commute, as
/// nobody chose their order: "times 3" beside "times 4" turns 42 into 504, but
/// "times 3" beside "plus 1" would give 127 or 129. Functions that do not
/// commute have no effect: the value stays, and the variable is in conflict
/// until it is set again.
///
/// Commutation is checked on the current value, with `Same` to compare. Up to
/// `kMostInAllOrders` concurrent effects are checked in all orders: each subset
/// of them must give one value, whatever the order. Of more effects each pair
/// is checked on the value before them, and all in their order and in reverse:
/// n effects cost n^2 calls, and rare combinations are missed that only a third
/// order would tell apart. Where many tasks act at once by functions that
/// commute, use kCommuting, or a type with effects of its own such as Counter
/// and Accumulator.
///
/// Functions may be called later, more than once or never. They must keep the
/// data they need by value, only return the new value, and not throw.
template <std::copyable T,
          Concurrency kConcurrency = Concurrency::kChecked,
          std::predicate<const T&, const T&> Same = std::equal_to<T>>
class Variable {
 public:
  using Function = std::function<T(const T&)>;

  static constexpr std::size_t kMostInAllOrders = 8;

  /// A sequence of functions and of groups of concurrent effects. Lists, so
  /// that to compose two of any length costs the same.
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

  /// @param name is shown in logs.
  static Effect Changing(std::string_view name, Function function) {
    Effect effect;
    effect.steps.push_back(typename Effect::Change{
        .name = std::string(name), .function = std::move(function)});
    return effect;
  }

  /// The function that returns `value` for any value. It clears a conflict.
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

  // Concurrent effects form one list, however they were grouped.
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

  // Tries all orders by the subsets of branches that have acted: each order
  // passes through these.
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

  // Selects the least of values that are equal up to rounding, so that the
  // result does not depend on their order.
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
