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

namespace internal {
class PointSource;
}  // namespace internal

/// How the points of an experiment are chosen. Those of a Latin hypercube and
/// of a Sobol' sequence are not independent: means over them are mostly far
/// better known than EstimateMean() says, which takes them for random.
enum class DesignKind : std::uint8_t {
  /// Every combination of the values; the last is fastest. What has none is
  /// drawn independently, at each of them.
  kGrid,
  kList,            ///< The first values of all, the second values, ...
  kRandom,          ///< Drawn independently.
  kLatinHypercube,  ///< Drawn so that each factor covers its range evenly.
  kSobol,           ///< The low-discrepancy sequence of Sobol'.
};

/// "grid", "list", "random", "latin-hypercube", "sobol"
[[nodiscard]] std::string_view NameOf(DesignKind kind) noexcept;

/// The kind of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] DesignKind DesignKindOf(std::string_view name);

/// Plain data. What follows `kind` concerns the three kinds that are drawn, and
/// of a grid what has no list of values.
struct DesignOptions {
  DesignKind kind = DesignKind::kGrid;
  /// Of a grid: so many at each combination of the values.
  std::int64_t points = 0;
  std::uint64_t seed = 1;

  /// Of a Sobol' design: whether it is shifted digitally, as `seed` says, so
  /// that designs of other seeds tell how exact an estimate is. If not, its
  /// points are those of the sequence itself from point 0, the origin, on;
  /// where that has no finite value or is to be correlated, it is moved into
  /// the middle of the cell that it stands for, to 1 / (2 points). Best with a
  /// power of 2 as number of points.
  bool is_shifted = false;

  /// By a Gaussian copula: coefficients are of the normal scores, those of the
  /// factors themselves where both are normal. Of a correlated Latin hypercube
  /// only the first factor of those that go together is covered exactly evenly.
  std::vector<Correlation> correlations;

  friend bool operator==(const DesignOptions&, const DesignOptions&) = default;
};

/// The points of an experiment. An immutable value; many threads may ask it.
/// A point is a function of its number alone, so that runs can be carried out
/// in any order and anywhere. The points of a random design, and of a Sobol'
/// design but the moved one, are the first ones of that with more points; they
/// depend on the name of a factor, not on its place.
class Design {
 public:
  /// Points of a random, Latin hypercube or Sobol' design, at most.
  static constexpr std::int64_t kMaxPoints = 1'000'000'000;

  /// @throws Error kInvalidArgument if nothing varies or a name comes twice, if
  ///     the kind and a range do not go together, for a number of points out of
  ///     range, or correlations that nothing can have.
  Design(std::span<const Factor> factors, const DesignOptions& options);

  /// The rows of `table`, whose columns are called as what they vary.
  /// @throws Error kInvalidArgument for a missing value.
  explicit Design(const Table& table);

  /// For the designs of sensitivity analyses.
  /// @param points of values of the factors.
  /// @throws Error kInvalidArgument if nothing varies or a name comes twice.
  Design(std::span<const Factor> factors,
         std::int64_t size,
         std::shared_ptr<const internal::PointSource> points);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  [[nodiscard]] std::size_t dimension() const noexcept { return names_.size(); }

  /// The number of points.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  /// So many that follow each other have one combination of the values of a
  /// grid and random values of the rest. These are the same at all of them, so
  /// that combinations differ by their own values alone.
  [[nodiscard]] std::int64_t draws() const noexcept { return draws_; }

  /// Writes point `i`, from 0, into `point`, which has `dimension()` elements.
  void Point(std::int64_t i, std::span<double> point) const;

 private:
  void MakeGridOfDraws(std::span<const Factor> factors,
                       const DesignOptions& options);

  std::vector<std::string> names_;
  std::int64_t size_ = 0;
  std::int64_t draws_ = 1;
  std::shared_ptr<const internal::PointSource> points_;
};

}  // namespace orrery
