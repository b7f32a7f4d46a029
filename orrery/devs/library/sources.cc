#include "orrery/devs/library/sources.h"

namespace orrery::devs {

Clock::Clock(Duration period, Duration offset)
    : period_(period), offset_(offset) {
  if (period <= Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a clock: its period is " + ToText(period) +
                    ", and time would stand; give one above 0 s");
  }
  if (offset < Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a clock: its first tick is due at " +
                    ToText(offset) + ", before the start; give 0 s or more");
  }
}

RandomSource::RandomSource(Times spacing, Distribution values)
    : spacing_(std::move(spacing)), values_(std::move(values)) {
  if (spacing_.is_zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a random source: its period is 0 s, and time "
                "would stand; give one above 0 s");
  }
}

RandomSource::State RandomSource::Initial(const Start& start) const {
  State s{.spacing = start.Stream("spacing"), .values = start.Stream("values")};
  Draw(s);
  return s;
}

void RandomSource::Draw(State& s) const {
  s.value = values_.Draw(s.values);
  s.sigma = spacing_.Draw(s.spacing);
}

}  // namespace orrery::devs
