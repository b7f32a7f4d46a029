#include "orrery/program/transport_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A polynomial is followed beyond its piece by half the piece's length.
constexpr double kFarthest = 2;

}  // namespace

void TransportProfile::Start(double end,
                             double x,
                             std::span<const double> places,
                             std::span<const double> values) {
  *this = TransportProfile();
  end_ = end;
  position_ = x;
  const auto add = [this](double from, double to, double first, double last) {
    if (!(to > from)) {
      return;
    }
    const Piece piece{
        .begin = from,
        .end = to,
        .middle = from + (to - from) / 2,
        .half = (to - from) / 2,
        .polynomial = {first + (last - first) / 2, (last - first) / 2}};
    if (!pieces_.empty()) {
      const Sample before = Evaluate(pieces_.back(), from);
      const Sample after = Evaluate(piece, from);
      if (before.value != after.value || before.rate != after.rate) {
        faults_.push_back(
            {.s = from, .order = before.value != after.value ? 0 : 1});
      }
    }
    pieces_.push_back(piece);
  };
  add(-x, places.front() - x, values.front(), values.front());
  for (std::size_t i = 1; i < places.size(); ++i) {
    add(places[i - 1] - x, places[i] - x, values[i - 1], values[i]);
  }
  const double last = pieces_.empty() ? -x : pieces_.back().end;
  add(last, 1 - x, values.back(), values.back());
  static_cast<void>(MoveTo(end_ - x));
}

void TransportProfile::Break(int order) noexcept {
  next_order_ = std::min(next_order_, order);
}

void TransportProfile::Forget() noexcept {
  while (pieces_.size() > 1 && pieces_.front().end < -position_) {
    pieces_.pop_front();
  }
  while (pieces_.size() > 1 && pieces_.back().begin > 1 - position_) {
    pieces_.pop_back();
  }
  while (passed_ > 0 && faults_.front().s < -position_) {
    faults_.pop_front();
    --passed_;
  }
  while (faults_.size() > passed_ && faults_.back().s > 1 - position_) {
    faults_.pop_back();
  }
}

void TransportProfile::CutFront(double s) noexcept {
  while (pieces_.size() > 1 && pieces_.front().end <= s) {
    pieces_.pop_front();
  }
  pieces_.front().begin = s;
  pieces_.front().end = std::max(pieces_.front().end, s);
  while (!faults_.empty() && faults_.front().s <= s) {
    faults_.pop_front();
    passed_ -= passed_ > 0 ? 1 : 0;
  }
}

void TransportProfile::CutBack(double s) noexcept {
  while (pieces_.size() > 1 && pieces_.back().begin >= s) {
    pieces_.pop_back();
  }
  pieces_.back().end = s;
  pieces_.back().begin = std::min(pieces_.back().begin, s);
  while (!faults_.empty() && faults_.back().s >= s) {
    faults_.pop_back();
  }
  passed_ = std::min(passed_, faults_.size());
}

void TransportProfile::Enter(double x,
                             const Polynomial& polynomial,
                             double tolerance) {
  if (x == position_) {
    return;
  }
  const bool is_at_front = x > position_;
  const double meet = is_at_front ? -position_ : 1 - position_;
  const double outer = is_at_front ? -x : 1 - x;
  if (outer == meet) {
    position_ = x;
    return;  // Less than numbers can tell.
  }
  is_at_front ? CutFront(meet) : CutBack(meet);
  const Piece piece{.begin = std::min(outer, meet),
                    .end = std::max(outer, meet),
                    .middle = outer + (meet - outer) / 2,
                    .half = std::abs(meet - outer) / 2,
                    .polynomial = polynomial};
  const Piece& neighbour = is_at_front ? pieces_.front() : pieces_.back();
  const double jump =
      std::abs(Evaluate(piece, meet).value - Evaluate(neighbour, meet).value);
  const int order = jump > tolerance ? 0 : next_order_;
  const Fault fault{.s = meet, .order = order};
  next_order_ = kSmooth;
  position_ = x;
  if (is_at_front) {
    pieces_.push_front(piece);
  } else {
    pieces_.push_back(piece);
  }
  if (order >= kSmooth) {
    return;
  }
  if (is_at_front) {
    faults_.push_front(fault);
  } else {
    faults_.push_back(fault);
  }
  passed_ += meet <= end_ - x ? 1 : 0;
}

void TransportProfile::Transfer(StateStream& stream) {
  stream.Number(end_);
  stream.Number(position_);
  stream.Number(next_order_);
  stream.Number(passed_);
  std::size_t count = pieces_.size();
  stream.Count(count, sizeof(Piece));
  pieces_.resize(count);
  for (Piece& piece : pieces_) {
    for (double* const number :
         {&piece.begin, &piece.end, &piece.middle, &piece.half}) {
      stream.Number(*number);
    }
    for (double& term : piece.polynomial) {
      stream.Number(term);
    }
  }
  count = faults_.size();
  stream.Count(count, sizeof(double) + sizeof(int));
  faults_.resize(count);
  for (Fault& fault : faults_) {
    stream.Number(fault.s);
    stream.Number(fault.order);
  }
  stream.Expect(!pieces_.empty() && passed_ <= faults_.size(),
                "a way without its pieces");
}

double TransportProfile::PartBegin() const noexcept {
  return passed_ > 0 ? faults_[passed_ - 1].s : -kInfinite;
}

double TransportProfile::PartEnd() const noexcept {
  return passed_ < faults_.size() ? faults_[passed_].s : kInfinite;
}

int TransportProfile::MoveTo(double s) noexcept {
  int order = kSmooth;
  while (passed_ < faults_.size() && faults_[passed_].s <= s) {
    order = std::min(order, faults_[passed_].order);
    ++passed_;
  }
  while (passed_ > 0 && faults_[passed_ - 1].s > s) {
    --passed_;
    order = std::min(order, faults_[passed_].order);
  }
  return order;
}

TransportProfile::Sample TransportProfile::At(double s) const noexcept {
  const double first = pieces_.front().begin;
  const double last = pieces_.back().end;
  if (!(s >= first && s <= last)) {
    const bool is_before = s < first;
    return {.value = Evaluate(is_before ? pieces_.front() : pieces_.back(),
                              is_before ? first : last)
                         .value,
            .rate = 0};
  }
  // The first piece that ends at s or beyond, within the part that is seen.
  auto at = std::ranges::lower_bound(pieces_, s, {}, &Piece::end);
  const double part_begin = PartBegin();
  const double part_end = PartEnd();
  while (at != pieces_.begin() && at->begin >= part_end) {
    --at;
  }
  while (at + 1 != pieces_.end() && at->end <= part_begin) {
    ++at;
  }
  return Evaluate(*at, s);
}

TransportProfile::Sample TransportProfile::Evaluate(const Piece& piece,
                                                    double s) noexcept {
  if (!(piece.half > 0)) {
    return {.value = piece.polynomial[0], .rate = 0};
  }
  const double wanted = (s - piece.middle) / piece.half;
  const double theta = std::clamp(wanted, -kFarthest, kFarthest);
  double value = piece.polynomial.back();
  double slope = 0;
  for (std::size_t k = piece.polynomial.size() - 1; k-- > 0;) {
    slope = slope * theta + value;
    value = value * theta + piece.polynomial[k];
  }
  return {.value = value + slope * (wanted - theta),
          .rate = slope / piece.half};
}

}  // namespace orrery
