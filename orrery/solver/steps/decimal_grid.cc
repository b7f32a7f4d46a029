#include "orrery/solver/steps/decimal_grid.h"

#include <cmath>

namespace orrery {
namespace {

// Whole numbers up to this, 2^53, are exact.
constexpr double kMostExact = 9007199254740992;

}  // namespace

DecimalGrid::DecimalGrid(double start, double step) noexcept
    : start_(start), step_(step) {
  constexpr int kMostDigits = 12;
  double scale = 1;
  for (int digits = 0; digits <= kMostDigits; ++digits) {
    const double scaled_start = std::round(start * scale);
    const double scaled_step = std::round(step * scale);
    if (scaled_start / scale == start && scaled_step / scale == step) {
      scale_ = scale;
      scaled_start_ = scaled_start;
      scaled_step_ = scaled_step;
      return;
    }
    scale *= 10;
  }
}

double DecimalGrid::At(std::int64_t k) const noexcept {
  const auto count = static_cast<double>(k);
  // A whole number: if it is exact, the quotient is rounded once.
  const double scaled = scaled_start_ + count * scaled_step_;
  return scale_ > 0 &&
                 std::abs(scaled_start_) + count * scaled_step_ <= kMostExact
             ? scaled / scale_
             : start_ + count * step_;
}

}  // namespace orrery
