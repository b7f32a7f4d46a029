#include "orrery/sim/machine/loop_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace orrery::sim::internal {
namespace {

// Limit on the unknowns of a loop whose matrix, dense, is decomposed if it is
// singular.
constexpr std::size_t kMaxSingular = 500;

// The greatest power of two up to |x|; 1 if there is none.
double PowerOfTwo(double x) {
  if (x == 0 || !std::isfinite(x)) {
    return 1;
  }
  return std::ldexp(1, std::ilogb(x));
}

}  // namespace

LoopPattern::LoopPattern(const ResidualBlock& block)
    : places(block.entry_slots.size()) {
  const std::size_t n = block.unknown_slots.size();
  pattern.rows = static_cast<int>(n);
  pattern.columns = pattern.rows;
  pattern.column_starts.assign(n + 1, 0);
  pattern.row_indices.resize(places.size());
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) {
    return std::pair(block.entry_columns[k], block.entry_rows[k]);
  });
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t k = order[place];
    places[k] = place;
    pattern.row_indices[place] = static_cast<int>(block.entry_rows[k]);
    ++pattern.column_starts[block.entry_columns[k] + 1];
  }
  std::partial_sum(pattern.column_starts.begin(),
                   pattern.column_starts.end(),
                   pattern.column_starts.begin());
}

LoopMatrix::LoopMatrix(const ResidualBlock& block, const LoopPattern& pattern)
    : block_(block),
      pattern_(pattern),
      solver_(static_cast<int>(block.unknown_slots.size()), &pattern.pattern),
      row_scale_(block.unknown_slots.size()) {
  nominal_scale_.reserve(block.nominal.size());
  for (const double nominal : block.nominal) {
    nominal_scale_.push_back(PowerOfTwo(nominal));
  }
}

void LoopMatrix::Transfer(StateStream& stream) {
  solver_.Transfer(stream);
  stream.Same(row_scale_);
  stream.AllOrNone(column_scale_, nominal_scale_.size());
}

void LoopMatrix::FindRowScale(const double* memory) {
  std::ranges::fill(row_scale_, 0.0);
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    const double entry =
        memory[block_.entry_slots[k]] * column_scale_[block_.entry_columns[k]];
    double& largest = row_scale_[block_.entry_rows[k]];
    largest = std::max(largest, std::abs(entry));
  }
  for (double& scale : row_scale_) {
    scale = 1 / PowerOfTwo(scale);
  }
}

double LoopMatrix::ScaledEntry(const double* memory, std::size_t k) const {
  return memory[block_.entry_slots[k]] *
         column_scale_[block_.entry_columns[k]] *
         row_scale_[block_.entry_rows[k]];
}

bool LoopMatrix::Factor(const double* memory) {
  column_scale_ = nominal_scale_;
  FindRowScale(memory);
  return FactorScaled(memory);
}

bool LoopMatrix::FactorEquilibrated(const double* memory) {
  column_scale_ = nominal_scale_;
  FindRowScale(memory);
  std::vector<double> largest(column_scale_.size());
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    double& size = largest[block_.entry_columns[k]];
    size = std::max(size, std::abs(ScaledEntry(memory, k)));
  }
  for (std::size_t i = 0; i < largest.size(); ++i) {
    column_scale_[i] /= PowerOfTwo(largest[i]);
  }
  FindRowScale(memory);
  return FactorScaled(memory);
}

bool LoopMatrix::FactorScaled(const double* memory) {
  is_singular_ = false;
  const std::span<double> values = solver_.values();
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    values[pattern_.places[k]] = ScaledEntry(memory, k);
  }
  return solver_.Factor(4 * static_cast<double>(row_scale_.size()) *
                        std::numeric_limits<double>::epsilon());
}

bool LoopMatrix::FactorSingular(const double* memory) {
  const std::size_t n = row_scale_.size();
  if (n > kMaxSingular) {
    return false;
  }
  if (singular_ == nullptr) {
    singular_ = std::make_unique<MinimumNormSolver>(n, n);
  }
  column_scale_ = nominal_scale_;
  FindRowScale(memory);
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    singular_->matrix()[block_.entry_columns[k] * n + block_.entry_rows[k]] =
        ScaledEntry(memory, k);
  }
  singular_->Factor();
  is_singular_ = true;
  return true;
}

void LoopMatrix::Solve(std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] *= row_scale_[i];
  }
  if (is_singular_) {
    const std::vector<double> b(x.begin(), x.end());
    singular_->Solve(b, x);
  } else {
    solver_.Solve(x);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] *= column_scale_[i];
  }
}

}  // namespace orrery::sim::internal
