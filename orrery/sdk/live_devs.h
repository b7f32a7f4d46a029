#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/sdk/devs_run.h"
#include "orrery/sdk/live_run.h"

namespace orrery {

/// A run of a DEVS model that somebody outside has a part in: he puts messages
/// on the inputs of the outermost model and is shown what leaves by its
/// outputs, at the times at which this happens. What comes in at a time comes
/// after all that happens there without it.
class LiveDevs final : public LiveRun {
 public:
  /// Completes the instant of the start.
  /// @param run has not run yet, is carried on by nobody else, and must outlive
  ///     it.
  /// @param shown patterns of the outputs that are shown, `port` or
  ///     `port.field`; empty: all.
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

  /// Of the next instant, or the stop time.
  [[nodiscard]] double next_time() const override;

  [[nodiscard]] bool has_ended() const noexcept override;

  /// Of several messages at a port in a microstep each has a row of its own.
  [[nodiscard]] std::vector<LiveRow> TakeRows() override;

  [[nodiscard]] NewResults TakeResults() override {
    return {.rows = run_.TakeNewRows(), .events = {}};
  }

  /// Of what has left by outputs the last.
  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  /// Ends the run at t().
  /// @throws Error as DevsRun::Finish.
  [[nodiscard]] DevsRunResult Finish();

  /// The same: it is not to go on.
  /// @param why empty: somebody did not want it to.
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
  std::string failure_;  // Why it cannot go on; empty: it can.
};

}  // namespace orrery
