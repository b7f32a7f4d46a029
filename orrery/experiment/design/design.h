#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/statistics/correlation.h"
#include "orrery/results/csv.h"

namespace orrery {

namespace experiment::internal {
class PointSource;
}  // namespace experiment::internal

/// The method that chooses the points of an experiment. The points of a Latin
/// hypercube and of a Sobol' sequence are not independent. Means over them are
/// therefore usually far more accurate than EstimateMean() says, which assumes
/// random points.
enum class DesignKind : std::uint8_t {
  /// All combinations of the values; the last factor varies fastest. Factors
  /// without a list of values are drawn independently at each combination.
  kGrid,
  kList,    ///< The first values of all factors, then the second values, ...
  kRandom,  ///< Drawn independently.
  kLatinHypercube,  ///< Drawn so that each factor covers its range evenly.
  kSobol,           ///< The low-discrepancy sequence of Sobol'.
};

/// "grid", "list", "random", "latin-hypercube", "sobol"
[[nodiscard]] std::string_view NameOf(DesignKind kind) noexcept;

/// The kind of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] DesignKind DesignKindOf(std::string_view name);

/// Plain data. The members after `kind` concern the three random kinds, and the
/// factors of a grid that have no list of values.
struct DesignOptions {
  DesignKind kind = DesignKind::kGrid;
  /// The number of points; for a grid, the number of draws at each combination
  /// of the values.
  std::int64_t points = 0;
  std::uint64_t seed = 1;

  /// For a Sobol' design: true to apply a digital shift, which depends on
  /// `seed`. Designs with different seeds then show the accuracy of an
  /// estimate. If false, the points are those of the sequence itself from point
  /// 0, the origin. If a factor has no finite value there, or factors
  /// correlate, the origin is moved into the middle of its cell, to 1 / (2
  /// points). The number of points is best a power of 2.
  bool is_shifted = false;

  /// Correlations by a Gaussian copula. The coefficients are those of the
  /// normal scores; for two normal factors, those of the factors themselves. In
  /// a correlated Latin hypercube only the first factor of each correlated set
  /// is covered exactly evenly.
  std::vector<Correlation> correlations;

  friend bool operator==(const DesignOptions&, const DesignOptions&) = default;
};

/// The points of an experiment. An immutable value; many threads may use it.
/// Each point is a function of its number only, so that runs can be carried out
/// in any order and anywhere. A random design is the beginning of a longer one,
/// and so is a Sobol' design unless its origin is moved. Its points depend on
/// the name of a factor, not on its position.
class Design {
 public:
  /// The greatest number of points of a random, Latin hypercube or Sobol'
  /// design.
  static constexpr std::int64_t kMaxPoints = 1'000'000'000;

  /// @throws Error kInvalidArgument if there is no factor or a name comes
  ///     twice, if a range does not suit the kind, for a number of points out
  ///     of range, and for impossible correlations.
  Design(std::span<const Factor> factors, const DesignOptions& options);

  /// Takes the points from the rows of `table`. Its columns are named as the
  /// quantities that they vary.
  /// @throws Error kInvalidArgument for a missing value.
  explicit Design(const Table& table);

  /// For the designs of sensitivity analyses.
  /// @param points the values of the factors.
  /// @throws Error kInvalidArgument if there is no factor or a name comes
  ///     twice.
  Design(std::span<const Factor> factors,
         std::int64_t size,
         std::shared_ptr<const experiment::internal::PointSource> points);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  [[nodiscard]] std::size_t dimension() const noexcept { return names_.size(); }

  /// The number of points.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  /// Returns the number of consecutive points that share one combination of the
  /// values of a grid and differ in their random values. The random values are
  /// the same at all combinations, so that combinations differ by their own
  /// values only.
  [[nodiscard]] std::int64_t draws() const noexcept { return draws_; }

  /// Writes point `i`, from 0, into `point`, which has `dimension()` elements.
  void Point(std::int64_t i, std::span<double> point) const;

 private:
  void MakeGridOfDraws(std::span<const Factor> factors,
                       const DesignOptions& options);

  std::vector<std::string> names_;
  std::int64_t size_ = 0;
  std::int64_t draws_ = 1;
  std::shared_ptr<const experiment::internal::PointSource> points_;
};

}  // namespace orrery
