#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/fmi/clocks/clock_times.h"
#include "orrery/fmi/clocks/running_clocks.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/instance.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/settings.h"
#include "orrery/fmi/stepping/communication_points.h"
#include "orrery/fmi/stepping/stepped_fmu.h"
#include "orrery/results/table.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {

/// Options of a run by Co-Simulation. Those that are not given come from the
/// FMU's experiment, then from the defaults named here. Plain data.
struct CoSimulationOptions {
  std::optional<Seconds> start;  ///< Default 0.
  std::optional<Seconds> stop;   ///< Default `start` + 1 s.
  /// Time between two communication points. Default (stop - start) / 500.
  std::optional<Seconds> step;
  std::optional<double> tolerance;  ///< Default: the FMU's own.
  std::vector<ParameterText> settings;
  /// Inputs over time, as in SimulationOptions.
  std::shared_ptr<const Table> inputs;
  /// Patterns of the names to be recorded; empty for all.
  std::vector<std::string> record;
  /// Measures the time of each FMU's code; null: it is not measured. Must
  /// outlive the runs.
  const WallClock* clock = nullptr;
};

/// Variables of clocks, for one call; they can be set and read only while one
/// of the clocks is active.
struct ClockedGroup {
  std::vector<VariableIndex> clocks;
  ReferenceGroup group;
};

/// Values of inputs over time.
class InputCourse {
 public:
  /// @throws Error kInvalidArgument for a column that is no input, or values
  ///     that do not fit it.
  InputCourse(const Description& description,
              std::shared_ptr<const Table> table);

  /// Continuous inputs.
  [[nodiscard]] const std::vector<ReferenceGroup>& continuous() const noexcept {
    return continuous_;
  }

  /// Inputs that jump.
  [[nodiscard]] const std::vector<ReferenceGroup>& discrete() const noexcept {
    return discrete_;
  }

  /// Inputs that are taken when clocks tick.
  [[nodiscard]] const std::vector<ClockedGroup>& clocked() const noexcept {
    return clocked_;
  }

  /// The values at time `t`, for all groups: continuous inputs between rows of
  /// the table, others as of the last row.
  [[nodiscard]] const std::vector<double>& At(double t);

  /// True if an input that jumps has other values at `t` than at the last call
  /// of `At`.
  [[nodiscard]] bool JumpsAt(double t) const;

 private:
  struct Column {
    std::size_t place = 0;
    bool is_continuous = false;
    bool is_clocked = false;
    const std::vector<double>* values = nullptr;
  };

  void AddColumn(const Description& description,
                 const TableColumn& column,
                 std::vector<VariableIndex>& variables,
                 std::vector<std::size_t>& places);

  std::shared_ptr<const Table> table_;
  std::vector<Column> columns_;
  // The last row at or before t, as a count of those up to it.
  [[nodiscard]] std::size_t RowsUpTo(double t) const;

  std::vector<ReferenceGroup> continuous_;
  std::vector<ReferenceGroup> discrete_;
  std::vector<ClockedGroup> clocked_;
  std::vector<double> row_;
};

/// Variables that a run records, and where their numbers come from.
struct RecordedVariables {
  std::shared_ptr<const SignalTable> table;
  std::vector<ReferenceGroup> varying;    ///< Into the columns of the table.
  std::vector<ClockedGroup> clocked;      ///< Likewise.
  std::vector<std::size_t> real_outputs;  ///< Columns of these.
  std::vector<ReferenceGroup> constants;  ///< Into a row of their own.
  std::size_t num_constants = 0;          ///< Numbers in that row.

  /// A signal, and the place of its value in that row.
  struct Constant {
    std::size_t signal = 0;
    std::size_t place = 0;
  };

  std::vector<Constant> constant_signals;

  /// A clock that the FMU lets tick, of `ToldClocksOf`, and the column of the
  /// count of its ticks.
  struct TickCount {
    std::size_t clock = 0;
    std::size_t column = 0;
  };

  std::vector<TickCount> tick_counts;
};

/// All numbers of an FMU whose names fit one of the patterns.
/// @throws Error kInvalidArgument for a pattern that fits no name.
[[nodiscard]] RecordedVariables RecordedOf(
    const Description& description, const std::vector<std::string>& patterns);

/// A run of one FMU by Co-Simulation (FMI 2.0.5, chapter 4; 3.0.2, chapter 4):
/// it is called from one communication point to the next, with inputs as of the
/// beginning of each step. Communication point k is start + k*step, rounded
/// once. A row is recorded at each of them.
///
/// Input clocks tick at their own times: a step ends there. A table of inputs
/// makes triggered clocks tick: in rows in which their column is 1. Clocks of
/// the FMU are recorded as counts of their ticks.
class CoSimulation {
 public:
  /// Checks all options, and loads the FMU's code.
  /// @throws Error as Library and ReadSettings; kInvalidArgument for options
  ///     that do not fit; kUnsupported for an FMU with clocks and without event
  ///     mode.
  CoSimulation(const Fmu& fmu, const CoSimulationOptions& options);

  [[nodiscard]] const Fmu& fmu() const noexcept { return library_->fmu(); }

  [[nodiscard]] const std::shared_ptr<const SignalTable>& signals()
      const noexcept {
    return recorded_.table;
  }

  [[nodiscard]] const RunTimes& times() const noexcept { return times_; }

  [[nodiscard]] double step() const noexcept { return points_.step(); }

  /// Replaces all settings, for the next run; sizes of arrays stay.
  /// @throws Error as ReadSettings.
  void Set(std::span<const ParameterText> texts);

  /// Carries out the run, by an instance of its own. A failure of the FMU is an
  /// outcome: results up to there are kept.
  /// @throws Error as MakeInstance.
  [[nodiscard]] RunResult Run(const Observer& observer = {});

  /// Of the last run.
  [[nodiscard]] const FmuStatistics& statistics() const noexcept {
    return statistics_;
  }

 private:
  class OneRun;

  void ChooseTimes(const CoSimulationOptions& options);

  [[nodiscard]] const Description& description() const noexcept {
    return *fmu().description;
  }

  std::shared_ptr<const Library> library_;
  RunTimes times_;
  CommunicationPoints points_;
  std::vector<FmuSetting> settings_;
  RecordedVariables recorded_;
  std::vector<InputClock> clocks_;
  std::optional<InputCourse> inputs_;
  const WallClock* clock_;
  FmuStatistics statistics_;
};

}  // namespace orrery::fmi
