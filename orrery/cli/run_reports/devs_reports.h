#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/system/pace.h"
#include "orrery/sdk/runs/devs_run.h"

namespace orrery::cli {

/// The type of the experiment that several runs of a DEVS model are.
inline constexpr const char* kReplications = "replications";

/// What reports tell of a run, or of several, before its results.
struct DevsHead {
  std::string model;
  DevsModelSize size;
  devs::Options engine;
  std::span<const ParameterInfo> parameters;
  double flatten_ms = 0;
};

/// `Bank  3 atomic models, 2 couplings  parallel DEVS  flattened in 0.1 ms`.
[[nodiscard]] std::string DevsHeadLine(const DevsHead& head);

/// How a run went, and the numbers that it came to.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string DevsTextReport(const DevsRunResult& result,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

/// Likewise for replications, of which `asked` were to be.
[[nodiscard]] std::string DevsTextReport(std::span<const DevsRunResult> runs,
                                         std::int64_t asked,
                                         double run_ms);

/// The outcome of all of `runs`, of which `asked` were to be.
[[nodiscard]] DevsOutcome OutcomeOf(std::span<const DevsRunResult> runs,
                                    std::int64_t asked);

/// One JSON object.
[[nodiscard]] std::string DevsJsonReport(const DevsHead& head,
                                         const DevsRunResult& result,
                                         double run_ms,
                                         const std::optional<LagReport>& lag);

/// Likewise, of replications.
[[nodiscard]] std::string DevsJsonReport(const DevsHead& head,
                                         std::span<const DevsRunResult> runs,
                                         std::int64_t asked,
                                         double run_ms);

/// Likewise, for what could not be run.
[[nodiscard]] std::string DevsJsonReport(const Error& error);

/// The parameters, one a line.
[[nodiscard]] std::string ParameterList(
    std::span<const ParameterInfo> parameters);

}  // namespace orrery::cli
