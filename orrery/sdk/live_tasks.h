#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/live_run.h"
#include "orrery/sdk/process_run.h"

namespace orrery {

/// A run of a model of tasks with a partner outside, who sees its resources
/// each period. Only tasks change cells, so that nothing can be set.
class LiveTasks final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run must not have run yet, must have no other user, and must
  ///     outlive it.
  /// @param live without `shown`, publishes all resources.
  /// @throws Error kInvalidArgument as LiveEquations.
  LiveTasks(ProcessRun& run, const Options& live);

  [[nodiscard]] const std::string& model() const noexcept override {
    return model_;
  }

  [[nodiscard]] double t() const noexcept override { return t_; }

  [[nodiscard]] bool has_ended() const noexcept override;

  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  /// Ends the run at t().
  [[nodiscard]] ProcessRunResult Finish();

  /// Ends the run at t() as interrupted.
  /// @param why the reason; empty if the user stopped it.
  [[nodiscard]] ProcessRunResult Interrupt(const std::string& why = "");

 private:
  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;
  void CarryOutTo(double t);

  ProcessRun& run_;
  std::string model_;
  double t_;
  std::string failure_;  // Why it cannot go on; empty if it can.
};

}  // namespace orrery
