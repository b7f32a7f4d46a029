#include "orrery/solver/algebra/band_linear_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace orrery::solver::internal {
namespace {

// A triangle of a band. `diagonal` is the first element of its diagonal, which
// counts as 1; `height` is the number of elements of a column.
struct BandTriangle {
  const double* diagonal;
  std::ptrdiff_t height;
  std::size_t reach;  // Elements of a row beside the diagonal.
};

enum class Direction : std::int8_t { kForward = 1, kBackward = -1 };

// Solves T y = x: subtracts from each element its products with the elements
// before it (after it in the backward direction). There are zeros on both sides
// of x.
void SubstituteWideBand(const BandTriangle& triangle,
                        Direction direction,
                        std::span<double> x) {
  const auto step = static_cast<std::ptrdiff_t>(direction);
  const std::ptrdiff_t aside = -step * (triangle.height - 1);
  const std::ptrdiff_t first = step > 0 ? 0 : std::ssize(x) - 1;
  const double* diagonal = triangle.diagonal + first * triangle.height;
  double* element = x.data() + first;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double value = *element;
    for (auto i = static_cast<std::ptrdiff_t>(triangle.reach); i > 0; --i) {
      value -= element[-i * step] * diagonal[i * aside];
    }
    *element = value;
    element += step;
    diagonal += step * triangle.height;
  }
}

// Likewise with the known elements of x in registers, which are faster than
// memory.
template <std::size_t kReach>
void SubstituteBand(const BandTriangle& triangle,
                    Direction direction,
                    std::span<double> x) {
  const auto step = static_cast<std::ptrdiff_t>(direction);
  const std::ptrdiff_t aside = -step * (triangle.height - 1);
  const std::ptrdiff_t first = step > 0 ? 0 : std::ssize(x) - 1;
  const double* diagonal = triangle.diagonal + first * triangle.height;
  double* element = x.data() + first;
  std::array<double, kReach> known{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    double value = *element;
    for (std::size_t i = kReach; i > 0; --i) {
      value -= known[i - 1] * diagonal[static_cast<std::ptrdiff_t>(i) * aside];
    }
    for (std::size_t i = known.size() - 1; i > 0; --i) {
      known[i] = known[i - 1];
    }
    known[0] = value;
    *element = value;
    element += step;
    diagonal += step * triangle.height;
  }
}

void SubstituteTriangle(const BandTriangle& triangle,
                        Direction direction,
                        std::span<double> x) {
  switch (triangle.reach) {
    case 0:
      return;
    case 1:
      return SubstituteBand<1>(triangle, direction, x);
    case 2:
      return SubstituteBand<2>(triangle, direction, x);
    case 3:
      return SubstituteBand<3>(triangle, direction, x);
    case 4:
      return SubstituteBand<4>(triangle, direction, x);
    default:
      return SubstituteWideBand(triangle, direction, x);
  }
}

}  // namespace

BandLinearSolver::BandLinearSolver(const SparsityPattern& pattern,
                                   const BandOrder& order)
    : n_(order.places.size()),
      lower_(static_cast<std::size_t>(order.band.lower)),
      upper_(static_cast<std::size_t>(order.band.upper)),
      reach_(lower_ + upper_),
      height_(reach_ + 1 + lower_),
      values_(pattern.row_indices.size()),
      places_(order.places.begin(), order.places.end()),
      band_((n_ + 2 * reach_) * height_),
      swaps_(n_),
      x_(n_ + 2 * reach_) {
  positions_.reserve(values_.size());
  ForEachElement(
      &pattern, n_, [&](std::size_t, std::size_t row, std::size_t column) {
        const double* const place =
            DiagonalOf(places_[column]) + places_[row] - places_[column];
        positions_.push_back(static_cast<std::size_t>(place - band_.data()));
      });
}

bool BandLinearSolver::Factor() {
  std::ranges::fill(band_, 0.0);
  for (std::size_t k = 0; k < values_.size(); ++k) {
    band_[positions_[k]] = values_[k];
  }
  has_swaps_ = false;
  std::size_t last = 0;  // Last column that the rows of U reach so far.
  for (std::size_t k = 0; k < n_; ++k) {
    double* const column = DiagonalOf(k);
    std::size_t pivot = 0;
    for (std::size_t i = 1; i <= lower_; ++i) {
      pivot = std::abs(column[i]) > std::abs(column[pivot]) ? i : pivot;
    }
    last = std::max(last, std::min(n_ - 1, k + upper_ + pivot));
    swaps_[k] = pivot;
    if (pivot != 0) {
      has_swaps_ = true;
      for (std::size_t j = 0; j <= last - k; ++j) {
        double* const top = column + j * (height_ - 1);
        std::swap(top[0], top[pivot]);
      }
    }
    if (column[0] == 0 || !std::isfinite(column[0])) {
      return false;
    }
    Eliminate(column, last - k);
  }
  ScaleUpper();
  return true;
}

// Subtracts multiples of the row of `column`'s diagonal from the rows below it,
// in that column and `columns` more.
void BandLinearSolver::Eliminate(double* column, std::size_t columns) const {
  const double inverse = 1 / column[0];
  for (std::size_t i = 1; i <= lower_; ++i) {
    column[i] *= inverse;
  }
  for (std::size_t j = 1; j <= columns; ++j) {
    double* const top = column + j * (height_ - 1);
    for (std::size_t i = 1; i <= lower_; ++i) {
      top[i] -= top[0] * column[i];
    }
  }
}

// Turns U into D U with a unit diagonal in U: the divisions of a solution then
// do not wait for each other.
void BandLinearSolver::ScaleUpper() {
  const std::size_t reach = UpperReach();
  for (std::size_t k = 0; k < n_; ++k) {
    double* const row = DiagonalOf(k);
    for (std::size_t j = 1; j <= reach; ++j) {
      row[j * (height_ - 1)] /= row[0];
    }
  }
}

void BandLinearSolver::Solve(std::span<double> b) {
  const std::span<double> x = std::span(x_).subspan(reach_, n_);
  for (std::size_t i = 0; i < n_; ++i) {
    x[places_[i]] = b[i];
  }
  const double* const diagonal = DiagonalOf(0);
  const auto height = static_cast<std::ptrdiff_t>(height_);
  if (has_swaps_) {
    SubstituteWithSwaps(x);
  } else {
    SubstituteTriangle({diagonal, height, lower_}, Direction::kForward, x);
  }
  for (std::size_t k = 0; k < n_; ++k) {
    x[k] /= diagonal[k * height_];
  }
  SubstituteTriangle({diagonal, height, UpperReach()}, Direction::kBackward, x);
  for (std::size_t i = 0; i < n_; ++i) {
    b[i] = x[places_[i]];
  }
}

// Each column of L belongs to the order of rows at its step.
void BandLinearSolver::SubstituteWithSwaps(std::span<double> x) {
  for (std::size_t k = 0; k < n_; ++k) {
    std::swap(x[k], x[k + swaps_[k]]);
    const double* const column = DiagonalOf(k);
    const std::size_t rows = std::min(lower_, n_ - 1 - k);
    for (std::size_t i = 1; i <= rows; ++i) {
      x[k + i] -= x[k] * column[i];
    }
  }
}

}  // namespace orrery::solver::internal
