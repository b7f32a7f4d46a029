#pragma once

#include <string_view>

#include "orrery/base/time.h"
#include "orrery/base/values/clock_times.h"
#include "orrery/model/quantity.h"

namespace orrery {

/// An instant at which a function of the block crosses zero. `Equations` states
/// the function. Handlers, of this block or of others, act on the event:
///
///     struct Ball : orrery::Block {
///       State h{this, "h", 10.0, "m"}, v{this, "v", 0.0, "m/s"};
///       Event impact{this, "impact", Direction::kFalling};
///
///       void Equations(EquationSet& eq) override {
///         eq.Der(h) = v;
///         eq.Der(v) = -9.81;
///         eq.Set(impact) = h;
///         eq.On(impact).Set(v) = -0.8 * v;
///       }
///     };
///
/// The value of the function is recorded under the event's name. The event is
/// logged with or without handlers. A function that touches zero and turns back
/// has not crossed it. A function that is zero at the start counts as coming
/// from the other side.
class Event : public Quantity {
 public:
  /// @param tolerance of the function: the event takes place where the function
  ///     has gone beyond zero by more than this, and again only after it has
  ///     gone back by as much; for functions that are known with errors.
  Event(Block* owner,
        std::string_view name,
        Direction direction = Direction::kEither,
        double tolerance = 0);
};

/// An instant that comes at `offset` + k*period, k = 0, 1, ..., each computed
/// from k, never as a sum. Clocks that coincide tick in one instant.
///
///     Clock clock{this, "clock", 200ms};
///
/// The period is a parameter under the clock's name.
class Clock : public Quantity {
 public:
  Clock(Block* owner,
        std::string_view name,
        Seconds period,
        Seconds offset = 0,
        ClockTimes times = {});
};

}  // namespace orrery
