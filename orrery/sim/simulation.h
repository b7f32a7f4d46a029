#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/program/program.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/options.h"
#include "orrery/sim/summary.h"

namespace orrery {

/// Where a run is.
struct Progress {
  double start = 0;
  double t = 0;
  double stop = 0;
  std::int64_t steps = 0;
};

/// Called after every step; false ends the run there.
using Observer = std::function<bool(const Progress&)>;

/// What a run leaves.
struct RunResult {
  Trajectory trajectory;  ///< Up to where the run ended.
  EventLog events;
  Summary summary;

  /// A recorded signal.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] Signal operator[](std::string_view name) const {
    return trajectory[name];
  }

  /// The trajectory, for who does not look at the summary.
  /// @throws Error kInvalidModel with the summary's diagnostics unless the run
  ///     was completed.
  // NOLINTNEXTLINE(google-explicit-constructor): `Trajectory r = Simulate(...)`
  operator Trajectory() const;
};

/// The signals that a run with these options records, to check names before it.
/// @throws Error kInvalidArgument for a pattern of `record` that fits no name.
[[nodiscard]] std::shared_ptr<const SignalTable> RecordedSignals(
    const Program& program, const SimulationOptions& options = {});

/// Checks the settings of a run before it.
/// @returns warnings: what would not do what its author may expect of it.
/// @throws Error kInvalidArgument for an unknown name or one that cannot be
///     set.
[[nodiscard]] std::vector<Diagnostic> CheckSettings(
    const Program& program, std::span<const Setting> settings);

/// A part of what a run has recorded. Plain data.
struct NewRows {
  Trajectory rows;
  bool are_all = false;  ///< From the start of the run on.
};

/// A part of the events of a run. Plain data.
struct NewEvents {
  EventLog events;
  bool are_all = false;  ///< From the start of the run on.
};

/// Checks all options of a run before it.
/// @throws Error as Simulate, CheckTimes and CheckSteps.
void CheckOptions(const Program& program, const SimulationOptions& options);

/// Warnings: where the table of inputs does not reach to an end of the run, and
/// what is held there would have gone on moving.
/// @throws Error as Resolve, and for a table that does not fit.
[[nodiscard]] std::vector<Diagnostic> WhereInputsAreHeld(
    const Program& program, const SimulationOptions& options);

/// Runs `program` from its initial values to the stop time.
///
/// Between two times at which the equations are known to change (time
/// relations, jumps of inputs) they are smooth and integrated as one piece; at
/// such a time both limits are recorded, as two rows. The nodes of the table
/// of inputs limit the steps, so that no step passes over a kink. The stop time
/// is hit exactly.
///
/// In the last event, at the stop time, terminal() is true. What would change
/// just after it, as `time > 1` at 1 s, has not changed yet.
///
/// A run is determined by its program and options, bit for bit. Any number of
/// runs may share a program, from any threads.
///
/// @throws Error kInvalidArgument for an option out of range, an unknown name
///     or one that cannot be set. How a run ends is never thrown: see Summary.
[[nodiscard]] RunResult Simulate(const std::shared_ptr<const Program>& program,
                                 const SimulationOptions& options = {},
                                 const Observer& observer = {});

/// A run that is taken as far as one likes and goes on from there.
///
///     Simulator simulator(program, {.tolerance = 1e-9});
///     simulator.RunUntil(5.5);
///     simulator.RunUntil(10);
///     RunResult result = simulator.Finish();
///
/// or a step at a time:
///
///     while (simulator.Step(10) && simulator["tank.level"] < 0.8) {
///     }
///
/// What it does up to a time is what `Simulate` does up to that stop time, and
/// it then sees what changes just after, as `time > 3` at 3 s; what follows
/// differs from a run in one go by the step that ends there, within the
/// tolerance. The stop time in its options only gives defaults (see
/// SimulationOptions).
class Simulator {
 public:
  /// Finds the initial values and completes the instant of the start.
  /// @throws Error kInvalidArgument as `Simulate` does.
  explicit Simulator(std::shared_ptr<const Program> program,
                     const SimulationOptions& options = {});
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  /// Where it is, s.
  [[nodiscard]] double t() const noexcept;

  /// Whether it cannot go on; the summary says why.
  [[nodiscard]] bool has_ended() const noexcept;

  /// The value of a quantity at `t()`: at an event the right limit.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const;

  /// All values at `t()`: a copy is a snapshot.
  [[nodiscard]] const Context& context() const noexcept;

  /// One step of the solver towards `limit`, which is hit exactly, or up to an
  /// event before it, which is completed.
  /// @returns whether there is more to do before `limit`.
  /// @throws Error kInvalidArgument for a time that is not finite, as the two
  ///     below; nothing has changed then.
  bool Step(Seconds limit);

  /// Goes on to `t` and completes that instant.
  /// @returns whether it got there.
  bool RunUntil(Seconds t);

  /// Goes on to `t` by the steps that the solver would take to the stop time if
  /// nobody asked; with delays or sliding motions a step ends there.
  /// Nothing is recorded there, and what is due at `t` is left to the next
  /// call.
  /// @returns whether it got there.
  bool AdvanceTo(Seconds t);

  /// New values of parameters and inputs from `t()` on: an event, which is
  /// completed and stands in the log of events if there is anything new; what
  /// is due at `t()` anyway takes place in it. What parameters follow from
  /// these changes, too; signals of parameters that have changed are discrete
  /// ones.
  /// @returns whether the run can go on.
  /// @throws Error kInvalidArgument for an unknown name, what is no parameter
  /// or
  ///     input, what shaped the equations, was final or gives times of clocks
  ///     or delays, and a value that the model does not allow: then nothing has
  ///     changed.
  bool Set(std::span<const Setting> settings);

  /// Ends the run at `t()`: its outcome is that somebody asked for that.
  void Interrupt();

  /// What was recorded so far; the run may go on.
  [[nodiscard]] RunResult Result() const;

  /// What was recorded since this was called last, but for a last row that may
  /// be another one when the run goes on: for who stores it as it goes. The
  /// first call gives all; so does one after a parameter was set that did not
  /// vary before.
  [[nodiscard]] NewRows TakeNewRows();

  /// The events since this was called last. The first call gives all; so does
  /// one after events that were given have been taken back.
  [[nodiscard]] NewEvents TakeNewEvents();

  /// Records where it is; the last event, in which terminal() is true, and the
  /// result.
  RunResult Finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace orrery
