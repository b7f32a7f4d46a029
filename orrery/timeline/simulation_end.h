#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/time.h"
#include "orrery/process/simulator.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/types/summary.h"
#include "orrery/timeline/timeline.h"

/// The end of a run on one timeline, and its results.
namespace orrery::timeline::internal {

/// The end of a run if something beside the equations ends it.
class SimulationEnd {
 public:
  [[nodiscard]] bool is_there() const noexcept {
    return outcome_ != RunOutcome::kCompleted;
  }

  /// Ends the run because of an error.
  void Fail(RunOutcome outcome, const std::string& message);

  /// Ends the run because somebody asked for it.
  void Interrupt(const std::string& message);

  /// Puts it into the summary of equations that did not end the run.
  void AddTo(Summary& summary) const;

 private:
  RunOutcome outcome_ = RunOutcome::kCompleted;
  std::string message_;
  std::vector<Diagnostic> diagnostics_;
};

/// The connections that a run used last.
class RecentLinks {
 public:
  void Note(std::size_t link) noexcept {
    links_[num_noted_++ % links_.size()] = link;
  }

  /// Their names, sorted, each once.
  [[nodiscard]] std::vector<std::string> NamesIn(
      const std::vector<std::string>& names) const;

 private:
  std::array<std::size_t, 32> links_{};  // A ring.
  std::size_t num_noted_ = 0;
};

/// Describes an instant with too many microsteps, by the connections used last.
[[nodiscard]] std::string DescribeEndless(
    int microsteps, Duration now, const std::vector<std::string>& links);

/// Describes a run that has no end.
[[nodiscard]] std::string DescribeWithoutEnd(std::int64_t instants,
                                             Duration now);

/// Takes the results of the equations.
void AddResultsOf(sim::internal::ProgramRun& equations, TimelineResult& result);

/// Takes the results of the tasks. The log of events belongs to their run.
void AddResultsOf(process::Simulator& tasks,
                  Duration now,
                  TimelineResult& result);

}  // namespace orrery::timeline::internal
