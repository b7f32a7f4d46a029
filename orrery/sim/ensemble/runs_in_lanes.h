#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/containers/aligned_numbers.h"
#include "orrery/program/program.h"
#include "orrery/sim/ensemble/ensemble.h"
#include "orrery/sim/ensemble/lane_ode.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/run/run_plan.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// Runs that are side by side from the values of their settings to their ends,
/// in the lanes of one memory: of programs without events, by explicit methods
/// with steps of one length. Each gives the same bits as alone.
class RunsInLanes {
 public:
  /// True if the runs of `plan` need nothing beyond that.
  [[nodiscard]] static bool Suit(const RunPlan& plan);

  /// @param plan must outlive it; its last settings are those of `varied`.
  /// @returns null if they do need more, or machine code for lanes cannot be
  ///     made or does not pay yet.
  static std::unique_ptr<RunsInLanes> Make(
      const RunPlan& plan,
      std::span<const Setting> settings,
      std::span<const VariedSetting> varied);

  [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }

  /// Carries out the `count` <= lanes() runs from `first` on.
  /// @returns false if one of them is not completed; then no result is valid.
  bool Run(std::size_t first, std::size_t count);

  /// The last value of `signal` of the plan's table, in `count` lanes.
  void GetEnds(std::size_t signal, std::span<double> ends);

  /// Number of steps of each of these runs.
  [[nodiscard]] std::int64_t steps() const {
    return integrator_->statistics().steps;
  }

 private:
  // The place of a setting's values.
  struct Place {
    Reference at;
    ValueType type = ValueType::kReal;
  };

  RunsInLanes(const RunPlan& plan, std::span<const VariedSetting> varied);

  bool Prepare(std::span<const Setting> settings);
  bool MakeCode(const Settings& settings);
  bool Fix(std::span<const Setting> settings);
  bool Write(std::size_t first, std::size_t count);
  bool Start();
  bool Integrate();
  [[nodiscard]] bool Do(NativeSection code);
  [[nodiscard]] bool AreStartsFinite();
  [[nodiscard]] bool AreLoopsRegular();
  void MakeNewIntegrator();

  const RunPlan& plan_;
  const Program& program_;
  std::vector<std::uint32_t> slots_;  // By signal.
  std::span<const VariedSetting> varied_;
  std::size_t lanes_;
  std::vector<Place> places_;  // By varied setting.
  // Machine code; null: there is nothing to do.
  NativeSection bindings_ = nullptr;  // Parameters and starts.
  NativeSection initialization_ = nullptr;
  AlignedNumbers before_;  // Memory before anything is varied.
  std::unique_ptr<LaneOde> ode_;
  std::unique_ptr<TimeIntegrator> integrator_;
  std::vector<double> x_;  // Start values.
};

}  // namespace orrery::sim::internal
