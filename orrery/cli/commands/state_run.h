#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/saved_run_file.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// A run that goes on from a saved state, is saved itself, or both.
class StateRun {
 public:
  /// Reads the state to go on from, and completes the command by it: what
  /// determines the run comes from there. Settings of the command are changes
  /// at the time of the state.
  /// @throws Error kInvalidArgument for options that exclude each other or that
  ///     the state determines, kIo, kInvalidModel for a file that cannot be
  ///     read.
  explicit StateRun(RunCommand& command);

  /// Sets the stop time, when the model is known.
  /// @throws Error kInvalidArgument for times that are not in order.
  void Complete(const Program& program, RunCommand& command);

  /// Carries it out.
  /// @throws Error as Simulator does.
  [[nodiscard]] RunResult Run(const std::shared_ptr<const Program>& program,
                              const SimulationOptions& options,
                              const Observer& observer);

  /// True if it has written the state.
  [[nodiscard]] bool has_saved() const noexcept { return has_saved_; }

 private:
  void Save(Simulator& run);

  StateChoices choices_;
  std::optional<SavedRun> from_;
  std::vector<Setting> changes_;
  double stop_ = 0;
  bool has_saved_ = false;
  std::vector<Diagnostic> notes_;
};

}  // namespace orrery::cli
