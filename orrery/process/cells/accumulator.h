#pragma once

#include "orrery/base/numbers/exact_sum.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/cells/set_then_add.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A cell type: a level that rises or falls at a rate per second.
///
///     value(t) = level + rate * (t - t0)
///
/// t0 being the time of the last effect, so that reading changes nothing and
/// steps add up to the last bit.
///
/// Level and rate are each set and added to. In sequence the order counts: to
/// set 0 and then add 5 gives 5. Concurrent additions sum up; concurrent sets
/// agree or conflict as those of a Register, and what is added concurrently is
/// added to what is set. Sums within an instant, and those of rates at all
/// times, are exact and rounded only to be read: they do not depend on an
/// order, and when each load has taken away the rate that it added, the rate is
/// what it was before.
class Accumulator {
 public:
  struct Effect {
    internal::SetThenAdd<1> level;
    internal::SetThenAdd<1> rate;
    bool acts = false;  ///< Also to add 0 is an effect, none is not.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {set: 5, add: 3, set_rate: 0.5, add_rate: -0.5}: those that there are.
    void Describe(Record& record) const;
  };

  /// @param rate per second.
  /// @throws Error kInvalidArgument, as all that follow, for a number that is
  ///     not finite.
  explicit Accumulator(double level = 0, double rate = 0);

  static Effect Adding(double amount);
  static Effect Setting(double level);
  static Effect AddingRate(double per_second);
  static Effect SettingRate(double per_second);

  static Effect Empty() { return {}; }

  static Effect Sequentially(const Effect& first, const Effect& second);
  static Effect Concurrently(const Effect& a, const Effect& b);

  void Apply(const Effect& effect);

  void Step(Duration dt) { elapsed_ += dt; }

  [[nodiscard]] double Value() const;

  /// Per second.
  [[nodiscard]] double rate() const { return rate_[0].Value(); }

  /// Its values are those of Value(), to the last bit.
  [[nodiscard]] Polynomial Dynamics() const {
    return Polynomial{level_[0].Value(), rate()}.Shifted(elapsed_);
  }

  /// Whether the level or the rate was set to different values at once and has
  /// not been set since.
  [[nodiscard]] bool HasConflict() const {
    return level_conflict_ || rate_conflict_;
  }

  friend bool operator==(const Accumulator&, const Accumulator&) = default;

 private:
  internal::SetThenAdd<1>::Sums level_;  // At the last effect.
  internal::SetThenAdd<1>::Sums rate_;
  Duration elapsed_{0};  // Since the last effect.
  bool level_conflict_ = false;
  bool rate_conflict_ = false;
};

}  // namespace orrery::process
