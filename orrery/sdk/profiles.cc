#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/non_finite.h"
#include "orrery/process/polynomial.h"
#include "orrery/sdk/process_run.h"

namespace orrery {
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

bool IsOfNumbers(const Profile& profile) {
  return std::ranges::none_of(profile.segments(), [](const Segment& segment) {
    return std::holds_alternative<std::string>(segment.reading);
  });
}

std::size_t DegreeOf(const Reading& reading) {
  const auto* const curve = std::get_if<Polynomial>(&reading);
  return curve == nullptr ? 0 : curve->degree();
}

bool IsMoving(const Profile& profile) {
  return std::ranges::any_of(profile.segments(), [](const Segment& segment) {
    return DegreeOf(segment.reading) > 0;
  });
}

// Evaluates a profile at ascending times.
class Cursor {
 public:
  explicit Cursor(const Profile& profile)
      : segments_(profile.segments()), is_moving_(IsMoving(profile)) {}

  [[nodiscard]] bool is_moving() const noexcept { return is_moving_; }

  /// The limits at a time.
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
  std::size_t next_ = 0;
};

// Returns the number of lines that follow a curve over `length`. The distance
// of a line from it is at most the second derivative times h^2 / 8.
std::int64_t LinesAlong(const Polynomial& curve, Duration length) {
  constexpr double kMostOff = 1e-4;
  constexpr double kMostLines = 1000;
  const double seconds = Seconds(length).value;
  const auto coefficients = curve.coefficients();
  double bend = 0;  // Bound of the second derivative times the square of the
                    // length.
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

// The times at which segments begin, and those that curves need between them.
std::vector<Duration> TimesOf(std::span<const Profile* const> profiles,
                              Duration start,
                              Duration end) {
  std::vector<Duration> times = {start, end};
  for (const Profile* profile : profiles) {
    const std::span<const Segment> segments = profile->segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Duration begin = segments[i].begin;
      times.push_back(begin);
      if (DegreeOf(segments[i].reading) < 2) {
        continue;
      }
      const Duration until =
          i + 1 < segments.size() ? segments[i + 1].begin : end;
      const std::int64_t lines =
          LinesAlong(std::get<Polynomial>(segments[i].reading), until - begin);
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

}  // namespace

Trajectory ToTrajectory(std::span<const Profile> profiles,
                        Duration start,
                        Duration end) {
  std::vector<const Profile*> shown;
  std::vector<Cursor> cursors;
  std::vector<SignalInfo> signals;
  for (const Profile& profile : profiles) {
    if (IsOfNumbers(profile)) {
      shown.push_back(&profile);
      cursors.emplace_back(profile);
      signals.push_back({.name = profile.path(),
                         .unit = profile.unit(),
                         .variability = cursors.back().is_moving()
                                            ? SignalVariability::kContinuous
                                            : SignalVariability::kDiscrete,
                         .column = static_cast<int>(signals.size())});
    }
  }
  TrajectoryBuilder builder(std::move(signals));
  std::vector<double> left(shown.size());
  std::vector<double> right(shown.size());
  for (const Duration time : TimesOf(shown, start, end)) {
    bool jumps = false;
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      const Cursor::Limits limits = cursors[i].At(time);
      left[i] = limits.left;
      right[i] = limits.right;
      jumps = jumps || (cursors[i].is_moving() && limits.left != limits.right);
    }
    if (jumps) {
      builder.Append(Seconds(time).value, left);
    }
    builder.Append(Seconds(time).value, right);
  }
  return builder.Take();
}

std::vector<std::string> TextProfiles(std::span<const Profile> profiles) {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (!IsOfNumbers(profile)) {
      names.push_back(profile.path());
    }
  }
  return names;
}

}  // namespace orrery
