#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/reports/devs_report.h"  // IWYU pragma: export
#include "orrery/sdk/runs/devs_run.h"

namespace orrery::cli {

/// `Bank  3 atomic models, 2 couplings  parallel DEVS  flattened in 0.1 ms`.
[[nodiscard]] std::string DevsHeadLine(const DevsHead& head);

/// The course of a run, and its results.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string DevsTextReport(const DevsRunResult& result,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

/// Likewise for replications, `asked` of which were requested.
[[nodiscard]] std::string DevsTextReport(std::span<const DevsRunResult> runs,
                                         std::int64_t asked,
                                         double run_ms);

/// The parameters, one a line.
[[nodiscard]] std::string ParameterList(
    std::span<const ParameterInfo> parameters);

}  // namespace orrery::cli
