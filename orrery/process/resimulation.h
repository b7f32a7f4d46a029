#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/plan.h"
#include "orrery/process/simulator.h"
#include "orrery/process/types/options.h"

namespace orrery::process {

/// Repeated runs of one model with plans that differ little. Each begins at the
/// latest snapshot before the first change. Results are those of runs from the
/// start.
///
///     Resimulation runs(rover, {}, {6h, 12h, 18h});
///     runs.Run(plan, 24h);
///     plan.directives.back().start += 1h;
///     runs.Run(plan, 24h);                    // only the evening
class Resimulation {
 public:
  /// @param times the times of snapshots, taken at the end of these instants.
  /// @throws Error kInvalidArgument if they do not rise.
  Resimulation(Model& model, Options options, std::vector<Duration> times);

  /// @returns the run, at `end`. It is the same object each time, without the
  ///     records of the last call.
  /// @throws as Simulator does; the next call is then a run from the start.
  const Simulator& Run(const Plan& plan, Duration end);

  /// The time at which the last call of Run resumed; none: the start.
  [[nodiscard]] std::optional<Duration> resumed_at() const noexcept {
    return resumed_at_;
  }

 private:
  std::unique_ptr<Simulator> Begin(const Plan& plan, Duration end);

  Model& model_;
  Options options_;
  std::vector<Duration> times_;
  Plan plan_;
  std::unique_ptr<Simulator> run_;
  std::vector<Snapshot> snapshots_;  // At the first ones of the times.
  std::optional<Duration> resumed_at_;
};

}  // namespace orrery::process
