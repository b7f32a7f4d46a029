#pragma once

#include <Eigen/Core>

#include "orrery/analysis/matrix.h"

namespace orrery::analysis::internal {

[[nodiscard]] inline Eigen::MatrixXd ToEigen(const Matrix& matrix) {
  using RowMajor =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(
      matrix.values().data(),
      static_cast<Eigen::Index>(matrix.rows()),
      static_cast<Eigen::Index>(matrix.columns()));
}

[[nodiscard]] inline Matrix FromEigen(const Eigen::MatrixXd& matrix) {
  Matrix result(static_cast<std::size_t>(matrix.rows()),
                static_cast<std::size_t>(matrix.cols()));
  for (std::size_t i = 0; i < result.rows(); ++i) {
    for (std::size_t j = 0; j < result.columns(); ++j) {
      result(i, j) =
          matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  return result;
}

}  // namespace orrery::analysis::internal
