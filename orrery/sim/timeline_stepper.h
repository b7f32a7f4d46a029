#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "orrery/base/setting.h"
#include "orrery/base/time.h"
#include "orrery/devs/simulator.h"
#include "orrery/process/recording.h"
#include "orrery/sim/timeline.h"

namespace orrery {

/// A run of a Simulation that is taken as far as one likes, and acted on there:
///
///     TimelineStepper run(simulation, {.stop = 1h});
///     run.GoOnTo(10min);
///     run.Set({{{"inflow", 0.5}}});
///     run.GoOnTo(run.stop());
///     TimelineResult result = run.Finish();
///
/// Where nothing is done, the steps of the solver are those of Simulation::Run;
/// with delays or sliding motions a step ends there, and the results are the
/// same within the tolerance. For one thread.
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

  /// Duration::max() if it ends when nothing is due any more.
  [[nodiscard]] Duration stop() const noexcept;

  /// Whether it cannot go on: it failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept;

  /// Goes on and completes that instant, unless the run ends before.
  /// @param t from now() to stop().
  void GoOnTo(Duration t);

  /// New values of parameters and inputs of the equations, at now(): an event,
  /// after which all that follows from it there happens.
  /// @throws Error kInvalidArgument as Simulator::Set, and for inputs that
  ///     follow something in the simulation; then nothing has changed.
  void Set(std::span<const Setting> settings);

  /// The run of the DEVS models, to inject messages at now(); null without any.
  [[nodiscard]] devs::Simulator* devs() noexcept;

  /// What follows at now() from messages that were injected there.
  void CompleteInstant();

  /// The value of a quantity of the equations at now().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const;

  /// What is kept of the tasks and resources so far.
  [[nodiscard]] const process::Recording& recording() const noexcept;

  /// Of the equations, as Simulator's; nothing without any.
  [[nodiscard]] NewRows TakeNewRows();
  [[nodiscard]] NewEvents TakeNewEvents();

  /// All rows of the equations so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows();

  /// Ends it where it is.
  /// @param why empty: somebody did not want it to go on.
  void Interrupt(const std::string& why = "");

  /// The last event, in which terminal() is true, and the result. Once.
  TimelineResult Finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace orrery
