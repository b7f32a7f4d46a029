#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "orrery/experiment/subject.h"
#include "orrery/sdk/run_document.h"

namespace orrery::internal {

/// The points at which an experiment runs a model. Plain data.
struct PossiblePoints {
  std::span<const std::string> names;
  std::int64_t count = 0;
  std::function<void(std::int64_t i, std::span<double> values)> at;
};

/// Loads the model as the subject of an experiment. The model's own values of
/// the varied quantities need not be possible, for example because of an
/// assertion. If they are not, the first possible one of `points` replaces
/// them.
/// @throws Error as LoadSubject, for the model's own values.
[[nodiscard]] std::shared_ptr<const Subject> LoadVaried(
    const RunDocument& document, const std::function<PossiblePoints()>& points);

/// The same for a search: tries its start and the ends of its ranges.
/// @param vary see FactorsOf.
[[nodiscard]] std::shared_ptr<const Subject> LoadSearched(
    const RunDocument& document, std::span<const std::string> vary);

}  // namespace orrery::internal
