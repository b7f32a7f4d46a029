#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/base/values/setting.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/process/record/recording.h"
#include "orrery/timeline/timeline.h"

namespace orrery {

/// A run of a Simulation that advances in pieces, with actions in between:
///
///     TimelineStepper run(simulation, {.stop = 1h});
///     run.GoOnTo(10min);
///     run.Set({{{"inflow", 0.5}}});
///     run.GoOnTo(stop());
///     TimelineResult result = run.Finish();
///
/// Without actions, the steps of the solver are those of Simulation::Run. With
/// delays or sliding motions a step ends at each piece's end; results are then
/// the same within the tolerance. For one thread.
class TimelineStepper {
 public:
  /// Completes the instant of the start.
  /// @param simulation must outlive it and have no other run meanwhile.
  /// @throws Error as Simulation::Run.
  TimelineStepper(Simulation& simulation, const TimelineOptions& options);
  TimelineStepper(const TimelineStepper&) = delete;
  TimelineStepper& operator=(const TimelineStepper&) = delete;
  ~TimelineStepper();

  [[nodiscard]] Duration now() const noexcept;

  /// Duration::max() if the run ends when nothing is due any more.
  [[nodiscard]] Duration stop() const noexcept;

  /// True if the run failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept;

  /// Goes on and completes that instant, unless the run ends before.
  /// @param t from now() to stop().
  void GoOnTo(Duration t);

  /// Sets parameters and inputs of the equations at now(), in an event, and
  /// completes the instant.
  /// @throws Error kInvalidArgument as Simulator::Set, and for inputs that are
  ///     connected; then nothing has changed.
  void Set(std::span<const Setting> settings);

  /// The run of the DEVS models, to inject messages at now(); null without any.
  [[nodiscard]] devs::Simulator* devs() noexcept;

  /// Completes the instant at now() after messages were injected there.
  void CompleteInstant();

  /// The value of a quantity of the equations at now().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const;

  /// The recording of the tasks and resources so far.
  [[nodiscard]] const process::Recording& recording() const noexcept;

  /// The new rows and events of the equations, as Simulator gives them; nothing
  /// without equations.
  [[nodiscard]] NewRows TakeNewRows();
  [[nodiscard]] NewEvents TakeNewEvents();

  /// All rows of the equations so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows();

  /// Ends the run where it is.
  /// @param why empty: somebody asked for it.
  void Interrupt(const std::string& why = "");

  /// Carries out the last event, in which terminal() is true, and gives the
  /// result. Once.
  TimelineResult Finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace orrery
