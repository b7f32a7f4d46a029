#pragma once

#include <string>

#include "orrery/sdk/reports/stored_report.h"
#include "orrery/store/store.h"

namespace orrery {

/// A saved experiment as one self-contained page of HTML: the request, the
/// results with plots, the parameters, the equations and the texts of the
/// model.
/// @param results as text, with lines.
[[nodiscard]] std::string HtmlReport(ExperimentStore& store,
                                     const ExperimentRecord& record,
                                     const std::string& results,
                                     const TimeWriter& write_time);

}  // namespace orrery
