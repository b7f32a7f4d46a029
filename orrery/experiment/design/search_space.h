#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/experiment/design/factor.h"

namespace orrery {

/// The box in which an optimum or an estimate is looked for: a coordinate for
/// each factor, which is its value or, of a factor that is searched on a
/// logarithmic scale, the natural logarithm of that. Immutable; to be used by
/// any number of threads.
class SearchSpace {
 public:
  /// @throws Error kInvalidArgument for no factor, and for one whose range is
  ///     not SearchBounds.
  explicit SearchSpace(std::span<const Factor> factors);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

  /// The names of the factors.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  /// Of factor `k`, as it was given.
  [[nodiscard]] const SearchBounds& bounds(std::size_t k) const {
    return bounds_[k];
  }

  /// @throws Error kInvalidArgument if factor `k`, which `is_whole`, is to be
  ///     searched among all numbers.
  void CheckScale(std::size_t k, bool is_whole) const;

  /// The least coordinates.
  [[nodiscard]] const std::vector<double>& low() const noexcept { return low_; }

  /// The greatest coordinates.
  [[nodiscard]] const std::vector<double>& high() const noexcept {
    return high_;
  }

  /// Where the search begins: the guesses, and the middle where there is none;
  /// of whole numbers the one below that.
  [[nodiscard]] const std::vector<double>& start() const noexcept {
    return start_;
  }

  /// The value of factor `k` at `coordinate`, within the bounds: at an end
  /// exactly the bound, at the start exactly the guess, of whole numbers the
  /// nearest one.
  [[nodiscard]] double ValueAt(std::size_t k, double coordinate) const;

  /// d(value)/d(coordinate) of factor `k`, as if it were no whole number.
  [[nodiscard]] double SlopeAt(std::size_t k, double coordinate) const;

  /// The coordinate at which factor `k` has `value`, which is within the
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
