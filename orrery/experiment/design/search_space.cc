#include "orrery/experiment/design/search_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery {
namespace {

const SearchBounds& BoundsOf(const Factor& factor) {
  if (const auto* const bounds = std::get_if<SearchBounds>(&factor.range)) {
    return *bounds;
  }
  const std::string asked = "cannot search over '" +
                            (factor.text.empty() ? factor.name : factor.text) +
                            "': ";
  const auto* const values = std::get_if<std::vector<double>>(&factor.range);
  if (values == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                asked + "a random value has no bounds; write " + factor.name +
                    "=[LOW,HIGH]");
  }
  const auto [low, high] = std::ranges::minmax_element(*values);
  throw Error(ErrorCode::kInvalidArgument,
              asked + "it has values, not bounds; write " + factor.name + "=" +
                  (*low < *high ? "[" + ShortestText(*low) + "," +
                                      ShortestText(*high) + "]"
                                : ShortestText(*low) + "[LOW,HIGH]"));
}

double StartOf(const SearchBounds& bounds, double low, double high) {
  if (bounds.guess) {
    return bounds.scale == SearchScale::kLog ? std::log(*bounds.guess)
                                             : *bounds.guess;
  }
  const double middle = std::midpoint(low, high);
  return bounds.is_integer ? std::floor(middle) : middle;
}

}  // namespace

SearchSpace::SearchSpace(std::span<const Factor> factors) {
  if (factors.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot search: nothing varies; give a factor with bounds, as "
                "in k=[0.1,10]");
  }
  for (const Factor& factor : factors) {
    bounds_.push_back(BoundsOf(factor));
    names_.push_back(factor.name);
    const std::size_t k = names_.size() - 1;
    low_.push_back(CoordinateOf(k, bounds_[k].low));
    high_.push_back(CoordinateOf(k, bounds_[k].high));
    start_.push_back(StartOf(bounds_[k], low_[k], high_[k]));
  }
}

void SearchSpace::CheckScale(std::size_t k, bool is_whole) const {
  const SearchBounds& bounds = bounds_[k];
  if (is_whole && !bounds.is_integer) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot search over '" + names_[k] +
                    "': it takes whole numbers alone; write " + names_[k] +
                    "=integer[" + ShortestText(bounds.low) + "," +
                    ShortestText(bounds.high) + "]");
  }
}

double SearchSpace::ValueAt(std::size_t k, double coordinate) const {
  const SearchBounds& bounds = bounds_[k];
  if (coordinate <= low_[k]) {
    return bounds.low;
  }
  if (coordinate >= high_[k]) {
    return bounds.high;
  }
  if (bounds.guess && coordinate == start_[k]) {
    return *bounds.guess;
  }
  if (bounds.scale == SearchScale::kLog) {
    return std::clamp(std::exp(coordinate), bounds.low, bounds.high);
  }
  return bounds.is_integer ? std::round(coordinate) : coordinate;
}

double SearchSpace::SlopeAt(std::size_t k, double coordinate) const {
  return bounds_[k].scale == SearchScale::kLog ? ValueAt(k, coordinate) : 1;
}

double SearchSpace::CoordinateOf(std::size_t k, double value) const {
  return bounds_[k].scale == SearchScale::kLog ? std::log(value) : value;
}

void SearchSpace::ToValues(std::span<const double> coordinates,
                           std::span<double> values) const {
  for (std::size_t k = 0; k < size(); ++k) {
    values[k] = ValueAt(k, coordinates[k]);
  }
}

}  // namespace orrery
