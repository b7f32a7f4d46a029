#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/system/pace.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery::cli {

/// The duration of a run, and its lag if it kept pace with the clock.
struct Course {
  double run_ms = 0;
  std::optional<LagReport> lag;
};

/// How a run has ended.
struct Ending {
  ExperimentStatus status = ExperimentStatus::kCompleted;
  std::string message;
  bool is_completed = false;
};

[[nodiscard]] Ending EndingOf(RunEnd outcome, const std::string& message);
[[nodiscard]] Ending EndingOf(const Summary& summary);

/// Prints the diagnostics of a run with equations, and its interruption.
void TellEnd(const RunCommand& command, const Summary& summary);

/// The run of a model of some kind: what differs between kinds in the script of
/// `CarryOutRun`, which calls these functions in this order.
class RunEngine {
 public:
  RunEngine() = default;
  RunEngine(const RunEngine&) = delete;
  RunEngine& operator=(const RunEngine&) = delete;
  virtual ~RunEngine() = default;

  /// Reads the texts of the command that need the model's file.
  virtual void ReadTexts(RunCommand& /*command*/) const {}

  /// Refuses options that mean nothing to this kind of model.
  virtual void CheckOptions(const RunCommand& /*command*/) const {}

  /// Makes the run, and checks the command against it.
  /// @param asked the command that is saved.
  /// @param command the same, with its texts read.
  virtual void Make(RunCommand& asked,
                    RunCommand& command,
                    const Plans& plans) = 0;

  /// The name of the model.
  [[nodiscard]] virtual const std::string& model() const = 0;

  /// The run as one in which somebody outside takes part.
  [[nodiscard]] virtual LiveRun& OpenLive(const RunCommand& command) = 0;

  /// True if the rows of such a run can be shown while it goes on.
  [[nodiscard]] virtual bool HasRowsMeanwhile(
      const RunCommand& /*command*/) const {
    return false;
  }

  /// Prints the head of the report, if `Make` has not.
  virtual void Announce(const RunCommand& /*command*/) const {}

  /// Names the experiment with which it keeps what it records as it runs.
  virtual void BeginRecords(SavedExperiment& /*saved*/) {}

  /// Carries out the run, and shows its progress.
  virtual void Run(const RunCommand& command) = 0;

  /// Carries out the run that `OpenLive` has returned.
  virtual void Run(LiveSession& session, SavedExperiment& saved) = 0;

  [[nodiscard]] virtual Ending ending() const = 0;

  /// Prints warnings, and why the run did not complete.
  virtual void TellEnd(const RunCommand& command) const = 0;

  /// The rows of the results.
  /// @param are_wanted they may be empty otherwise.
  [[nodiscard]] virtual const Trajectory& Rows(bool are_wanted) = 0;

  [[nodiscard]] virtual const EventLog& events() const;

  /// Keeps with the experiment what it has recorded beside rows and events.
  virtual void KeepRecords(const RunCommand& /*command*/,
                           SavedExperiment& /*saved*/) {}

  /// The report in JSON.
  [[nodiscard]] virtual std::string Json(const RunCommand& command,
                                         const Course& course) const = 0;

  /// The report as text.
  [[nodiscard]] virtual std::string Text(const Course& course) const = 0;

  /// Writes records other than rows.
  /// @returns the names of the files.
  [[nodiscard]] virtual std::vector<std::string> WriteRecords(
      const RunCommand& /*command*/) const {
    return {};
  }

  /// The run as a timeline, if this kind of model has one.
  [[nodiscard]] virtual std::optional<Timeline> AsTimeline(
      const Plans& /*plans*/) const {
    return std::nullopt;
  }

  /// The recorded resources.
  [[nodiscard]] virtual std::span<const process::Profile> profiles() const {
    return {};
  }
};

/// Prints the head of a report, unless the command is quiet or wants JSON.
void PrintHead(const RunCommand& command, const std::string& head);

/// Runs a model and reports: on the terminal, in the store, in files.
/// @returns the exit code.
/// @throws Error as the engine, MakePlans and LiveSession do.
int CarryOutRun(const RunCommand& given, RunEngine& engine);

}  // namespace orrery::cli
