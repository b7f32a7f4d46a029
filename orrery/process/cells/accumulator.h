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
/// t0 is the time of the last effect. So reading changes nothing, and steps add
/// up to the last bit.
///
/// Effects set and add to the level and the rate. In sequence the order counts:
/// to set 0 and then add 5 gives 5. Concurrent additions sum up. Concurrent
/// sets agree or conflict as those of a Register; concurrent additions are
/// added to the value that is set. Sums within an instant, and sums of rates at
/// all times, are exact and rounded only when they are read. So they do not
/// depend on an order, and when each load has removed the rate that it added,
/// the rate is the same as before.
class Accumulator {
 public:
  struct Effect {
    internal::SetThenAdd<1> level;
    internal::SetThenAdd<1> rate;
    bool acts = false;  ///< False for no effect; to add 0 is one.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {set: 5, add: 3, set_rate: 0.5, add_rate: -0.5}, as far as present.
    void Describe(Record& record) const;
  };

  /// @param rate per second.
  /// @throws Error kInvalidArgument for a number that is not finite, as do the
  ///     functions below.
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

  /// The same values as Value(), to the last bit.
  [[nodiscard]] Polynomial Dynamics() const {
    return Polynomial{level_[0].Value(), rate()}.Shifted(elapsed_);
  }

  /// True if the level or the rate was set to different values concurrently and
  /// has not been set since.
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
