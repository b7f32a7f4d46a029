#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/reports/run_report.h"
#include "orrery/sdk/runs/joint_run.h"

namespace orrery {

/// The head of reports on a run on one timeline.
struct JointHead {
  std::string model;
  JointModelSize size;
  std::size_t planned = 0;  ///< Activities.
  std::span<const ParameterInfo> parameters;
  double make_ms = 0;  ///< With the compilation of its equations.
};

/// The report of a run on one timeline.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JsonReport(const JointHead& head,
                                     const JointRunResult& result,
                                     double run_ms,
                                     ReportedEvents events,
                                     const std::optional<LagReport>& lag);

}  // namespace orrery
