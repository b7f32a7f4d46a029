#include "orrery/experiment/optimisation/search_box.h"

#include <cmath>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::experiment::internal {

SearchBox::SearchBox(const SearchSpace& space, std::vector<double> values)
    : space_(space), values_(std::move(values)) {
  for (std::size_t k = 0; k < space.size(); ++k) {
    if (!space.bounds(k).is_integer) {
      const double width = space.high()[k] - space.low()[k];
      free_.push_back(k);
      start_.push_back((space.start()[k] - space.low()[k]) / width);
    }
  }
}

double SearchBox::CoordinateAt(std::size_t j,
                               std::span<const double> place) const {
  const std::size_t k = free_[j];
  return place[j] == start_[j]
             ? space_.start()[k]
             : std::lerp(space_.low()[k], space_.high()[k], place[j]);
}

double SearchBox::SlopeAt(std::size_t j, std::span<const double> place) const {
  const std::size_t k = free_[j];
  return space_.SlopeAt(k, CoordinateAt(j, place)) *
         (space_.high()[k] - space_.low()[k]);
}

std::vector<double> SearchBox::ValuesAt(std::span<const double> place) const {
  std::vector<double> values = values_;
  for (std::size_t j = 0; j < free_.size(); ++j) {
    values[free_[j]] = space_.ValueAt(free_[j], CoordinateAt(j, place));
  }
  return values;
}

std::vector<std::vector<double>> Combinations(const SearchSpace& space) {
  constexpr double kMost = 100'000;
  std::vector<std::vector<double>> combinations = {
      std::vector<double>(space.size())};
  for (std::size_t k = 0; k < space.size(); ++k) {
    const SearchBounds& bounds = space.bounds(k);
    if (!bounds.is_integer) {
      continue;
    }
    const double count = static_cast<double>(combinations.size()) *
                         (bounds.high - bounds.low + 1);
    if (count > kMost) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot optimise: whole numbers are gone through one by "
                  "one, and with " +
                      space.names()[k] + " from " + ShortestText(bounds.low) +
                      " to " + ShortestText(bounds.high) + " there are " +
                      ShortestText(count) + " combinations; narrow the " +
                      "bounds to at most " + ShortestText(kMost));
    }
    std::vector<std::vector<double>> longer;
    longer.reserve(static_cast<std::size_t>(count));
    for (const std::vector<double>& before : combinations) {
      for (int i = 0; bounds.low + i <= bounds.high; ++i) {
        longer.push_back(before);
        longer.back()[k] = bounds.low + i;
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

}  // namespace orrery::experiment::internal
