#pragma once

#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/reports/process_report.h"  // IWYU pragma: export
#include "orrery/sdk/runs/process_run.h"

namespace orrery::cli {

/// `Rover  3 cells, 2 resources, 4 types of activities  10 activities planned`.
[[nodiscard]] std::string TaskHeadLine(const ProcessHead& head);

/// `45 tasks over, 2 open`; nothing if there are no spans.
[[nodiscard]] std::string SpanText(std::span<const process::Span> spans);

/// The results of a run, in columns.
[[nodiscard]] std::string ProcessValues(
    std::span<const ProcessRunResult::Value> values);

/// The waiting tasks and the things that they wait for, in columns with a
/// title; empty if there are none.
[[nodiscard]] std::string WaitingText(
    std::span<const process::WaitingTask> waiting);

/// The course of a run, its results, and the waiting tasks.
/// @param spans not mentioned if empty.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string TaskTextReport(const ProcessRunResult& result,
                                         std::span<const process::Span> spans,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

}  // namespace orrery::cli
