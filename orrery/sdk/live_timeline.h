#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/joint_run.h"
#include "orrery/sdk/live_run.h"
#include "orrery/sim/timeline_stepper.h"

namespace orrery {

namespace internal {
class JointRows;
}  // namespace internal

/// A run of a Simulation that somebody outside looks at each period. He sets
/// parameters and inputs of its equations, and puts messages on the inputs of
/// its DEVS models, by their paths, as `valve.full`; quantities and resources
/// are shown.
class LiveTimeline final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run has not run yet, is carried on by nobody else, and must outlive
  ///     it.
  /// @param live without `shown` the outputs of the equations are, without any
  ///     their states, and the resources.
  /// @throws Error kInvalidArgument as LiveEquations; what Simulation::Run
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

  /// The same: it is not to go on.
  /// @param why empty: somebody did not want it to.
  [[nodiscard]] JointRunResult Interrupt(const std::string& why = "");

 private:
  class Entries;

  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;
  [[noreturn]] void RefuseSetting(const std::string& name) const;
  [[nodiscard]] bool IsQuantity(const std::string& name) const;

  JointRun& run_;
  std::string model_;
  std::optional<NameTable> quantities_;  // None without equations.
  double t_ = 0;
  std::unique_ptr<Entries> entries_;  // Before the run, which has them.
  std::optional<TimelineStepper> stepper_;
  std::unique_ptr<internal::JointRows> rows_;
};

}  // namespace orrery
