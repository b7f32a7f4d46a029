#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/stepping/communication_points.h"
#include "orrery/fmi/system/system_description.h"
#include "orrery/fmi/system/system_members.h"

namespace orrery::fmi {

/// A run of a system of FMUs by Co-Simulation. At each communication point all
/// outputs are read, and inputs set from them: each FMU then goes on to the
/// next point with these inputs (Jacobi's method, an error of order 1). Start
/// values are iterated until no signal changes.
class SystemRun {
 public:
  /// Checks all options, and loads the code of all components.
  /// @param options `inputs` are not taken; settings name `component.variable`.
  /// @param diagnostics gets parameters without target.
  /// @throws Error as Library, ReadSettings and CommunicationPoints;
  ///     kInvalidModel for connections that do not fit.
  SystemRun(SystemDescription system,
            const CoSimulationOptions& options,
            Diagnostics& diagnostics);
  ~SystemRun();
  SystemRun(const SystemRun&) = delete;
  SystemRun& operator=(const SystemRun&) = delete;

  [[nodiscard]] const std::string& name() const noexcept {
    return system_.name;
  }

  [[nodiscard]] const std::shared_ptr<const SignalTable>& signals()
      const noexcept {
    return table_;
  }

  [[nodiscard]] double step() const noexcept { return points_.step(); }

  /// Carries out the run. A failure of an FMU is an outcome: results up to
  /// there are kept.
  [[nodiscard]] RunResult Run(const Observer& observer = {});

  /// Of the last run, by component.
  [[nodiscard]] const std::vector<FmuStatistics>& statistics() const noexcept {
    return statistics_;
  }

 private:
  class OneRun;

  void ChooseTimes(const CoSimulationOptions& options);
  void MakeTable(const std::vector<std::string>& patterns);

  SystemDescription system_;
  SystemMembers members_;
  std::vector<SystemLink> links_;
  std::shared_ptr<const SignalTable> table_;
  RunTimes times_;
  CommunicationPoints points_;
  const WallClock* clock_;
  std::vector<FmuStatistics> statistics_;
};

}  // namespace orrery::fmi
