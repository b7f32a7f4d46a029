#pragma once

#include <string>

#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/optimisation/optimisation_problem.h"

namespace orrery {

/// A condition on the results of a run that has a violation: `max(x) <= 2`,
/// `final(y) >= 0.9*final(r)` or `final(y) == 1`, of two measures. `<` and `>`
/// mean the same as `<=` and `>=`. Immutable; any number of threads may use it.
class Constraint {
 public:
  /// @param signals of the runs that it is computed from.
  /// @throws Error kInvalidArgument as Measure, and for a text that does not
  ///     compare numbers.
  Constraint(const std::string& text, const SignalTable& signals);

  /// As it was given.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  [[nodiscard]] ConstraintKind kind() const noexcept { return kind_; }

  /// The side that should be the lesser: `a` of `a <= b`, `b` of `a >= b`.
  [[nodiscard]] const Measure& lesser() const noexcept { return lesser_; }

  [[nodiscard]] const Measure& greater() const noexcept { return greater_; }

  /// Returns the violation for these values of the sides.
  [[nodiscard]] static ConstraintValue Missed(double lesser, double greater);

 private:
  struct Sides;

  Constraint(const std::string& text,
             const Sides& sides,
             const SignalTable& signals);

  static Sides Split(const std::string& text);

  std::string text_;
  ConstraintKind kind_;
  Measure lesser_;
  Measure greater_;
};

}  // namespace orrery
