#include "orrery/base/system/pace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery {
namespace {

// With 64 bits every whole product or quotient of up to 63 bits is exact; the
// others have less than half a nanosecond of avoidable error.
static_assert(std::numeric_limits<long double>::digits >= 64);

Duration RoundedTicks(long double ticks) {
  return ticks < 0x1p63L ? Duration(std::llround(ticks)) : Duration::max();
}

}  // namespace

Pace::Pace(std::string what, const WallClock& clock, const PaceOptions& options)
    : what_(std::move(what)), clock_(clock), options_(options) {
  CheckFactor(options_.factor);
  if (options_.max_lag < Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + what_ + " with a max_lag of " +
                    ToText(options_.max_lag) +
                    ": nothing begins before its time; give 0 s or more");
  }
}

void Pace::CheckFactor(double factor) const {
  if (!(factor > 0) || !std::isfinite(factor)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + what_ + " by the factor " +
                    ShortestText(factor) +
                    ": it is the wall seconds of a simulated one; give a "
                    "finite number above zero, as 1 for real time");
  }
}

void Pace::Anchor(Duration simulated) {
  has_begun_ = true;
  begin_ = simulated;
  wall_begin_ = clock_.now();
}

void Pace::ChangeFactor(double factor, Duration simulated) {
  CheckFactor(factor);
  options_.factor = factor;
  Anchor(simulated);
}

Duration Pace::WallAt(Duration simulated) const {
  if (simulated == Duration::max()) {
    return Duration::max();
  }
  const auto since =
      static_cast<long double>(std::max(simulated - begin_, {}).count());
  const Duration wall =
      RoundedTicks(since * static_cast<long double>(options_.factor));
  return wall < Duration::max() - wall_begin_ ? wall_begin_ + wall
                                              : Duration::max();
}

Duration Pace::Shown() const {
  const auto since =
      static_cast<long double>((clock_.now() - wall_begin_).count());
  const Duration simulated =
      RoundedTicks(since / static_cast<long double>(options_.factor));
  return simulated < Duration::max() - begin_ ? begin_ + simulated
                                              : Duration::max();
}

void Pace::Count(Duration simulated, Duration lag) {
  const bool is_late = lag > options_.max_lag;
  if (options_.strict && is_late) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot keep pace with the clock in " + what_ +
                    " at t = " + ToText(simulated) + ": it is " + ToText(lag) +
                    " behind, and max_lag is " + ToText(options_.max_lag) +
                    "; give a larger factor or max_lag, or do not be strict");
  }
  ++report_.instants;
  report_.late += is_late ? 1 : 0;
  sum_of_lags_ += static_cast<double>(lag.count());
  if (lag > report_.max) {
    report_.max = lag;
    report_.max_at = simulated;
  }
}

LagReport Pace::report() const {
  LagReport report = report_;
  if (report.instants > 0) {
    report.mean = Duration(
        std::llround(sum_of_lags_ / static_cast<double>(report.instants)));
  }
  return report;
}

}  // namespace orrery
