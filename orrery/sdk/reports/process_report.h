#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/pace.h"
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

}  // namespace orrery
