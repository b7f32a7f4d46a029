#include "orrery/experiment/measures/measured_signal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace orrery::experiment::internal {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Doubles that differ by no more than this are the same up to rounding.
constexpr double kRoundingOfValues = 8 * kEpsilon;

// Derivatives computed from states are differences, with this relative error.
constexpr double kRoundingOfSlopes = 1e-11;

// Tolerance for a straight piece: slopes equal to that of the chord.
constexpr double kStraightness = 1e-6;

// The curvature of a piece is used for its neighbour, unless the piece is
// shorter than this fraction of it.
constexpr double kLeastLength = 1.0 / 8;

double MagnitudeOf(const std::array<double, 4>& points) {
  double magnitude = 0;
  for (const double point : points) {
    magnitude = std::max(magnitude, std::abs(point));
  }
  return magnitude;
}

bool AreOne(const std::array<double, 4>& points) {
  const double magnitude = MagnitudeOf(points);
  const double by_slopes = std::max(std::abs(points[1] - points[0]),
                                    std::abs(points[3] - points[2]));
  return std::abs(points[3] - points[0]) <= kRoundingOfValues * magnitude &&
         by_slopes <= kRoundingOfSlopes * magnitude;
}

}  // namespace

MeasuredSignal::MeasuredSignal(Signal signal, std::span<const double> time)
    : signal_(std::move(signal)), time_(time) {
  if (signal_.info().variability == SignalVariability::kContinuous) {
    FindRests();
  }
}

// The error of values near the ends of a piece: their own rounding, and the
// effect of the rounding of time by the slope.
double MeasuredSignal::Rounding(std::size_t row) const noexcept {
  const std::array<double, 4> points = signal_.ControlPoints(row);
  const double time = std::max(std::abs(time_[row]), std::abs(time_[row + 1]));
  const double slope = 3 *
                       std::max(std::abs(points[1] - points[0]),
                                std::abs(points[3] - points[2])) /
                       (time_[row + 1] - time_[row]);
  return kRoundingOfValues * MagnitudeOf(points) + 2 * kEpsilon * time * slope;
}

void MeasuredSignal::FindRests() {
  std::size_t row = 0;
  while (row + 1 < time_.size()) {
    if (!IsPiece(row) || !AreOne(signal_.ControlPoints(row))) {
      ++row;
      continue;
    }
    if (values_.empty()) {
      values_ = signal_.values();
      courses_.assign(values_.size(), Course::kMoves);
    }
    const std::size_t first = row;
    const double value = values_[first];
    const auto stays = [&](std::size_t next) {
      return std::abs(signal_[next] - value) <=
                 kRoundingOfValues * std::abs(value) &&
             (!IsPiece(next - 1) || AreOne(signal_.ControlPoints(next - 1)));
    };
    while (row + 1 < time_.size() && stays(row + 1)) {
      courses_[row] = Course::kStandsStill;
      values_[++row] = value;
    }
    JoinNeighbours(first, row);
    row = std::max(row, first + 1);
  }
}

// Joins the neighbours of a sequence of pieces at rest: the rows of an event at
// the same time, and the pieces beyond.
void MeasuredSignal::JoinNeighbours(std::size_t first, std::size_t last) {
  const double value = values_[first];
  // True if the row beside `row` has the same time and the same value up to
  // rounding; `piece` begins or ends with it.
  const auto joins = [&](std::size_t row, std::size_t piece) {
    const double off = IsPiece(piece) ? Rounding(piece) : 0;
    return std::abs(signal_[row] - value) <=
           std::max(off, kRoundingOfValues * std::abs(value));
  };
  // True if a piece begins and ends with the value: its slope belongs to the
  // other side of an event.
  const auto is_at_rest = [&](std::size_t row, std::size_t other) {
    return IsPiece(row) && courses_[row] != Course::kStandsStill &&
           joins(other, row);
  };
  if (first > 0 && is_at_rest(first - 1, first - 1)) {
    courses_[--first] = Course::kStandsStill;
    values_[first] = value;
  }
  if (is_at_rest(last, last + 1)) {
    courses_[last] = Course::kStandsStill;
    values_[++last] = value;
  }
  std::size_t begin = first;
  while (begin > 0 && !IsPiece(begin - 1)) {
    if (!joins(begin - 1, begin > 1 ? begin - 2 : begin - 1)) {
      begin = 0;  // It jumps: there is nothing to join.
      break;
    }
    values_[--begin] = value;
  }
  if (begin > 0) {
    JoinPiece(begin - 1, Course::kComesToRest);
  }
  std::size_t end = last;
  while (end + 1 < time_.size() && !IsPiece(end)) {
    if (!joins(end + 1, end + 1)) {
      return;
    }
    values_[++end] = value;
  }
  if (end + 1 < time_.size()) {
    JoinPiece(end, Course::kLeavesRest);
  }
}

void MeasuredSignal::JoinPiece(std::size_t row, Course course) {
  const bool is_between_rests = courses_[row] != Course::kMoves;
  courses_[row] = is_between_rests ? Course::kTouchesRest : course;
  if (!(BendOf(row).reach > 0)) {
    courses_[row] = Course::kTouchesRest;
  }
}

// Returns the piece before one that comes to rest, or after one that leaves it.
// There may be rows with the same time and value between them.
std::optional<std::size_t> MeasuredSignal::PieceBeyond(
    std::size_t row, bool comes) const noexcept {
  std::size_t end = comes ? row : row + 1;
  const auto is_same = [&](std::size_t other) {
    return time_[other] == time_[end] &&
           std::abs(signal_[other] - signal_[end]) <=
               kRoundingOfValues * std::abs(signal_[end]);
  };
  while (comes ? end > 0 && is_same(end - 1)
               : end + 1 < time_.size() && is_same(end + 1)) {
    end = comes ? end - 1 : end + 1;
  }
  if (comes) {
    return end > 0 && IsPiece(end - 1) ? std::optional(end - 1) : std::nullopt;
  }
  return IsPiece(end) ? std::optional(end) : std::nullopt;
}

// True if a run has inserted a piece around a bend between two steps: a
// straight piece, with another slope than the piece beyond it.
bool MeasuredSignal::IsBroken(std::size_t row,
                              const std::optional<std::size_t>& beyond,
                              bool comes) const noexcept {
  const std::size_t moving_end = comes ? row : row + 1;
  const bool begins_anew = comes ? !beyond || *beyond + 1 != moving_end
                                 : !beyond || *beyond != moving_end;
  if (!beyond || !begins_anew) {
    return false;
  }
  const std::array<double, 4> points = signal_.ControlPoints(row);
  const double chord = points[3] - points[0];
  const double off = std::max(std::abs(3 * (points[1] - points[0]) - chord),
                              std::abs(3 * (points[3] - points[2]) - chord));
  return off <= kStraightness * std::abs(chord);
}

MeasuredSignal::Bend MeasuredSignal::BendOf(std::size_t row) const noexcept {
  if (courses_[row] != Course::kComesToRest &&
      courses_[row] != Course::kLeavesRest) {
    return {};
  }
  // Points in the order from the moving end.
  const bool comes = courses_[row] == Course::kComesToRest;
  const auto points_from_end = [&](std::size_t piece) {
    std::array<double, 4> points = signal_.ControlPoints(piece);
    if (!comes) {
      std::ranges::reverse(points);
    }
    return points;
  };
  const double length = time_[row + 1] - time_[row];
  const std::array<double, 4> points = points_from_end(row);
  Bend bend{.value = points[0], .slope = 3 * (points[1] - points[0]) / length};
  const bool is_shared = IsAtRest(comes ? row + 1 : row - 1);
  const std::optional<std::size_t> beyond = PieceBeyond(row, comes);
  if (!is_shared && !IsBroken(row, beyond, comes)) {
    return {};  // An event ends the piece: there is no bend.
  }
  if (beyond && courses_[*beyond] == Course::kMoves) {
    const double its = time_[*beyond + 1] - time_[*beyond];
    const std::array<double, 4> before = points_from_end(*beyond);
    if (!is_shared) {
      bend.slope = 3 * (before[3] - before[2]) / its;
    }
    if (its >= kLeastLength * length) {
      bend.half_curvature =
          3 * (before[3] - 2 * before[2] + before[1]) / (its * its);
    }
  }
  const double way = values_[comes ? row + 1 : row] - bend.value;
  const double square = bend.slope * bend.slope + 4 * bend.half_curvature * way;
  if (way * bend.slope > 0 && square >= 0) {
    const double reach =
        2 * way / (bend.slope + std::copysign(std::sqrt(square), bend.slope));
    bend.reach = reach < length ? reach : 0;
  }
  return bend;
}

double MeasuredSignal::Between(std::size_t row, double t) const noexcept {
  if (values_.empty()) {
    return signal_.Between(row, t);
  }
  if (t == time_[row] || courses_[row] == Course::kStandsStill) {
    return values_[row];
  }
  if (t == time_[row + 1]) {
    return values_[row + 1];
  }
  if (courses_[row] == Course::kMoves) {
    return signal_.Between(row, t);
  }
  if (courses_[row] == Course::kTouchesRest) {
    const double value = signal_.Between(row, t);
    const double off = Rounding(row);
    // Beyond one end, seen from the other one, the value is that of the end.
    const double begin = values_[row];
    const double end = values_[row + 1];
    const auto is_beyond = [&](double its, double other) {
      return std::abs(value - its) <= off && (value - its) * (other - its) <= 0;
    };
    if (is_beyond(begin, end)) {
      return begin;
    }
    if (is_beyond(end, begin)) {
      return end;
    }
    return value;
  }
  const Bend bend = BendOf(row);
  const bool comes = courses_[row] == Course::kComesToRest;
  const double distance = comes ? t - time_[row] : time_[row + 1] - t;
  const double rest = values_[comes ? row + 1 : row];
  if (distance >= bend.reach) {
    return rest;
  }
  const double value =
      bend.value + distance * (bend.slope + distance * bend.half_curvature);
  return bend.slope > 0 ? std::min(value, rest) : std::max(value, rest);
}

std::array<double, 4> MeasuredSignal::ControlPoints(
    std::size_t row) const noexcept {
  if (values_.empty() || courses_[row] == Course::kMoves) {
    return signal_.ControlPoints(row);
  }
  if (courses_[row] == Course::kTouchesRest) {
    std::array<double, 4> points = signal_.ControlPoints(row);
    points.front() = values_[row];
    points.back() = values_[row + 1];
    return points;
  }
  const double x0 = values_[row];
  const double x1 = values_[row + 1];
  return {x0, x0, x1, x1};
}

}  // namespace orrery::experiment::internal
