#include "orrery/sdk/internal/varied_subject.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/number_text.h"
#include "orrery/experiment/factor.h"
#include "orrery/sdk/internal/factor_text.h"

namespace orrery::internal {
namespace {

constexpr std::int64_t kMostTries = 64;

// Loads the model with the values of a point; null if these are not possible
// either.
std::shared_ptr<const Subject> LoadAt(const RunDocument& document,
                                      const PossiblePoints& points,
                                      std::int64_t i) {
  std::vector<double> values(points.names.size());
  points.at(i, values);
  RunDocument its = document;
  for (std::size_t k = 0; k < values.size(); ++k) {
    its.settings.push_back(
        {.name = points.names[k], .value = ShortestText(values[k])});
  }
  try {
    return LoadSubject(its);
  } catch (const Error&) {
    return nullptr;
  }
}

// 0: the start of a search; 1 and 2: the ends of its range.
double ValueOf(const Factor& factor, std::int64_t i) {
  const auto* const bounds = std::get_if<SearchBounds>(&factor.range);
  if (bounds == nullptr) {
    return DistributionOf(factor).Quantile(0.5);
  }
  if (i == 0) {
    return bounds->guess.value_or(std::midpoint(bounds->low, bounds->high));
  }
  return i == 1 ? bounds->low : bounds->high;
}

}  // namespace

std::shared_ptr<const Subject> LoadVaried(
    const RunDocument& document,
    const std::function<PossiblePoints()>& points) {
  try {
    return LoadSubject(document);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidModel) {
      throw;
    }
    const PossiblePoints possible = points();
    const std::int64_t tries = std::min(possible.count, kMostTries);
    for (std::int64_t i = 0; i < tries; ++i) {
      if (auto subject =
              LoadAt(document, possible, i * (possible.count / tries))) {
        return subject;
      }
    }
    throw;
  }
}

std::shared_ptr<const Subject> LoadSearched(const RunDocument& document,
                                            std::span<const std::string> vary) {
  std::vector<Factor> factors;
  std::vector<std::string> names;
  return LoadVaried(document, [&]() -> PossiblePoints {
    factors = FactorsOf(vary, document);
    for (const Factor& factor : factors) {
      names.push_back(factor.name);
    }
    return {.names = names,
            .count = 3,
            .at = [&](std::int64_t i, std::span<double> values) {
              for (std::size_t k = 0; k < factors.size(); ++k) {
                values[k] = ValueOf(factors[k], i);
              }
            }};
  });
}

}  // namespace orrery::internal
