#pragma once

#include <optional>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/reports/joint_report.h"  // IWYU pragma: export
#include "orrery/sdk/runs/joint_run.h"

namespace orrery::cli {

/// `Station  1 state of Tank, 1 atomic model, 2 cells, 1 resource  made in 8
/// ms`, without parts that do not exist.
[[nodiscard]] std::string JointHeadLine(const JointHead& head);

/// The course of a run, its results, and the waiting tasks.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JointTextReport(const JointHead& head,
                                          const JointRunResult& result,
                                          double run_ms,
                                          const std::optional<LagReport>& lag);

}  // namespace orrery::cli
