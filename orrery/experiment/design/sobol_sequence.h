#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/design/point_source.h"

namespace orrery::experiment::internal {

/// The low-discrepancy sequence of Sobol' in Gray-code order (Antonov &
/// Saleev), with the direction numbers new-joe-kuo-6 of Joe & Kuo,
/// "Constructing Sobol sequences with better two-dimensional projections", SIAM
/// J. Sci. Comput. 30 (2008) 2635-2654. Coordinates are multiples of 2^-52 in
/// [0, 1); point 0 is the origin, and no other has a coordinate 0 in the first
/// 2^52.
class SobolSequence final : public PointSource {
 public:
  static constexpr std::size_t kMaxDimension = 3667;

  /// @param dimension from 1 to kMaxDimension.
  explicit SobolSequence(std::size_t dimension);

  /// The same sequence with a digital shift: the binary digits of each
  /// coordinate are combined by exclusive or with those of a random number, and
  /// the coordinate is moved by 2^-53, so that it is never 0. Each point is
  /// then uniformly distributed, and together they are equidistributed. Owen,
  /// "Monte Carlo theory, methods and examples", 17.
  SobolSequence(std::span<const std::string> names, std::uint64_t seed);

  void Point(std::int64_t i, std::span<double> point) const override;

  /// Coordinate `k` of point `i`.
  [[nodiscard]] double Coordinate(std::int64_t i, std::size_t k) const;

 private:
  static constexpr int kBits = 52;

  std::size_t dimension_;
  std::vector<std::uint64_t> directions_;  // kBits rows of `dimension_`.
  std::vector<std::uint64_t> shifts_;
  double offset_ = 0;  // In units of 2^-52.
};

}  // namespace orrery::experiment::internal
