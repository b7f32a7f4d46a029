#pragma once

#include <cstddef>
#include <vector>

namespace orrery {

/// A dense matrix of numbers, row-major. Plain data.
class Matrix {
 public:
  Matrix() = default;

  /// A matrix of zeros.
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(rows * columns) {}

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

  [[nodiscard]] double& operator()(std::size_t row,
                                   std::size_t column) noexcept {
    return values_[row * columns_ + column];
  }

  [[nodiscard]] double operator()(std::size_t row,
                                  std::size_t column) const noexcept {
    return values_[row * columns_ + column];
  }

  /// The elements, row by row.
  [[nodiscard]] const std::vector<double>& values() const noexcept {
    return values_;
  }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

}  // namespace orrery
