#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/timeline/timeline_stepper.h"

namespace orrery {

namespace sdk::internal {
class JointRows;
}  // namespace sdk::internal

/// A run of a Simulation that somebody outside looks at each period. He sets
/// parameters and inputs of its equations, and puts messages on the inputs of
/// its DEVS models, by their paths, as `valve.full`; quantities and resources
/// are shown.
class LiveTimeline final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run must not have run yet, must have no other user, and must
  ///     outlive it.
  /// @param live without `shown`, publishes the outputs of the equations, or
  ///     their states if there are none, and the resources.
  /// @throws Error kInvalidArgument as LiveEquations; whatever Simulation::Run
  ///     throws.
  LiveTimeline(JointRun& run, const Options& live);
  ~LiveTimeline() override;
  LiveTimeline(const LiveTimeline&) = delete;
  LiveTimeline& operator=(const LiveTimeline&) = delete;

  [[nodiscard]] const std::string& model() const noexcept override {
    return model_;
  }

  [[nodiscard]] double t() const noexcept override { return t_; }

  [[nodiscard]] bool has_ended() const noexcept override;

  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  /// Up to the last row of the equations, if there are any.
  [[nodiscard]] NewResults TakeResults() override;

  /// Ends the run at t().
  [[nodiscard]] JointRunResult Finish();

  /// Ends the run at t() as interrupted.
  /// @param why the reason; empty if the user stopped it.
  [[nodiscard]] JointRunResult Interrupt(const std::string& why = "");

 private:
  class Entries;

  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;
  [[noreturn]] void RefuseSetting(const std::string& name) const;
  [[nodiscard]] bool IsQuantity(const std::string& name) const;

  JointRun& run_;
  std::string model_;
  std::optional<NameTable> quantities_;  // Without a value if there are no
                                         // equations.
  double t_ = 0;
  std::unique_ptr<Entries> entries_;  // Outlives the run, which uses them.
  std::optional<TimelineStepper> stepper_;
  std::unique_ptr<sdk::internal::JointRows> rows_;
};

}  // namespace orrery
