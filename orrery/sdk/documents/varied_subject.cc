#include "orrery/sdk/documents/varied_subject.h"

#include <cstddef>
#include <numeric>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/sdk/documents/factor_text.h"

namespace orrery::sdk::internal {
namespace {

double FirstOf(const Factor& factor) {
  if (const auto* const bounds = std::get_if<SearchBounds>(&factor.range)) {
    return bounds->guess.value_or(std::midpoint(bounds->low, bounds->high));
  }
  return DistributionOf(factor).Quantile(0.5);
}

}  // namespace

std::shared_ptr<const Subject> LoadVaried(
    const RunDocument& document,
    std::span<const std::string> names,
    const std::function<std::vector<ParameterText>()>& first) {
  try {
    return LoadSubject(document, names);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidModel) {
      throw;
    }
    RunDocument at_first = document;
    const std::vector<ParameterText> settings = first();
    at_first.settings.insert(
        at_first.settings.end(), settings.begin(), settings.end());
    try {
      return LoadSubject(at_first, names);
    } catch (const Error&) {
      // The model by itself is what its author knows.
    }
    throw;
  }
}

std::shared_ptr<const Subject> LoadSearched(
    const RunDocument& document,
    std::span<const std::string> vary,
    std::span<const ParameterText> labels) {
  const std::vector<std::string> names = NamesVaried(vary, labels);
  return LoadVaried(document, names, [&] {
    const std::vector<Factor> factors = FactorsOf(vary, document, labels);
    std::vector<ParameterText> settings;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      settings.push_back(
          {.name = names[i], .value = ShortestText(FirstOf(factors[i]))});
    }
    return settings;
  });
}

}  // namespace orrery::sdk::internal
