#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery::sdk::internal {

/// The model as the subject of an experiment that varies what has these names:
/// assertions on them are left to its runs. Where the model gives no value that
/// shapes its equations, as of a size that is declared without one, the first
/// point does.
/// @param first what the first point sets.
/// @throws Error as LoadSubject, of the model's own values.
[[nodiscard]] std::shared_ptr<const Subject> LoadVaried(
    const RunDocument& document,
    std::span<const std::string> names,
    const std::function<std::vector<ParameterText>()>& first);

/// The same for a search: tries its start and the ends of its ranges.
/// @param vary see FactorsOf.
[[nodiscard]] std::shared_ptr<const Subject> LoadSearched(
    const RunDocument& document,
    std::span<const std::string> vary,
    std::span<const ParameterText> labels = {});

}  // namespace orrery::sdk::internal
