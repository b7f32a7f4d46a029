#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/runs/devs_run.h"

namespace orrery {

/// A run of a DEVS model with a partner outside. The partner sends messages to
/// the inputs of the outermost model, and sees the messages at its outputs, at
/// their times. Messages that arrive at a time come after all events of that
/// time.
class LiveDevs final : public LiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run must not have run yet, must have no other user, and must
  ///     outlive it.
  /// @param shown patterns of the published outputs, `port` or `port.field`;
  ///     empty: all.
  /// @throws Error kInvalidArgument for a pattern that fits no output.
  explicit LiveDevs(DevsRun& run, std::span<const std::string> shown = {});
  ~LiveDevs() override;
  LiveDevs(const LiveDevs&) = delete;
  LiveDevs& operator=(const LiveDevs&) = delete;

  [[nodiscard]] const std::string& model() const noexcept override {
    return model_;
  }

  [[nodiscard]] double start() const noexcept override { return 0; }

  [[nodiscard]] double t() const noexcept override;

  [[nodiscard]] double stop() const noexcept override;

  /// The time of the next instant, or the stop time.
  [[nodiscard]] double next_time() const override;

  [[nodiscard]] bool has_ended() const noexcept override;

  /// Each of several messages at a port in a microstep has its own row.
  [[nodiscard]] std::vector<LiveRow> TakeRows() override;

  [[nodiscard]] NewResults TakeResults() override {
    return {.rows = run_.TakeNewRows(), .events = {}};
  }

  /// The last messages that have left by outputs.
  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  /// Ends the run at t().
  /// @throws Error as DevsRun::Finish.
  [[nodiscard]] DevsRunResult Finish();

  /// Ends the run at t() as interrupted.
  /// @param why the reason; empty if the user stopped it.
  [[nodiscard]] DevsRunResult Interrupt(const std::string& why = "");

 private:
  class Exits;

  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;
  void CarryOutTo(Duration t);
  [[nodiscard]] const devs::Port& InputOf(const std::string& name) const;

  DevsRun& run_;
  std::string model_;
  std::unique_ptr<Exits> exits_;
  std::string failure_;  // Why it cannot go on; empty if it can.
};

}  // namespace orrery
