#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "orrery/fmi/clocks/clock_times.h"
#include "orrery/fmi/stepping/co_simulation.h"

namespace orrery::fmi {

/// A run of one FMU by Scheduled Execution (FMI 3.0.2, chapter 5): its
/// partitions are carried out when their clocks tick. Of clocks that tick at
/// one time, that with the least priority number comes first. A table of inputs
/// makes triggered clocks tick: in rows in which their column is 1. A row is
/// recorded at the start, and at each time after all that ticks there; output
/// clocks are recorded as counts of their ticks.
class ScheduledRun {
 public:
  /// Checks all options, and loads the FMU's code.
  /// @throws Error as Library, ReadSettings and InputCourse; kInvalidArgument
  ///     for times that do not fit, and clocks without an interval.
  ScheduledRun(const Fmu& fmu, const CoSimulationOptions& options);

  [[nodiscard]] const Fmu& fmu() const noexcept { return library_->fmu(); }

  [[nodiscard]] const std::shared_ptr<const SignalTable>& signals()
      const noexcept {
    return recorded_.table;
  }

  /// Carries out the run, by an instance of its own. A failure of the FMU is an
  /// outcome: results up to there are kept.
  /// @throws Error as MakeInstance.
  [[nodiscard]] RunResult Run(const Observer& observer = {});

 private:
  class OneRun;

  std::shared_ptr<const Library> library_;
  RunTimes times_;
  std::vector<FmuSetting> settings_;
  RecordedVariables recorded_;
  std::vector<InputClock> clocks_;   // By priority.
  std::vector<VariableIndex> told_;  // Of the FMU.
  std::optional<InputCourse> inputs_;
};

}  // namespace orrery::fmi
