#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/program/program.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/saved_run.h"
#include "orrery/sim/types/options.h"
#include "orrery/sim/types/run_result.h"
#include "orrery/sim/types/summary.h"

namespace orrery {

/// The progress of a run.
struct Progress {
  double start = 0;
  double t = 0;
  double stop = 0;
  std::int64_t steps = 0;
};

/// Called after every step; false ends the run there.
using Observer = std::function<bool(const Progress&)>;

/// The signals that a run with these options records, to check names before it.
/// @throws Error kInvalidArgument for a pattern of `record` that fits no name.
[[nodiscard]] std::shared_ptr<const SignalTable> RecordedSignals(
    const Program& program, const SimulationOptions& options = {});

/// Checks the settings of a run early.
/// @returns warnings about settings without the expected effect.
/// @throws Error kInvalidArgument for an unknown name or one that cannot be
///     set.
[[nodiscard]] std::vector<Diagnostic> CheckSettings(
    const Program& program, std::span<const Setting> settings);

/// Checks all options of a run before it.
/// @throws Error as Simulate, CheckTimes and CheckSteps.
void CheckOptions(const Program& program, const SimulationOptions& options);

/// Warns if the run goes beyond an end of the table of inputs at which inputs
/// were changing.
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
/// In the last event, at the stop time, terminal() is true. Relations that
/// change just after it, as `time > 1` at 1 s, have not changed yet.
///
/// A run is determined by its program and options, bit for bit. Any number of
/// runs may share a program, from any threads.
///
/// @throws Error kInvalidArgument for an option out of range, an unknown name
///     or one that cannot be set. How a run ends is never thrown: see Summary.
[[nodiscard]] RunResult Simulate(const std::shared_ptr<const Program>& program,
                                 const SimulationOptions& options = {},
                                 const Observer& observer = {});

/// A run that advances in pieces.
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
/// Up to a time, it gives the results of `Simulate` with that stop time; then
/// it sees changes just after it, as `time > 3` at 3 s. Later results differ
/// from a run in one go by the effect of the step that ends there, within the
/// tolerance. The stop time in its options only gives defaults (see
/// SimulationOptions).
class Simulator {
 public:
  /// Finds the initial values and completes the instant of the start.
  /// @throws Error kInvalidArgument as `Simulate` does.
  explicit Simulator(std::shared_ptr<const Program> program,
                     const SimulationOptions& options = {});

  /// Continues a saved run, bit for bit, from a row at its time on.
  /// @param options give inputs and what is recorded: see OptionsToContinue.
  /// @throws Error kInvalidArgument for a run of another program, kInvalidModel
  ///     for a damaged one, and as `Simulate` does.
  Simulator(std::shared_ptr<const Program> program,
            const SavedRun& saved,
            const SimulationOptions& options = {});
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  /// The present time, s.
  [[nodiscard]] double t() const noexcept;

  /// True if the run cannot go on; the summary says why.
  [[nodiscard]] bool has_ended() const noexcept;

  /// The value of a quantity at `t()`: at an event the right limit.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const;

  /// All values at `t()`: a copy is a snapshot.
  [[nodiscard]] const Context& context() const noexcept;

  /// Takes one step of the solver towards `limit`, which is hit exactly, or to
  /// an event before it, which is completed.
  /// @returns true if there is more to do before `limit`.
  /// @throws Error kInvalidArgument for a time that is not finite, as the two
  ///     below; nothing has changed then.
  bool Step(Seconds limit);

  /// Goes on to `t` and completes that instant.
  /// @returns whether it got there.
  bool RunUntil(Seconds t);

  /// Goes on to `t` by the steps that the solver would take to the stop time;
  /// with delays or sliding motions a step ends there. Nothing is recorded
  /// there, and events that are due at `t` are left to the next call.
  /// @returns true if it got there.
  bool AdvanceTo(Seconds t);

  /// The state of the run as bytes: values, events, inputs, delays, integrator.
  /// The run is as before, to the last bit.
  /// @throws Error kInvalidArgument for a run that has ended; kUnsupported for
  ///     one with sensitivities, with an FMU as a part, or that slides along a
  ///     switching surface at `t()`.
  [[nodiscard]] std::string Save() const;

  /// Goes back, or on, to a state of this run, or of one of the same program
  /// with the same options. It then goes on as from there before, bit for bit;
  /// the methods cvode, adams and ida, which have a history, begin anew there.
  /// Results begin with a row there.
  /// @throws Error kInvalidModel for a state that does not fit; only
  ///     destruction and another call are allowed then.
  void Restore(std::string_view state);

  /// The run at `t()` with all that determines it, to continue it in another
  /// Simulator or process.
  /// @throws Error as Save.
  [[nodiscard]] SavedRun SaveRun() const;

  /// Sets parameters and inputs from `t()` on, in an event, which is completed
  /// and logged if any value is new. Whatever is due at `t()` takes place in
  /// it. Parameters that depend on those change, too. Signals of parameters
  /// that have changed are discrete ones.
  /// @returns true if the run can go on.
  /// @throws Error kInvalidArgument for an unknown name, a quantity that is no
  ///     parameter or input, one that shaped the equations, was final or gives
  ///     times of clocks or delays, and a value that the model does not allow:
  ///     then nothing has changed.
  bool Set(std::span<const Setting> settings);

  /// Ends the run at `t()` as interrupted.
  void Interrupt();

  /// The results so far; the run may go on.
  [[nodiscard]] RunResult Result() const;

  /// The rows since the last call without the last one, which may be replaced
  /// when the run goes on: for storing a run as it goes. The first call gives
  /// all rows; so does one after a parameter began to vary.
  [[nodiscard]] NewRows TakeNewRows();

  /// The events since the last call. The first call gives all; so does one
  /// after events that were given have been taken back.
  [[nodiscard]] NewEvents TakeNewEvents();

  /// Records a row at `t()`, carries out the last event, in which terminal() is
  /// true, and gives the result.
  RunResult Finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace orrery
