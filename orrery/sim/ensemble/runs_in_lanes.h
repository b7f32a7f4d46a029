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

namespace orrery::internal {

/// Runs whose whole courses are side by side, in the lanes of one memory, from
/// the values of their settings to what is recorded at their ends: of programs
/// without events, by explicit methods whose steps are of one length. Each is
/// what it would be alone, bit for bit.
class RunsInLanes {
 public:
  /// Whether runs do nothing but what these can.
  [[nodiscard]] static bool Suit(const RunPlan& plan);

  /// @param plan must outlive it; its last settings are those of `varied`.
  /// @returns null if such runs have more to do, or machine code for lanes
  ///     cannot be made or does not pay yet.
  static std::unique_ptr<RunsInLanes> Make(
      const RunPlan& plan,
      std::span<const Setting> settings,
      std::span<const VariedSetting> varied);

  [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }

  /// Carries out the `count` <= lanes() runs from `first` on.
  /// @returns false if one of them is not completed: nothing is known of any.
  bool Run(std::size_t first, std::size_t count);

  /// What `signal` of the plan's table is at their ends, in `count` lanes.
  void GetEnds(std::size_t signal, std::span<double> ends);

  /// Of each of these runs.
  [[nodiscard]] std::int64_t steps() const {
    return integrator_->statistics().steps;
  }

 private:
  // Where values of a setting go.
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
  std::vector<Place> places_;  // Of what is varied.
  // Machine code; null: there is nothing to do.
  NativeSection bindings_ = nullptr;  // Of parameters and start values.
  NativeSection initialization_ = nullptr;
  AlignedNumbers before_;  // Memory before anything is varied.
  std::unique_ptr<LaneOde> ode_;
  std::unique_ptr<TimeIntegrator> integrator_;
  std::vector<double> x_;  // Where the runs begin.
};

}  // namespace orrery::internal
