#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/statistics/distribution.h"

namespace orrery::experiment::internal {

/// Points by their number. Immutable; many threads may use it.
class PointSource {
 public:
  PointSource() = default;
  virtual ~PointSource() = default;
  PointSource(const PointSource&) = delete;
  PointSource& operator=(const PointSource&) = delete;

  /// Writes point `i` into all of `point`.
  virtual void Point(std::int64_t i, std::span<double> point) const = 0;
};

using SharedPoints = std::shared_ptr<const PointSource>;

// Points of the open unit cube, with an axis for each of `names`.

/// Independent uniform points: coordinate k of point i is word i of the stream
/// that `names[k]` selects. It depends on neither the number of points nor the
/// other axes.
[[nodiscard]] SharedPoints MakeRandomPoints(std::span<const std::string> names,
                                            std::uint64_t seed);

/// A Latin hypercube: along each axis exactly one of the `count` points lies in
/// each [j, j + 1) / count, at a random place. McKay, Beckman & Conover,
/// Technometrics 21 (1979) 239-245.
[[nodiscard]] SharedPoints MakeLatinHypercube(
    std::span<const std::string> names, std::int64_t count, std::uint64_t seed);

/// The names of `factors`.
/// @throws Error kInvalidArgument if there is none, or one comes twice.
[[nodiscard]] std::vector<std::string> NamesOf(std::span<const Factor> factors);

/// Turns points of the unit cube into values of factors: quantiles.
class PointMap {
 public:
  /// @param count of the points.
  /// @param correlation_factor of CorrelationFactor(); empty: independent.
  PointMap(std::span<const Factor> factors,
           std::int64_t count,
           std::vector<double> correlation_factor = {});

  /// Maps `point` in place. Coordinate 0, which only the first point of the
  /// Sobol' sequence has, stands for the cell [0, 1 / count). It is moved into
  /// the middle of the cell if the distribution has no bounds or no upper
  /// bound, such as lognormal(0, 0.1), which never reaches its quantile of 0,
  /// or if the coordinate is correlated.
  void Apply(std::span<double> point) const;

 private:
  void Correlate(std::span<double> point) const;

  std::vector<Distribution> distributions_;
  std::vector<bool> is_open_;
  double first_middle_;
  std::vector<double> correlation_factor_;
};

/// Returns `unit_points`, mapped by `map`.
[[nodiscard]] SharedPoints MakeMappedPoints(SharedPoints unit_points,
                                            PointMap map);

}  // namespace orrery::experiment::internal
