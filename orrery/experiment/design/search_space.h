#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/design/factor.h"

namespace orrery {

/// The box in which an optimum or an estimate is sought. Each factor has a
/// coordinate: its value or, on a logarithmic scale, the natural logarithm of
/// its value. Immutable; any number of threads may use it.
class SearchSpace {
 public:
  /// @throws Error kInvalidArgument if there is no factor, and for one whose
  ///     range is not SearchBounds.
  explicit SearchSpace(std::span<const Factor> factors);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

  /// The names of the factors.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  /// The bounds of factor `k`, as given.
  [[nodiscard]] const SearchBounds& bounds(std::size_t k) const {
    return bounds_[k];
  }

  /// @throws Error kInvalidArgument if `is_whole` and factor `k` would be
  ///     searched among all numbers.
  void CheckScale(std::size_t k, bool is_whole) const;

  /// The lower bounds of the coordinates.
  [[nodiscard]] const std::vector<double>& low() const noexcept { return low_; }

  /// The upper bounds of the coordinates.
  [[nodiscard]] const std::vector<double>& high() const noexcept {
    return high_;
  }

  /// The start of the search: the guesses, or the middle for a factor without
  /// one; for whole numbers rounded down.
  [[nodiscard]] const std::vector<double>& start() const noexcept {
    return start_;
  }

  /// The value of factor `k` at `coordinate`, within the bounds. It is exactly
  /// the bound at an end and exactly the guess at the start; whole numbers are
  /// rounded to the nearest.
  [[nodiscard]] double ValueAt(std::size_t k, double coordinate) const;

  /// d(value)/d(coordinate) of factor `k`, without regard to rounding.
  [[nodiscard]] double SlopeAt(std::size_t k, double coordinate) const;

  /// The coordinate at which factor `k` has `value`, which must be within the
  /// bounds.
  [[nodiscard]] double CoordinateOf(std::size_t k, double value) const;

  /// ValueAt for all factors; `coordinates` and `values` may be the same.
  void ToValues(std::span<const double> coordinates,
                std::span<double> values) const;

 private:
  std::vector<std::string> names_;
  std::vector<SearchBounds> bounds_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> start_;
};

}  // namespace orrery
