#pragma once

#include <optional>
#include <span>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/system/pace.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery::cli {

/// What reports tell of a run before its results.
struct TaskHead {
  std::string model;
  ProcessModelSize size;
  std::size_t planned = 0;  ///< Activities.
  std::span<const ParameterInfo> parameters;
  std::span<const Diagnostic> warnings;
};

/// How many spans of tasks are over, and not.
struct SpanCounts {
  std::size_t over = 0;
  std::size_t open = 0;
};

[[nodiscard]] SpanCounts CountSpans(std::span<const process::Span> spans);

/// `Rover  3 cells, 2 resources, 4 types of activities  10 activities planned`.
[[nodiscard]] std::string TaskHeadLine(const TaskHead& head);

/// `45 tasks over, 2 open`; nothing if there are no spans.
[[nodiscard]] std::string SpanText(std::span<const process::Span> spans);

/// What a run came to, in columns.
[[nodiscard]] std::string ValueText(
    std::span<const ProcessRunResult::Value> values);

/// Who waits for what, in columns with a title; nothing if nobody does.
[[nodiscard]] std::string WaitingText(
    std::span<const process::WaitingTask> waiting);

/// How a run went, what it came to, and who waits for what.
/// @param spans nothing is told of if there are none.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string TaskTextReport(const ProcessRunResult& result,
                                         std::span<const process::Span> spans,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

/// One JSON object.
[[nodiscard]] std::string TaskJsonReport(const TaskHead& head,
                                         const ProcessRunResult& result,
                                         std::span<const process::Span> spans,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

/// Likewise, for what could not be run.
[[nodiscard]] std::string TaskJsonReport(const Error& error);

}  // namespace orrery::cli
