#pragma once

#include <cmath>
#include <concepts>
#include <coroutine>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "orrery/base/text/number_text.h"
#include "orrery/base/time.h"
#include "orrery/process/run/needs.h"
#include "orrery/process/tasks/condition_wait.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// The requirements on conditions: something that holds at some times and not
/// at others, as far as is known now. `Next(wanted, from, until)` is the first
/// time from `from` to `until`, both relative to now and included, at which it
/// holds (or, if not `wanted`, does not); none if there is no such time.
///
/// A condition reads cells, and is evaluated again when these change.
/// Conditions are: comparisons of cells (`battery > 80.0`, `mode ==
/// Mode::kIdle`, `a - 2.0 * b <= 3.0`); `&&`, `||` and `!` of conditions; and
/// functions that return a boolean, which may read only values that change by
/// effects alone.
template <typename C>
concept Condition = std::copy_constructible<C> &&
    requires(const C& c, bool wanted, Duration from, Duration until) {
  { c.Next(wanted, from, until) } -> std::same_as<std::optional<Duration>>;
};

template <typename C>
concept ConditionOrFunction = Condition<C> || std::predicate<const C&>;

namespace internal {

// Terms are expressions whose value is a polynomial of time. They refer to the
// cells that they read.
template <typename T>
concept Term = requires(const T& term) {
  { term.Dynamics() } -> std::convertible_to<Polynomial>;
  typename T::IsTerm;
};

// Terms that stay constant until the next effect.
template <typename T>
concept StillTerm = Term<T> && requires(const T& term) {
  { term.Number() } -> std::same_as<double>;
};

// Types that can stand in an expression.
template <typename T>
concept Operand = requires(const T& operand) {
  { operand.AsTerm() } -> Term;
};

// `a < b` is `b > a`.
[[nodiscard]] Relation Mirrored(Relation relation) noexcept;

struct Constant {
  using IsTerm = void;
  double value;

  [[nodiscard]] Polynomial Dynamics() const { return {value}; }

  [[nodiscard]] double Number() const { return value; }

  [[nodiscard]] std::string Text() const { return ShortestText(value); }
};

// A cell that may be one whose value changes by effects only, and a number.
template <typename L, typename R>
concept CellAndNumber = std::same_as<R, Constant> && requires(const L& left) {
  { left.StillCell() } -> std::same_as<CellCore*>;
};

template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// @throws Error kInvalidArgument if it is not a number (NaN).
void CheckIsNumber(double number);

template <Number T>
Constant ToTerm(T number) {
  if constexpr (std::is_floating_point_v<T>) {
    CheckIsNumber(static_cast<double>(number));
  }
  return {static_cast<double>(number)};
}

template <Term T>
const T& ToTerm(const T& term) {
  return term;
}

template <Operand T>
auto ToTerm(const T& operand) {
  return operand.AsTerm();
}

// At least one of the two is not a plain number.
template <typename L, typename R>
concept TermPair = (Term<L> || Operand<L> ||
                    Number<L>)&&(Term<R> || Operand<R> ||
                                 Number<R>)&&!(Number<L> && Number<R>);

template <typename T>
using TermOf = std::decay_t<decltype(ToTerm(std::declval<const T&>()))>;

enum class Arithmetic : std::uint8_t { kAdd, kSubtract, kMultiply };

template <Term L, Arithmetic kOperator, Term R>
struct Combined {
  using IsTerm = void;
  L left;
  R right;

  [[nodiscard]] Polynomial Dynamics() const {
    if constexpr (kOperator == Arithmetic::kAdd) {
      return left.Dynamics() + right.Dynamics();
    } else if constexpr (kOperator == Arithmetic::kSubtract) {
      return left.Dynamics() - right.Dynamics();
    } else {
      return left.Dynamics() * right.Dynamics();
    }
  }

  [[nodiscard]] std::string Text() const {
    constexpr std::string_view kSign = kOperator == Arithmetic::kAdd ? " + "
                                       : kOperator == Arithmetic::kSubtract
                                           ? " - "
                                           : " * ";
    std::string text = "(" + left.Text();
    text += kSign;
    return text + right.Text() + ")";
  }
};

[[nodiscard]] std::string_view TextOf(Relation relation) noexcept;

}  // namespace internal

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator+(const L& left, const R& right) {
  using internal::ToTerm;
  return internal::Combined<internal::TermOf<L>,
                            internal::Arithmetic::kAdd,
                            internal::TermOf<R>>{ToTerm(left), ToTerm(right)};
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator-(const L& left, const R& right) {
  using internal::ToTerm;
  return internal::Combined<internal::TermOf<L>,
                            internal::Arithmetic::kSubtract,
                            internal::TermOf<R>>{ToTerm(left), ToTerm(right)};
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator*(const L& left, const R& right) {
  using internal::ToTerm;
  return internal::Combined<internal::TermOf<L>,
                            internal::Arithmetic::kMultiply,
                            internal::TermOf<R>>{ToTerm(left), ToTerm(right)};
}

/// A comparison of two terms. A comparison with a number is exact: it holds
/// from the first nanosecond at which the value itself does.
template <internal::Term L, internal::Term R>
struct Comparison {
  L left;
  Relation relation;
  R right;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    const Relation asked = wanted ? relation : Opposite(relation);
    if constexpr (internal::StillTerm<L> && internal::StillTerm<R>) {
      constexpr bool kHasBound = std::same_as<R, internal::Constant>;
      const double number =
          kHasBound ? left.Number() : left.Number() - right.Number();
      const double bound = kHasBound ? right.Number() : 0;
      const bool holds = from <= until && std::isfinite(number) &&
                         !std::isnan(bound) && Holds(number, asked, bound);
      return holds ? std::optional(from) : std::nullopt;
    } else if constexpr (std::same_as<R, internal::Constant>) {
      return FirstTick(left.Dynamics(), asked, right.value, from, until);
    } else {
      return FirstTick(
          left.Dynamics() - right.Dynamics(), asked, 0, from, until);
    }
  }

  /// Precondition: it does not hold as wanted.
  [[nodiscard]] std::optional<internal::Threshold> Needs(bool wanted) const {
    const Relation asked = wanted ? relation : Opposite(relation);
    if constexpr (internal::CellAndNumber<L, R>) {
      if (internal::CellCore* const cell = left.StillCell()) {
        return internal::Threshold{
            .cell = cell, .relation = asked, .bound = right.value};
      }
    } else if constexpr (internal::CellAndNumber<R, L>) {
      if (internal::CellCore* const cell = right.StillCell()) {
        return internal::Threshold{.cell = cell,
                                   .relation = internal::Mirrored(asked),
                                   .bound = left.value};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string Text() const {
    std::string result = left.Text() + " ";
    result += internal::TextOf(relation);
    return result + " " + right.Text();
  }
};

namespace internal {

template <typename L, typename R>
auto Compare(const L& left, Relation relation, const R& right) {
  return Comparison<TermOf<L>, TermOf<R>>{
      ToTerm(left), relation, ToTerm(right)};
}

}  // namespace internal

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator<(const L& left, const R& right) {
  return internal::Compare(left, Relation::kLess, right);
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator<=(const L& left, const R& right) {
  return internal::Compare(left, Relation::kLessEqual, right);
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator>(const L& left, const R& right) {
  return internal::Compare(left, Relation::kGreater, right);
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator>=(const L& left, const R& right) {
  return internal::Compare(left, Relation::kGreaterEqual, right);
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator==(const L& left, const R& right) {
  return internal::Compare(left, Relation::kEqual, right);
}

template <typename L, typename R>
requires internal::TermPair<L, R>

[[nodiscard]] auto operator!=(const L& left, const R& right) {
  return internal::Compare(left, Relation::kNotEqual, right);
}

/// A condition that is a function which returns a boolean.
template <std::predicate F>
struct Predicate {
  F function;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration /*until*/) const {
    return function() == wanted ? std::optional(from) : std::nullopt;
  }

  [[nodiscard]] static std::string Text() { return "a function of the model"; }
};

namespace internal {

template <Condition C>
const C& ToCondition(const C& condition) {
  return condition;
}

template <std::predicate F>

requires(!Condition<F>) Predicate<F> ToCondition(const F& function) {
  return {.function = function};
}

template <typename C>
using ConditionOf =
    std::decay_t<decltype(ToCondition(std::declval<const C&>()))>;

template <typename C>
std::string TextOfCondition(const C& condition) {
  if constexpr (requires { condition.Text(); }) {
    return condition.Text();
  } else {
    return "a condition of the model";
  }
}

/// The first time at which both hold (or do not, if not `wanted`). Each turn of
/// the loop passes a change of one of them, and these are finitely many.
template <typename L, typename R>
std::optional<Duration> NextOfBoth(
    const L& left, const R& right, bool wanted, Duration from, Duration until) {
  for (Duration at = from;;) {
    const std::optional<Duration> first = left.Next(wanted, at, until);
    if (!first) {
      return first;
    }
    const std::optional<Duration> second = right.Next(wanted, *first, until);
    if (!second || *second == *first) {
      return second;
    }
    at = *second;
  }
}

template <typename L, typename R>
std::optional<Duration> NextOfEither(
    const L& left, const R& right, bool wanted, Duration from, Duration until) {
  const std::optional<Duration> first = left.Next(wanted, from, until);
  const std::optional<Duration> second =
      right.Next(wanted, from, first.value_or(until));
  return second ? second : first;
}

}  // namespace internal

/// Holds when both conditions hold.
template <Condition L, Condition R>
struct And {
  L left;
  R right;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    return wanted ? internal::NextOfBoth(left, right, true, from, until)
                  : internal::NextOfEither(left, right, false, from, until);
  }

  /// Precondition: it does not hold as wanted. Of not both nothing is known.
  [[nodiscard]] std::optional<internal::Threshold> Needs(bool wanted) const {
    return wanted ? internal::NeedsOfBoth(left, right, true) : std::nullopt;
  }

  [[nodiscard]] std::string Text() const {
    return "(" + internal::TextOfCondition(left) + " and " +
           internal::TextOfCondition(right) + ")";
  }
};

/// Holds when one of the conditions holds.
template <Condition L, Condition R>
struct Or {
  L left;
  R right;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    return wanted ? internal::NextOfEither(left, right, true, from, until)
                  : internal::NextOfBoth(left, right, false, from, until);
  }

  /// Precondition: it does not hold as wanted. Of one of both nothing is known.
  [[nodiscard]] std::optional<internal::Threshold> Needs(bool wanted) const {
    return wanted ? std::nullopt : internal::NeedsOfBoth(left, right, false);
  }

  [[nodiscard]] std::string Text() const {
    return "(" + internal::TextOfCondition(left) + " or " +
           internal::TextOfCondition(right) + ")";
  }
};

/// Holds when the other condition does not.
template <Condition C>
struct Not {
  C condition;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    return condition.Next(!wanted, from, until);
  }

  /// Precondition: it does not hold as wanted.
  [[nodiscard]] std::optional<internal::Threshold> Needs(bool wanted) const {
    return internal::NeedsOf(condition, !wanted);
  }

  [[nodiscard]] std::string Text() const {
    return "not " + internal::TextOfCondition(condition);
  }
};

template <ConditionOrFunction L, ConditionOrFunction R>

requires(Condition<L> || Condition<R>) [[nodiscard]] auto operator&&(
    const L& left, const R& right) {
  return And<internal::ConditionOf<L>, internal::ConditionOf<R>>{
      internal::ToCondition(left), internal::ToCondition(right)};
}

template <ConditionOrFunction L, ConditionOrFunction R>

requires(Condition<L> || Condition<R>) [[nodiscard]] auto operator||(
    const L& left, const R& right) {
  return Or<internal::ConditionOf<L>, internal::ConditionOf<R>>{
      internal::ToCondition(left), internal::ToCondition(right)};
}

template <Condition C>
[[nodiscard]] Not<C> operator!(const C& condition) {
  return {condition};
}

namespace internal {

template <Condition C>
class Waiting final : public ConditionWait {
 public:
  explicit Waiting(C condition) : condition_(std::move(condition)) {}

  /// Is called before it is awaited.
  Waiting(Waiting&& other) noexcept : condition_(std::move(other.condition_)) {}

  ~Waiting() override = default;
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  Waiting& operator=(Waiting&&) = delete;

  [[nodiscard]] std::string Describe() const override {
    return TextOfCondition(condition_) +
           (depends_on_cells() ? ""
                               : ", which reads no cell and so never changes");
  }

 private:
  [[nodiscard]] Duration Next(Duration until) const override {
    return condition_.Next(true, Duration(0), until).value_or(Duration::max());
  }

  [[nodiscard]] std::optional<Threshold> Needs() const override {
    return NeedsOf(condition_, true);
  }

  C condition_;
};

template <ConditionOrFunction C>
Waiting<ConditionOf<C>> MakeUntil(const C& condition) {
  return Waiting<ConditionOf<C>>(ToCondition(condition));
}

}  // namespace internal

}  // namespace orrery::process
