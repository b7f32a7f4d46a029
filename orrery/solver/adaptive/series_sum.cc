#include "orrery/solver/adaptive/series_sum.h"

#include <array>
#include <cstddef>

namespace orrery::solver::internal {
namespace {

// theta^k at k. The chains of dependent products are short.
using Powers = std::array<double, kMostTerms + 1>;

Powers PowersOf(double theta, std::size_t most) {
  Powers powers;
  powers[1] = theta;
  for (std::size_t k = 2; k <= most; ++k) {
    powers[k] = powers[k / 2] * powers[k - k / 2];
  }
  return powers;
}

struct Part {
  double sum = 0;
  double slope = 0;  // The terms of `sum` times 1, 2, ...
};

}  // namespace

void SumSeries(std::span<const double> coefficients,
               double theta,
               std::span<double> sums,
               std::span<double> slopes) noexcept {
  const std::size_t size = sums.size();
  const std::size_t order = coefficients.size() / size;
  const std::size_t half = order / 2;
  const Powers powers = PowersOf(theta, order);
  for (std::size_t i = 0; i < size; ++i) {
    const auto term = [&](std::size_t k) {
      return coefficients[(k - 1) * size + i] * powers[k];
    };
    const auto part = [&](std::size_t first, std::size_t last) {
      Part result{.sum = term(last), .slope = term(last)};
      for (std::size_t k = last - 1; k >= first; --k) {
        result.sum += term(k);
        result.slope += result.sum;
      }
      return result;
    };
    const Part low = part(1, half);
    const Part high = part(half + 1, order);
    sums[i] = low.sum + high.sum;
    slopes[i] = low.slope + (high.slope + static_cast<double>(half) * high.sum);
  }
}

}  // namespace orrery::solver::internal
