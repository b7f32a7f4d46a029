#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/runs/devs_run.h"

namespace orrery {

/// The head of reports on one run or several.
struct DevsHead {
  std::string model;
  DevsModelSize size;
  devs::Options engine;
  std::span<const ParameterInfo> parameters;
  double flatten_ms = 0;
};

/// The overall outcome of `runs`, `asked` of which were requested.
[[nodiscard]] DevsOutcome OutcomeOf(std::span<const DevsRunResult> runs,
                                    std::int64_t asked);

/// The report of a run of a DEVS model.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JsonReport(const DevsHead& head,
                                     const DevsRunResult& result,
                                     double run_ms,
                                     const std::optional<LagReport>& lag);

/// The report of replications, `asked` of which were requested.
[[nodiscard]] std::string JsonReport(const DevsHead& head,
                                     std::span<const DevsRunResult> runs,
                                     std::int64_t asked,
                                     double run_ms);

}  // namespace orrery
