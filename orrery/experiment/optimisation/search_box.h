#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/experiment/design/search_space.h"

namespace orrery::experiment::internal {

/// The part of a search space with fixed whole numbers: the other factors are
/// the coordinates of a unit cube.
class SearchBox {
 public:
  /// @param values of all factors; only those of whole numbers matter.
  SearchBox(const SearchSpace& space, std::vector<double> values);

  /// The dimension of the cube.
  [[nodiscard]] std::size_t dimension() const noexcept { return free_.size(); }

  /// The start of the first search.
  [[nodiscard]] const std::vector<double>& start() const noexcept {
    return start_;
  }

  /// The number of the factor that coordinate `j` stands for.
  [[nodiscard]] std::size_t factor(std::size_t j) const { return free_[j]; }

  /// d(value of the factor)/d(coordinate `j`) at `place`.
  [[nodiscard]] double SlopeAt(std::size_t j,
                               std::span<const double> place) const;

  /// The values of all factors at a place in the cube.
  [[nodiscard]] std::vector<double> ValuesAt(
      std::span<const double> place) const;

 private:
  [[nodiscard]] double CoordinateAt(std::size_t j,
                                    std::span<const double> place) const;

  const SearchSpace& space_;
  std::vector<double> values_;
  std::vector<std::size_t> free_;  // The numbers of the factors.
  std::vector<double> start_;
};

/// Returns all combinations of the whole numbers of a space, as values of all
/// factors; the last factor varies fastest. One combination if there are no
/// whole numbers.
/// @throws Error kInvalidArgument if there are too many to enumerate.
[[nodiscard]] std::vector<std::vector<double>> Combinations(
    const SearchSpace& space);

}  // namespace orrery::experiment::internal
