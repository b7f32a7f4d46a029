#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

namespace sdk::internal {
class ProfileRows;
}  // namespace sdk::internal

/// A run of a model of tasks that somebody outside looks at each period: its
/// resources are shown. What happens to its cells is for its tasks alone, so
/// nothing can be set.
class LiveTasks final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run must not have run yet, must have no other user, and must
  ///     outlive it.
  /// @param live without `shown`, publishes all resources.
  /// @throws Error kInvalidArgument as LiveEquations.
  LiveTasks(ProcessRun& run, const Options& live);
  ~LiveTasks() override;
  LiveTasks(const LiveTasks&) = delete;
  LiveTasks& operator=(const LiveTasks&) = delete;

  [[nodiscard]] const std::string& model() const noexcept override {
    return model_;
  }

  [[nodiscard]] double t() const noexcept override { return t_; }

  [[nodiscard]] bool has_ended() const noexcept override;

  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  [[nodiscard]] NewResults TakeResults() override;

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
  std::unique_ptr<sdk::internal::ProfileRows> rows_;
  std::string failure_;  // Why it cannot go on; empty: it can.
};

}  // namespace orrery
