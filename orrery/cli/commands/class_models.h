#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/cli/commands/commands.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery::cli {

// What commands for models that are classes share.

/// Options that mean something to models with equations only.
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
                                            "--sliding"};

/// To models with DEVS alone.
inline constexpr std::array kOfDevs = {"--replications",
                                       "--jobs",
                                       "--formalism",
                                       "--priority",
                                       "--messages",
                                       "--trace",
                                       "--observe"};

/// To models of tasks alone.
inline constexpr std::array kOfTasks = {
    "--plan", "--without", "--spans", "--event-log", "--timeline"};

/// @throws Error kInvalidArgument if one of `options` was given, which mean
///     something to `kind` only.
void RefuseGiven(const RunCommand& command,
                 std::span<const char* const> options,
                 const char* kind);

/// @throws Error kInvalidArgument for a condition at which a live run ends.
void CheckEndFits(const RunCommand& command);

/// Where spans and events go to, before the run.
/// @throws Error as CheckRecordFile.
void CheckRecordFiles(const TaskChoices& tasks);

/// What spans and events of a run were written to.
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

/// Draws to a file or, if that is empty, a text to be printed.
[[nodiscard]] std::string DrawTimeline(const std::string& file,
                                       const Timeline& timeline);

/// Lists cells, resources, or activities with their arguments.
void PrintCells(const ProcessModelParts& parts);
void PrintActivities(const ProcessModelParts& parts);

/// Asked now and then in a run from `start` on: shows where it is and, once the
/// user has interrupted it, says that it is not to go on. An InterruptGuard is
/// there meanwhile.
[[nodiscard]] std::function<bool(Duration, std::optional<Duration>)> Watched(
    ProgressBar& bar, Duration start = {});

/// Tells what is to be told of tasks that contradicted each other.
void TellWarnings(const RunCommand& command,
                  std::span<const std::string> warnings);

/// Tells which resources the files of a run lack, because they are texts.
void TellTexts(const RunCommand& command,
               std::span<const process::Profile> profiles);

/// Tells why a run did not complete, if so.
void TellEnd(const RunCommand& command,
             RunEnd outcome,
             const std::string& message);

/// The names on the vertical axes of plots.
[[nodiscard]] std::vector<std::string> PlottedNames(const PlotSpec& spec);

/// Says which files were written.
void TellWritten(const RunCommand& command,
                 const std::vector<std::string>& written);

}  // namespace orrery::cli
