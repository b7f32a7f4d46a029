#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sdk/live_run.h"
#include "orrery/sim/simulation.h"

namespace orrery {

/// A run of equations that somebody outside looks at each period, at the times
/// start + k * period and at the stop time, and whose parameters and inputs he
/// sets meanwhile. That others look on does not shorten the steps of the solver
/// (Simulator::AdvanceTo); a change is an event, from which the integration
/// begins anew.
///
///     LiveEquations run(program, {.stop = 10}, {.period = 0.1});
///     while (!run.has_ended()) {
///       run.Set({{"valve", run["level"] > 0.8 ? 1.0 : 0.0}});
///       run.GoOn();
///     }
///     RunResult result = run.Finish();
class LiveEquations final : public PeriodicLiveRun {
 public:
  /// Completes the instant of the start.
  /// @param live without `shown` the model's outputs are, without any its
  ///     states, without these all that moves.
  /// @throws Error kInvalidArgument as Simulate does; for a period that is none
  ///     or of which there are more than 2^53 up to the stop time; for a
  ///     pattern that fits no name.
  LiveEquations(std::shared_ptr<const Program> program,
                const SimulationOptions& options,
                const Options& live);

  [[nodiscard]] const std::string& model() const noexcept override {
    return program_->name;
  }

  [[nodiscard]] double t() const noexcept override { return simulator_.t(); }

  [[nodiscard]] bool has_ended() const noexcept override;

  [[nodiscard]] std::vector<Record::Field> Values(
      std::span<const std::string> names) const override;

  [[nodiscard]] NewResults TakeResults() override {
    return {.rows = simulator_.TakeNewRows(),
            .events = simulator_.TakeNewEvents()};
  }

  /// The value of any quantity at t().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const {
    return simulator_[name];
  }

  /// Ends the run at t(), with its last event, in which terminal() is true.
  RunResult Finish();

  /// Ends the run at t(): it is not to go on.
  /// @param why empty: somebody did not want it to.
  RunResult Interrupt(const std::string& why = "");

 private:
  void Advance(double t) override;
  void Change(std::span<const Setting> settings) override;

  std::shared_ptr<const Program> program_;
  Simulator simulator_;
};

}  // namespace orrery
