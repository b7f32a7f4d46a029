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
#include "orrery/sdk/runs/record_files.h"  // IWYU pragma: export
#include "orrery/sdk/runs/run_end.h"

namespace orrery {

/// The options of a run of a model of tasks. Plain data.
struct ProcessRunOptions {
  std::vector<ParameterText> settings;
  /// In the time of the plan. Default: the plan's, else 0 s.
  std::optional<Duration> start;
  /// Default: the plan's, else the model's own, else the time when nothing is
  /// due any more.
  std::optional<Duration> stop;
  /// A condition that ends the run as soon as it holds, in Modelica's notation,
  /// over `time` and the resources that are numbers or Booleans. It uses their
  /// values at the end of each instant and their continuation. Empty for none.
  std::string until;
  /// Seed, limits and recorded data. Profiles are always recorded, and the
  /// start is the one above.
  process::Options engine;
  std::shared_ptr<const SourceFile> plan;  ///< See ReadPlan; null for none.
  /// Ids of activities of the plan that are left out, with all that come after
  /// or with them.
  std::vector<std::string> without;
};

/// The size of a model.
struct ProcessModelSize {
  std::size_t cells = 0;
  std::size_t resources = 0;
  std::size_t activities = 0;  ///< Types.

  friend bool operator==(const ProcessModelSize&,
                         const ProcessModelSize&) = default;
};

/// @throws Error kInvalidModel for a resource called `time`, which is the name
///     of the time of a trajectory.
[[nodiscard]] ProcessModelSize SizeOf(const process::Model& root);

/// The parts of a model, by their paths.
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

/// @throws Error kInvalidModel if a type of activity cannot list its arguments.
[[nodiscard]] ProcessModelParts PartsOf(const process::Model& root);

/// The results of a run, without its recording.
struct ProcessRunResult {
  /// A named result.
  struct Value {
    std::string name;
    Record::Value value;
    std::string unit;  ///< May be empty.
  };

  RunEnd outcome = RunEnd::kCompleted;
  std::string message;  ///< Why it did not complete; else empty.
  Duration end{};       ///< Time reached.
  std::uint64_t seed = 0;
  process::Statistics statistics;
  /// The resources at the end, then the model's results.
  std::vector<Value> values;
  std::vector<std::string> warnings;  ///< About conflicts.
  /// Tasks that wait without a time limit, at the end.
  std::vector<process::WaitingTask> waiting;
};

/// A run of a model of tasks that is made for it.
class ProcessRun {
 public:
  /// Receives the time of a run. @returns false to stop it.
  using Watch = std::function<bool(Duration now, std::optional<Duration> stop)>;

  /// Makes the model and reads the plan.
  /// @throws Error as `ProcessModel::Make`, `ReadPlan` and `process::Simulator`
  ///     do; kInvalidArgument for a stop time before the start, a condition
  ///     with unknown names, and an activity to be left out that is not in the
  ///     plan; kInvalidModel for a resource called `time`, which is the name of
  ///     the time of a trajectory.
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

  /// Warnings about activities that are left out: see FindLeftOut.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept {
    return warnings_;
  }

  [[nodiscard]] Duration start() const noexcept {
    return options_.engine.start;
  }

  /// The end of the run; without a value: when nothing is due any more.
  [[nodiscard]] std::optional<Duration> stop() const noexcept { return stop_; }

  /// The data recorded so far.
  [[nodiscard]] const process::Recording& recording() const noexcept {
    return simulator_->recording();
  }

  /// Carries out the run, once.
  /// @param watch called now and then; may be empty.
  /// @throws Error kInvalidArgument if it has run already. Errors of the model
  ///     are in the result.
  [[nodiscard]] ProcessRunResult Run(const Watch& watch = {});

  /// For callers that step the run themselves, up to Finish().
  [[nodiscard]] process::Simulator& simulator() noexcept { return *simulator_; }

  /// Ends the run at its present time and returns the results, once.
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

/// Returns profiles as signals over time, from `start` to `end`: numbers and
/// Booleans (0 or 1), without texts. A jump has two rows, for its left and
/// right limit. Lines are exact between rows. Curves have as many rows as
/// linear interpolation needs for an error of at most 1e-4 of their motion, but
/// at most a thousand a piece.
/// @throws Error kInvalidArgument for profiles without or with the same names.
[[nodiscard]] Trajectory ToTrajectory(
    std::span<const process::Profile> profiles, Duration start, Duration end);

/// The names of the profiles of texts, which a Trajectory does not contain.
[[nodiscard]] std::vector<std::string> TextProfiles(
    std::span<const process::Profile> profiles);

}  // namespace orrery
