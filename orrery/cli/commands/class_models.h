#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery::cli {

// Functions that the commands for models that are classes share.

/// Options that concern only models with equations.
inline constexpr std::array kOfEquations = {"--interval",
                                            "--step",
                                            "--tolerance",
                                            "--absolute-tolerance",
                                            "--solver",
                                            "--output-times",
                                            "--step-times",
                                            "--events",
                                            "--max-consecutive-events",
                                            "--sensitivity",
                                            "--record",
                                            "--protected",
                                            "--sliding",
                                            "--save-state",
                                            "--save-at",
                                            "--from-state"};

/// Options that concern only DEVS models.
inline constexpr std::array kOfDevs = {"--replications",
                                       "--jobs",
                                       "--formalism",
                                       "--priority",
                                       "--messages",
                                       "--trace",
                                       "--keep-trace",
                                       "--observe"};

/// Options that concern only models of tasks.
inline constexpr std::array kOfTasks = {"--plan",
                                        "--without",
                                        "--spans",
                                        "--event-log",
                                        "--timeline",
                                        "--resident"};

/// @throws Error kInvalidArgument if one of `options` was given, which mean
///     something to `kind` only.
void RefuseGiven(const RunCommand& command,
                 std::span<const char* const> options,
                 const char* kind);

/// @throws Error kInvalidArgument if the command has an end condition and the
///     run is live.
void CheckEndFits(const RunCommand& command);

/// Checks the destinations of spans and events before the run.
/// @throws Error as CheckRecordFile.
void CheckRecordFiles(const TaskChoices& tasks);

/// Writes the spans and events of a run, and returns the names of the files.
template <typename Events>
[[nodiscard]] std::vector<std::string> WriteRecords(
    const TaskChoices& tasks,
    std::span<const process::Span> spans,
    const Events& events) {
  std::vector<std::string> written;
  if (!tasks.spans.empty()) {
    WriteSpans(tasks.spans, spans);
    written.push_back(tasks.spans);
  }
  if (!tasks.event_log.empty()) {
    WriteEvents(tasks.event_log, events);
    written.push_back(tasks.event_log);
  }
  return written;
}

/// Keeps the spans of tasks with the experiment, for a program that watches the
/// run and shows them.
void KeepSpans(const RunCommand& command,
               std::span<const process::Span> spans,
               SavedExperiment& saved);

/// Lists cells, resources, or activities with their arguments.
void PrintCells(const ProcessModelParts& parts);
void PrintActivities(const ProcessModelParts& parts);

/// Prints when the model ends by itself, and its parameters; nothing of what it
/// does not have.
void PrintEndAndParameters(const std::optional<Duration>& stop,
                           std::span<const ParameterInfo> parameters);

/// Prints the number of activities in a plan that was checked; nothing without
/// a plan.
void PrintPlan(const std::string& plan, std::size_t planned);

/// Returns a function that a run from `start` on calls now and then. It shows
/// the progress, and returns false once the user has interrupted the run. An
/// InterruptGuard must exist meanwhile.
[[nodiscard]] std::function<bool(Duration, std::optional<Duration>)> Watched(
    ProgressBar& bar, Duration start = {});

/// Prints the warnings about tasks that contradicted each other.
void TellWarnings(const RunCommand& command,
                  std::span<const std::string> warnings);

/// Prints the resources that the files of a run lack because they are texts.
void TellTexts(const RunCommand& command,
               std::span<const process::Profile> profiles);

/// Prints why a run did not complete, if it did not.
void TellEnd(const RunCommand& command,
             RunEnd outcome,
             const std::string& message);

/// The names on the vertical axes of plots.
[[nodiscard]] std::vector<std::string> PlottedNames(const PlotSpec& spec);

/// Prints the names of the files that were written.
void TellWritten(const RunCommand& command,
                 const std::vector<std::string>& written);

/// Runs a model that is a class and reports. Names and files are checked before
/// the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int Run(const RunCommand& command, const ClassModel& model);

/// Says what a model that is a class consists of.
int Check(const CheckCommand& asked, const ClassModel& model);

}  // namespace orrery::cli
