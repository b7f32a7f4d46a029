#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/system/pace.h"
#include "orrery/cli/run_reports/reports.h"
#include "orrery/sdk/runs/joint_run.h"

namespace orrery::cli {

/// The head of reports on a run on one timeline.
struct JointHead {
  std::string model;
  JointModelSize size;
  std::size_t planned = 0;  ///< Activities.
  std::span<const ParameterInfo> parameters;
  double make_ms = 0;  ///< With the compilation of its equations.
};

/// `Station  1 state of Tank, 1 atomic model, 2 cells, 1 resource  made in 8
/// ms`, without parts that do not exist.
[[nodiscard]] std::string JointHeadLine(const JointHead& head);

/// The course of a run, its results, and the waiting tasks.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JointTextReport(const JointHead& head,
                                          const JointRunResult& result,
                                          double run_ms,
                                          const std::optional<LagReport>& lag);

/// One JSON object.
[[nodiscard]] std::string JointJsonReport(const JointHead& head,
                                          const JointRunResult& result,
                                          double run_ms,
                                          EventList events,
                                          const std::optional<LagReport>& lag);

/// The JSON report of a run that was not possible.
[[nodiscard]] std::string JointJsonReport(const Error& error);

}  // namespace orrery::cli
