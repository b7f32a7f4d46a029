#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"
#include "orrery/process/simulator.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/classes/process_model.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery {

/// How a model of tasks is to be run. Plain data.
struct ProcessRunOptions {
  std::vector<ParameterText> settings;
  /// In the time of the plan. Default: the plan's, else 0 s.
  std::optional<Duration> start;
  /// Default: the plan's, else the model's own, else when nothing is due any
  /// more.
  std::optional<Duration> stop;
  /// Ends the run where it comes to hold: a condition in Modelica's notation
  /// over `time` and the resources that are numbers or truths, as they are at
  /// the end of each instant and go on from there. Empty for none.
  std::string until;
  /// Seed, bounds and what is kept. Profiles are kept in any case, and the
  /// start is the one above.
  process::Options engine;
  std::shared_ptr<const SourceFile> plan;  ///< See ReadPlan; null for none.
  /// Ids of activities of the plan that are left out, with all that come after
  /// or with them.
  std::vector<std::string> without;
};

/// What a model consists of.
struct ProcessModelSize {
  std::size_t cells = 0;
  std::size_t resources = 0;
  std::size_t activities = 0;  ///< Types.

  friend bool operator==(const ProcessModelSize&,
                         const ProcessModelSize&) = default;
};

/// @throws Error kInvalidModel for a resource called `time`, as the time of a
///     trajectory is.
[[nodiscard]] ProcessModelSize SizeOf(const process::Model& root);

/// The same by their paths.
struct ProcessModelParts {
  struct Resource {
    std::string path;
    std::string unit;  ///< May be empty.
  };

  struct Activity {
    std::string path;
    std::string meaning;
    std::vector<ParameterInfo> arguments;
  };

  std::vector<std::string> cells;
  std::vector<Resource> resources;
  std::vector<Activity> activities;
};

/// @throws Error kInvalidModel if a type of activities cannot tell what
///     arguments it takes.
[[nodiscard]] ProcessModelParts PartsOf(const process::Model& root);

/// What a run leaves, beside its recording.
struct ProcessRunResult {
  /// What a run comes to.
  struct Value {
    std::string name;
    Record::Value value;
    std::string unit;  ///< May be empty.
  };

  RunEnd outcome = RunEnd::kCompleted;
  std::string message;  ///< Why it did not complete; else empty.
  Duration end{};       ///< Reached.
  std::uint64_t seed = 0;
  process::Statistics statistics;
  /// The resources at the end, then the model's results.
  std::vector<Value> values;
  std::vector<std::string> warnings;  ///< Of conflicts.
  /// Tasks that wait without a time, at the end.
  std::vector<process::WaitingTask> waiting;
};

/// A run of a model of tasks that is made for it.
class ProcessRun {
 public:
  /// Where a run is. @returns whether it is to go on.
  using Watch = std::function<bool(Duration now, std::optional<Duration> stop)>;

  /// Makes the model and reads the plan.
  /// @throws Error as `ProcessModel::Make`, `ReadPlan` and `process::Simulator`
  ///     do; kInvalidArgument for a stop time before the start, a condition
  ///     over what there is not, and an activity to be left out that is not in
  ///     the plan; kInvalidModel for a resource called `time`, as the time of a
  ///     trajectory is.
  ProcessRun(const ProcessModel& model, ProcessRunOptions options);
  ~ProcessRun();
  ProcessRun(const ProcessRun&) = delete;
  ProcessRun& operator=(const ProcessRun&) = delete;

  [[nodiscard]] const process::Model& root() const noexcept { return *root_; }

  [[nodiscard]] const std::string& model_name() const noexcept {
    return model_.name();
  }

  [[nodiscard]] const Parameters& parameters() const noexcept {
    return parameters_;
  }

  [[nodiscard]] const ProcessModelSize& size() const noexcept { return size_; }

  /// The paths of the resources.
  [[nodiscard]] std::vector<std::string> resources() const;

  /// The activities of the plan.
  [[nodiscard]] std::size_t num_planned() const noexcept {
    return num_planned_;
  }

  /// Of those that it leaves out: see FindLeftOut.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept {
    return warnings_;
  }

  [[nodiscard]] Duration start() const noexcept {
    return options_.engine.start;
  }

  /// Where it ends; none: when nothing is due any more.
  [[nodiscard]] std::optional<Duration> stop() const noexcept { return stop_; }

  /// What is kept of it so far.
  [[nodiscard]] const process::Recording& recording() const noexcept {
    return simulator_->recording();
  }

  /// Carries it out, once.
  /// @param watch is asked now and then; may be empty.
  /// @throws Error kInvalidArgument if it has run already. What a model does
  ///     wrong is told in the result.
  [[nodiscard]] ProcessRunResult Run(const Watch& watch = {});

  /// For who carries it on himself, up to Finish().
  [[nodiscard]] process::Simulator& simulator() noexcept { return *simulator_; }

  /// What it leaves where it is, once.
  /// @param message why it did not complete.
  /// @throws Error kInvalidArgument if it has run already.
  [[nodiscard]] ProcessRunResult Finish(RunEnd outcome,
                                        const std::string& message);

 private:
  class End;

  void CheckHasNotRun() const;
  void AddValues(ProcessRunResult& result) const;

  ProcessModel model_;
  ProcessRunOptions options_;
  Parameters parameters_;
  std::unique_ptr<process::Model> root_;
  ProcessModelSize size_;
  std::size_t num_planned_ = 0;
  std::vector<Diagnostic> warnings_;
  std::optional<Duration> stop_;
  std::optional<process::Simulator> simulator_;
  std::unique_ptr<End> end_;  // Null if there is no condition.
  bool has_run_ = false;
};

/// Profiles as signals over time, from `start` to `end`: numbers and truths (0
/// or 1), without texts. A time at which one jumps has two rows, its left limit
/// and its right limit. Lines are exact between the rows; along a curve there
/// are so many rows that lines between them are off by at most 1e-4 of what it
/// moves, but no more than a thousand a piece.
/// @throws Error kInvalidArgument for profiles without or with the same names.
[[nodiscard]] Trajectory ToTrajectory(
    std::span<const process::Profile> profiles, Duration start, Duration end);

/// The names of the profiles that hold texts: a Trajectory does not have them.
[[nodiscard]] std::vector<std::string> TextProfiles(
    std::span<const process::Profile> profiles);

/// The times of tasks as a file: .csv or .json, a row or object each with
/// `span` (its number), `parent`, `name`, `begin`, `end` (both in seconds; the
/// end of an open one is empty or null), `state` and `attributes`. The file
/// appears whole or not at all.
/// @throws Error kInvalidArgument for another ending, kIo if the file cannot be
///     written.
void WriteSpans(const std::string& path, std::span<const process::Span> spans);

/// The graph of events of a run as a file: .csv or .json, a row or object for
/// each with `time` in seconds, `microstep`, `level`, `join`, `source`, `task`
/// and `fields`: see process::EventRow.
/// @throws Error as WriteSpans.
void WriteEvents(const std::string& path, const process::EventLog& events);

/// The same of commits that were kept of a run.
void WriteEvents(const std::string& path,
                 std::span<const process::Commit> commits);

/// Finds out whether either can be written; nothing is changed.
/// @throws Error as they do.
void CheckRecordFile(const std::string& path);

/// "open", "completed", "failed" or "cancelled".
[[nodiscard]] std::string_view Describe(process::SpanEnd end) noexcept;

}  // namespace orrery
