#include "orrery/sdk/runs/profile_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::sdk::internal {
namespace {

using process::Polynomial;
using process::Profile;
using process::Reading;
using process::Segment;

double NumberAt(const Reading& reading, Duration time) {
  const auto* const truth = std::get_if<bool>(&reading);
  return truth == nullptr ? std::get<Polynomial>(reading).At(time)
         : *truth         ? 1
                          : 0;
}

std::size_t DegreeOf(const Reading& reading) {
  const auto* const curve = std::get_if<Polynomial>(&reading);
  return curve == nullptr ? 0 : curve->degree();
}

// The first segment that begins at `time` or later.
std::size_t FirstFrom(std::span<const Segment> segments, Duration time) {
  const auto found =
      std::ranges::lower_bound(segments, time, {}, &Segment::begin);
  return static_cast<std::size_t>(found - segments.begin());
}

// Follows a profile, whose times only grow.
class Cursor {
 public:
  /// @param from before which nobody asks.
  Cursor(const Profile& profile, bool is_moving, Duration from)
      : segments_(profile.segments()),
        is_moving_(is_moving),
        next_(FirstFrom(segments_, from)) {}

  [[nodiscard]] bool is_moving() const noexcept { return is_moving_; }

  /// Just before and just after a time.
  struct Limits {
    double left = kNaN;
    double right = kNaN;
  };

  Limits At(Duration time) {
    while (next_ < segments_.size() && segments_[next_].begin < time) {
      ++next_;
    }
    Limits limits;
    if (next_ > 0) {
      limits.left = ValueOf(next_ - 1, time);
      limits.right = limits.left;
    }
    if (next_ < segments_.size() && segments_[next_].begin == time) {
      limits.right = ValueOf(next_, time);
      if (next_ == 0) {
        limits.left = limits.right;
      }
    }
    return limits;
  }

 private:
  [[nodiscard]] double ValueOf(std::size_t i, Duration time) const {
    return NumberAt(segments_[i].reading, time - segments_[i].begin);
  }

  std::span<const Segment> segments_;
  bool is_moving_;
  std::size_t next_;
};

// How many lines follow a curve over `length`: the distance of a line from it
// is at most the second derivative times h^2 / 8.
std::int64_t LinesAlong(const Polynomial& curve, Duration length) {
  constexpr double kMostOff = 1e-4;
  constexpr double kMostLines = 1000;
  const double seconds = Seconds(length).value;
  const auto coefficients = curve.coefficients();
  double bend = 0;  // Times the square of the length.
  double move = 0;
  double power = 1;
  for (std::size_t k = 1; k < coefficients.size(); ++k) {
    power *= seconds;
    const double term = std::abs(coefficients[k]) * power;
    const auto degree = static_cast<double>(k);
    bend += degree * (degree - 1) * term;
    move += term;
  }
  if (!(move > 0) || !std::isfinite(bend)) {
    return 1;
  }
  const double lines = std::ceil(std::sqrt(bend / (8 * kMostOff * move)));
  return static_cast<std::int64_t>(std::clamp(lines, 1.0, kMostLines));
}

// All from `start` to `end` at which something begins, and between them those
// that curves need.
std::vector<Duration> TimesOf(std::span<const Profile* const> profiles,
                              Duration start,
                              Duration end) {
  std::vector<Duration> times = {start, end};
  for (const Profile* profile : profiles) {
    const std::span<const Segment> segments = profile->segments();
    // A piece that has begun already goes on.
    const std::size_t next = FirstFrom(segments, start);
    for (std::size_t i = next == 0 ? 0 : next - 1;
         i < segments.size() && segments[i].begin <= end;
         ++i) {
      const Duration begin = std::max(segments[i].begin, start);
      times.push_back(begin);
      if (DegreeOf(segments[i].reading) < 2) {
        continue;
      }
      const Duration until =
          i + 1 < segments.size() ? std::min(segments[i + 1].begin, end) : end;
      const std::int64_t lines =
          LinesAlong(std::get<Polynomial>(segments[i].reading)
                         .Shifted(begin - segments[i].begin),
                     until - begin);
      const Duration step = (until - begin) / lines;
      for (std::int64_t line = 1; line < lines; ++line) {
        times.push_back(begin + line * step);
      }
    }
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool AreSame(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  });
}

}  // namespace

void ProfileRows::Kind::Look(const Profile& profile) {
  const std::span<const Segment> segments = profile.segments();
  // The last one may be another one by now.
  for (std::size_t i = seen == 0 ? 0 : seen - 1; i < segments.size(); ++i) {
    const Reading& reading = segments[i].reading;
    has_texts = has_texts || std::holds_alternative<std::string>(reading);
    is_moving = is_moving || DegreeOf(reading) > 0;
  }
  seen = segments.size();
}

bool ProfileRows::Look(std::span<const Profile> profiles) {
  bool are_others = table_ == nullptr;
  kinds_.resize(profiles.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Kind before = kinds_[i];
    kinds_[i].Look(profiles[i]);
    are_others = are_others || before.has_texts != kinds_[i].has_texts ||
                 before.is_moving != kinds_[i].is_moving;
  }
  if (!are_others) {
    return false;
  }
  std::vector<SignalInfo> signals;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (!kinds_[i].has_texts) {
      signals.push_back({.name = profiles[i].path(),
                         .unit = profiles[i].unit(),
                         .variability = kinds_[i].is_moving
                                            ? SignalVariability::kContinuous
                                            : SignalVariability::kDiscrete,
                         .column = static_cast<int>(signals.size())});
    }
  }
  table_ = std::make_shared<const SignalTable>(std::move(signals));
  is_begun_ = false;
  return true;
}

NewRows ProfileRows::Take(std::span<const Profile> profiles,
                          Duration start,
                          Duration end) {
  const bool are_all = !std::exchange(is_begun_, true);
  const Duration from = are_all ? start : end_;
  std::vector<const Profile*> shown;
  std::vector<Cursor> cursors;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (!kinds_[i].has_texts) {
      shown.push_back(&profiles[i]);
      cursors.emplace_back(profiles[i], kinds_[i].is_moving, from);
    }
  }
  TrajectoryBuilder builder(table_);
  std::vector<double> left(shown.size());
  std::vector<double> right(shown.size());
  for (const Duration time : TimesOf(shown, from, end)) {
    bool jumps = false;
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      const Cursor::Limits limits = cursors[i].At(time);
      left[i] = limits.left;
      right[i] = limits.right;
      jumps = jumps || (cursors[i].is_moving() && limits.left != limits.right);
    }
    const bool is_given = !are_all && time == from;
    if (is_given && AreSame(right, last_)) {
      continue;
    }
    if (jumps && !is_given) {
      builder.Append(Seconds(time).value, left);
    }
    builder.Append(Seconds(time).value, right);
  }
  end_ = end;
  last_ = right;
  return {.rows = builder.Take(), .are_all = are_all};
}

}  // namespace orrery::sdk::internal
