#include "orrery/fmi/clock_calls.h"

#include <algorithm>
#include <limits>

namespace orrery::fmi {
namespace internal {
namespace {

class ClockCalls3 final : public ClockCalls {
 public:
  ClockCalls3(const Library& library, InstanceState& state) : state_(state) {
    if (library.interface().kind == InterfaceKind::kScheduledExecution) {
      library.Find(kActivate, activate_);
    } else {
      library.Find(kSet, set_);
    }
    library.Find(kGet, get_);
    library.Find(kInterval, interval_);
    // FMUs whose clocks ask for none of these may lack them.
    for (const Variable& variable : library.fmu().description->variables) {
      if (variable.clock == nullptr) {
        continue;
      }
      const bool tells_period = TellsPeriod(*variable.clock);
      if (variable.clock->supports_fraction) {
        library.Find(kFraction, fraction_);
        if (tells_period) {
          library.Find(kShiftFraction, shift_fraction_);
        }
      } else if (tells_period) {
        library.Find(kShift, shift_);
      }
    }
  }

  void Activate(const Variable& clock, double t) override {
    if (activate_ != nullptr) {
      state_.t = t;
      state_.Check(activate_(state_.component.get(), clock.reference, t),
                   kActivate);
      return;
    }
    const bool is_active = true;
    state_.Check(set_(state_.component.get(), &clock.reference, 1, &is_active),
                 kSet);
  }

  ClockInterval IntervalOf(const Variable& clock) override {
    ClockInterval result;
    int qualifier = 0;
    if (clock.clock->supports_fraction) {
      std::uint64_t counter = 0;
      std::uint64_t resolution = 0;
      state_.Check(fraction_(state_.component.get(),
                             &clock.reference,
                             1,
                             &counter,
                             &resolution,
                             &qualifier),
                   kFraction);
      result.span = FractionSpan(counter, resolution);
    } else {
      state_.Check(interval_(state_.component.get(),
                             &clock.reference,
                             1,
                             &result.span.seconds,
                             &qualifier),
                   kInterval);
    }
    result.state =
        static_cast<ClockInterval::State>(std::clamp(qualifier, 0, 2));
    return result;
  }

  ClockSpan ShiftOf(const Variable& clock) override {
    if (clock.clock->supports_fraction) {
      std::uint64_t counter = 0;
      std::uint64_t resolution = 0;
      state_.Check(shift_fraction_(state_.component.get(),
                                   &clock.reference,
                                   1,
                                   &counter,
                                   &resolution),
                   kShiftFraction);
      return FractionSpan(counter, resolution);
    }
    ClockSpan result;
    state_.Check(
        shift_(state_.component.get(), &clock.reference, 1, &result.seconds),
        kShift);
    return result;
  }

  bool HasTicked(const Variable& clock) override {
    bool has_ticked = false;
    state_.Check(get_(state_.component.get(), &clock.reference, 1, &has_ticked),
                 kGet);
    return has_ticked;
  }

 private:
  static constexpr auto kActivate = "fmi3ActivateModelPartition";
  static constexpr auto kSet = "fmi3SetClock";
  static constexpr auto kGet = "fmi3GetClock";
  static constexpr auto kInterval = "fmi3GetIntervalDecimal";
  static constexpr auto kFraction = "fmi3GetIntervalFraction";
  static constexpr auto kShift = "fmi3GetShiftDecimal";
  static constexpr auto kShiftFraction = "fmi3GetShiftFraction";

  using Reference = std::uint32_t;

  InstanceState& state_;
  int (*activate_)(void*, Reference, double) = nullptr;
  int (*set_)(void*, const Reference*, std::size_t, const bool*) = nullptr;
  int (*get_)(void*, const Reference*, std::size_t, bool*) = nullptr;
  int (*interval_)(void*, const Reference*, std::size_t, double*, int*) =
      nullptr;
  int (*fraction_)(void*,
                   const Reference*,
                   std::size_t,
                   std::uint64_t*,
                   std::uint64_t*,
                   int*) = nullptr;
  int (*shift_)(void*, const Reference*, std::size_t, double*) = nullptr;
  int (*shift_fraction_)(void*,
                         const Reference*,
                         std::size_t,
                         std::uint64_t*,
                         std::uint64_t*) = nullptr;
};

}  // namespace

std::unique_ptr<ClockCalls> MakeClockCalls(const Library& library,
                                           InstanceState& state) {
  const bool has_clocks =
      library.interface().kind == InterfaceKind::kScheduledExecution ||
      HasClocks(*library.fmu().description);
  return has_clocks ? std::make_unique<ClockCalls3>(library, state) : nullptr;
}

}  // namespace internal

bool HasClocks(const Description& description) {
  return std::ranges::any_of(description.variables, [](const Variable& its) {
    return its.clock != nullptr;
  });
}

ClockSpan FractionSpan(std::uint64_t counter, std::uint64_t resolution) {
  return {
      .seconds = static_cast<double>(counter) / static_cast<double>(resolution),
      .counter = counter,
      .resolution = resolution};
}

double SpanOver(const ClockSpan& shift,
                std::uint64_t count,
                const ClockSpan& interval) {
  const std::uint64_t most =
      interval.counter == 0
          ? 0
          : (std::numeric_limits<std::uint64_t>::max() - shift.counter) /
                interval.counter;
  if (interval.resolution != 0 && count <= most &&
      (shift.resolution == interval.resolution || shift.seconds == 0)) {
    return static_cast<double>(shift.counter + count * interval.counter) /
           static_cast<double>(interval.resolution);
  }
  return shift.seconds + static_cast<double>(count) * interval.seconds;
}

bool TellsPeriod(const ClockTiming& timing) noexcept {
  const bool may_tell = timing.variability == IntervalVariability::kFixed ||
                        timing.variability == IntervalVariability::kTunable;
  return may_tell && !timing.interval && timing.resolution == 0;
}

}  // namespace orrery::fmi
