#include "orrery/fmi/partition_calls.h"

#include <algorithm>

namespace orrery::fmi::internal {
namespace {

class PartitionCalls3 final : public PartitionCalls {
 public:
  PartitionCalls3(const Library& library, InstanceState& state)
      : state_(state) {
    library.Find(kActivate, activate_);
    library.Find(kInterval, interval_);
    library.Find(kClock, clock_);
  }

  void Activate(std::uint32_t clock, double t) override {
    state_.t = t;
    state_.Check(activate_(state_.component.get(), clock, t), kActivate);
  }

  ClockInterval IntervalOf(std::uint32_t clock) override {
    ClockInterval result;
    int qualifier = 0;
    state_.Check(
        interval_(
            state_.component.get(), &clock, 1, &result.interval, &qualifier),
        kInterval);
    result.state =
        static_cast<ClockInterval::State>(std::clamp(qualifier, 0, 2));
    return result;
  }

  bool HasTicked(std::uint32_t clock) override {
    bool has_ticked = false;
    state_.Check(clock_(state_.component.get(), &clock, 1, &has_ticked),
                 kClock);
    return has_ticked;
  }

 private:
  static constexpr auto kActivate = "fmi3ActivateModelPartition";
  static constexpr auto kInterval = "fmi3GetIntervalDecimal";
  static constexpr auto kClock = "fmi3GetClock";

  InstanceState& state_;
  int (*activate_)(void*, std::uint32_t, double) = nullptr;
  int (*interval_)(void*, const std::uint32_t*, std::size_t, double*, int*) =
      nullptr;
  int (*clock_)(void*, const std::uint32_t*, std::size_t, bool*) = nullptr;
};

}  // namespace

std::unique_ptr<PartitionCalls> MakePartitionCalls(const Library& library,
                                                   InstanceState& state) {
  return library.interface().kind == InterfaceKind::kScheduledExecution
             ? std::make_unique<PartitionCalls3>(library, state)
             : nullptr;
}

}  // namespace orrery::fmi::internal
