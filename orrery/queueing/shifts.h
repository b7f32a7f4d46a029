#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/lender.h"
#include "orrery/queueing/preemptive_resource.h"

namespace orrery::queueing {

/// The number of units from a time on.
struct ShiftBegin {
  /// Since time 0 of the run, or since the begin of the period.
  Duration from{};
  std::int64_t units = 0;
};

/// The fate of holdings beyond the capacity of the next shift.
enum class ShiftEnd : std::uint8_t {
  kFinish,   ///< They last until the tasks give them back.
  kPreempt,  ///< They are preempted; see PreemptiveResource.
};

namespace internal {

/// @throws Error kInvalidArgument unless there are shifts, whose times rise
///     from 0 on and, if there is a period, lie in it.
void CheckShifts(std::string_view path,
                 const std::vector<ShiftBegin>& shifts,
                 std::optional<Duration> period);

[[noreturn]] void RefusePreemption(const std::string& path);

/// The shift at a time (none before the first), and the begin of the next one
/// (Duration::max() after the last).
struct ShiftAt {
  std::optional<std::size_t> shift;
  Duration next{};
};

[[nodiscard]] ShiftAt FindShift(const std::vector<ShiftBegin>& shifts,
                                std::optional<Duration> period,
                                Duration time);

}  // namespace internal

/// The capacity of a resource over time: a part of a model.
///
///     Resource tellers{this, "tellers", 3};
///     Shifts day{this, "day", tellers,
///                {{0h, 0}, {8h, 3}, {12h, 1}, {13h, 3}, {17h, 0}}, 24h};
///
/// Times begin anew after each period, if one is given. Before the first shift
/// the capacity is that of the resource or, with a period, that of the last.
template <typename R>
class Shifts : public process::Model {
 public:
  /// @param resource must be made with as many units as the largest shift has.
  /// @param end kPreempt for a PreemptiveResource only.
  /// @throws Error kInvalidArgument for no shifts, times that do not rise or
  ///     lie beyond the period, or kPreempt for another resource; and as Model
  ///     does.
  Shifts(process::Model* owner,
         std::string_view name,
         R& resource,
         std::vector<ShiftBegin> shifts,
         std::optional<Duration> period = std::nullopt,
         ShiftEnd end = ShiftEnd::kFinish)
      : Model(owner, name),
        resource_(resource),
        shifts_(std::move(shifts)),
        period_(period),
        end_(end) {
    internal::CheckShifts(Path(), shifts_, period_);
    if (end == ShiftEnd::kPreempt && !kCanPreempt) {
      internal::RefusePreemption(Path());
    }
  }

  void Start() override { Spawn(Follow()); }

 private:
  static constexpr bool kCanPreempt = std::same_as<R, PreemptiveResource>;

  process::Task<> Follow() {
    for (;;) {
      const auto [shift, next] = internal::FindShift(shifts_, period_, Now());
      if (shift) {
        Set(shifts_[*shift].units);
      }
      if (next == Duration::max()) {
        co_return;
      }
      co_await Delay(next - Now());
    }
  }

  void Set(std::int64_t units) {
    if constexpr (kCanPreempt) {
      if (end_ == ShiftEnd::kPreempt) {
        resource_.SetCapacityNow(units);
        return;
      }
    }
    resource_.SetCapacity(units);
  }

  R& resource_;
  std::vector<ShiftBegin> shifts_;
  std::optional<Duration> period_;
  ShiftEnd end_;
};

}  // namespace orrery::queueing
