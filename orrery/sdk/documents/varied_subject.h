#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "orrery/experiment/runs/subject.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery::internal {

/// Points at which an experiment runs a model. Plain data.
struct PossiblePoints {
  std::span<const std::string> names;
  std::int64_t count = 0;
  std::function<void(std::int64_t i, std::span<double> values)> at;
};

/// The model as the subject of an experiment that varies something. What the
/// model gives for this itself need not be possible, as an assertion on it may
/// not hold: then the first of some points counts that are.
/// @throws Error as LoadSubject, of the model's own values.
[[nodiscard]] std::shared_ptr<const Subject> LoadVaried(
    const RunDocument& document, const std::function<PossiblePoints()>& points);

/// Likewise of a search: where it begins, and the ends of its ranges, are
/// tried.
/// @param vary see FactorsOf.
[[nodiscard]] std::shared_ptr<const Subject> LoadSearched(
    const RunDocument& document, std::span<const std::string> vary);

}  // namespace orrery::internal
