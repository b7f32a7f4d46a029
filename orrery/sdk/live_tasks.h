#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/live_run.h"
#include "orrery/sdk/process_run.h"

namespace orrery {

namespace internal {
class ProfileRows;
}  // namespace internal

/// A run of a model of tasks that somebody outside looks at each period: its
/// resources are shown. What happens to its cells is for its tasks alone, so
/// nothing can be set.
class LiveTasks final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run has not run yet, is carried on by nobody else, and must outlive
  ///     it.
  /// @param live without `shown` all resources are.
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

  /// The same: it is not to go on.
  /// @param why empty: somebody did not want it to.
  [[nodiscard]] ProcessRunResult Interrupt(const std::string& why = "");

 private:
  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;
  void CarryOutTo(double t);

  ProcessRun& run_;
  std::string model_;
  double t_;
  std::unique_ptr<internal::ProfileRows> rows_;
  std::string failure_;  // Why it cannot go on; empty: it can.
};

}  // namespace orrery
