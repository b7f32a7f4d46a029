#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/system/pace.h"
#include "orrery/results/thinning.h"
#include "orrery/sdk/runs/plan_session.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

/// The head of reports on a run of a model of tasks.
struct ProcessHead {
  std::string model;
  ProcessModelSize size;
  std::size_t planned = 0;  ///< Activities.
  std::span<const ParameterInfo> parameters;
  std::span<const Diagnostic> warnings;
};

/// The numbers of spans of tasks that are over, and that are not.
struct SpanCounts {
  std::size_t over = 0;
  std::size_t open = 0;
};

[[nodiscard]] SpanCounts CountSpans(std::span<const process::Span> spans);

/// The report of a run of a model of tasks.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JsonReport(const ProcessHead& head,
                                     const ProcessRunResult& result,
                                     std::span<const process::Span> spans,
                                     double run_ms,
                                     const std::optional<LagReport>& lag);

/// How a plan was carried out, as JSON on one line: `status`, `message`,
/// `start`, `end`, `resumed_at`, `run_ms`, `notices`, `unbegun`, `spans` as
/// WriteSpans writes them, and `rows` with `columns` (`name`, `unit`) and
/// `values`, those of the time first.
/// @param range what of spans and rows is shown; none: all of the run.
[[nodiscard]] std::string PlanReport(const PlanOutcome& outcome,
                                     double run_ms,
                                     const std::optional<DrawnRange>& range);

/// The same for a plan with errors: `status` is "refused".
[[nodiscard]] std::string PlanReport(const Error& error);

}  // namespace orrery
