#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/base/values/direction.h"
#include "orrery/process/tasks/condition.h"
#include "orrery/process/types/polynomial.h"

namespace orrery {

namespace timeline::internal {
class SimulationRun;
struct SimulationParts;
}  // namespace timeline::internal

/// A scalar quantity of the equations of a Simulation. A handle, cheap to copy,
/// valid as long as the simulation lives.
///
///     co_await Until(tank["level"] < 0.1 && battery > 20.0);
///     tank["opening"].Set(0.5);
///
/// A condition compares it with a number or the value of a cell. The comparison
/// is found in the steps of the solver, as events of the equations are, and is
/// true from the next nanosecond on. For other expressions, add a quantity to
/// the equations.
class SystemVariable {
 public:
  /// As in the model: "tank.level".
  [[nodiscard]] const std::string& name() const;

  /// The value as of the end of the last microstep.
  /// @throws Error kInvalidArgument unless its simulation runs; kInvalidModel
  ///     from a condition or resource, which would not know when it changes.
  [[nodiscard]] double Get() const;

  /// Sets an input or a state in the next microstep; an input keeps the value.
  /// To be called by a task or by a function that Connect calls.
  /// @throws Error kInvalidModel for other quantities and for an input that is
  ///     connected; kInvalidArgument outside of runs, and for a value that is
  ///     not finite or that its type does not have: then nothing is set.
  void Set(double value) const;

  /// The present value of a comparison, for a condition that is being
  /// evaluated. The condition is evaluated again when it changes.
  [[nodiscard]] bool Compares(process::Relation relation,
                              const process::Polynomial& bound) const;

 private:
  friend class System;
  friend class Simulation;
  friend class timeline::internal::SimulationRun;

  SystemVariable(timeline::internal::SimulationParts& parts, std::size_t number)
      : parts_(&parts), number_(number) {}

  timeline::internal::SimulationParts* parts_ = nullptr;
  std::size_t number_ = 0;
};

/// The comparison of a variable with a bound, as a condition of tasks.
template <process::internal::Term R>
class VariableComparison {
 public:
  VariableComparison(const SystemVariable& variable,
                     process::Relation relation,
                     R bound)
      : variable_(variable), relation_(relation), bound_(std::move(bound)) {}

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration /*until*/) const {
    return variable_.Compares(relation_, bound_.Dynamics()) == wanted
               ? std::optional(from)
               : std::nullopt;
  }

  [[nodiscard]] std::string Text() const {
    std::string text = variable_.name() + " ";
    text += process::internal::TextOf(relation_);
    return text + " " + bound_.Text();
  }

 private:
  SystemVariable variable_;
  process::Relation relation_;
  R bound_;
};

namespace timeline::internal {

template <typename T>
concept VariableBound = process::internal::Number<T> ||
    process::internal::Term<T> || process::internal::Operand<T>;

template <VariableBound R>
auto Compare(const SystemVariable& variable,
             process::Relation relation,
             const R& bound) {
  using process::internal::ToTerm;
  return VariableComparison<process::internal::TermOf<R>>(
      variable, relation, ToTerm(bound));
}

}  // namespace timeline::internal

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator<(const SystemVariable& variable, const R& bound) {
  return timeline::internal::Compare(variable, process::Relation::kLess, bound);
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator<=(const SystemVariable& variable, const R& bound) {
  return timeline::internal::Compare(
      variable, process::Relation::kLessEqual, bound);
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator>(const SystemVariable& variable, const R& bound) {
  return timeline::internal::Compare(
      variable, process::Relation::kGreater, bound);
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator>=(const SystemVariable& variable, const R& bound) {
  return timeline::internal::Compare(
      variable, process::Relation::kGreaterEqual, bound);
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator<(const R& bound, const SystemVariable& variable) {
  return variable > bound;
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator<=(const R& bound, const SystemVariable& variable) {
  return variable >= bound;
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator>(const R& bound, const SystemVariable& variable) {
  return variable < bound;
}

template <timeline::internal::VariableBound R>
[[nodiscard]] auto operator>=(const R& bound, const SystemVariable& variable) {
  return variable <= bound;
}

// As conditions compose: `tank["level"] < 0.1 && !(tank["flow"] > 0.0)`.
using process::operator&&;
using process::operator||;
using process::operator!;

/// A quantity comes to a threshold: from below (rising) or from above. This is
/// found in the steps of the solver and seen by others at the next nanosecond.
/// Several in one direction within a nanosecond are one. A jump over the
/// threshold counts; the start of a run does not.
struct Crossing {
  SystemVariable quantity;
  double threshold = 0;
  Direction direction = Direction::kEither;
};

/// A crossing, as others see it.
struct Crossed {
  double value = 0;  ///< The quantity at that nanosecond.
  Direction direction = Direction::kRising;
};

/// Samples of a quantity at equal intervals, as a digital controller reads
/// them.
struct Sampled {
  SystemVariable quantity;
  Duration interval{};
  Duration offset{};  ///< First sample, after the start.
};

}  // namespace orrery
