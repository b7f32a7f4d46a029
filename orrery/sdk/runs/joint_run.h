#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/classes/joint_model.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/timeline/timeline.h"

namespace orrery {

/// The options of a run of a Simulation that is a class. Plain data.
struct JointRunOptions {
  /// Settings of the parameters of the class. A name that it does not declare
  /// is one of the equations, as in SimulationOptions::settings.
  std::vector<ParameterText> settings;
  /// The default of the stop is the plan's, then the model's own, then that of
  /// TimelineOptions. Profiles are always recorded. The plan is the one below.
  TimelineOptions timeline;
  std::shared_ptr<const SourceFile> plan;  ///< See ReadPlan; null for none.
  std::vector<std::string> without;        ///< See LeaveOut.
};

/// The size of a Simulation.
struct JointModelSize {
  std::string equations;  ///< The name of their model; empty for none.
  std::size_t states = 0;
  std::size_t inputs = 0;
  DevsModelSize devs;
  ProcessModelSize tasks;

  friend bool operator==(const JointModelSize&,
                         const JointModelSize&) = default;
};

/// @throws Error kInvalidModel for a resource called `time`.
[[nodiscard]] JointModelSize SizeOf(const Simulation& simulation);

/// The results of a run.
struct JointRunResult {
  using Value = ProcessRunResult::Value;

  TimelineResult run;
  std::uint64_t seed = 0;
  /// The resources at the end, then the model's results.
  std::vector<Value> values;
};

/// A run of a Simulation that is made for it.
class JointRun {
 public:
  /// Makes the model and reads the plan.
  /// @throws Error as `JointModel::Make`, `ReadPlan`, `Resolve`, `CheckTimes`,
  ///     `CheckSteps` and `CheckSettings` do; kInvalidArgument for settings of
  ///     unknown names, a stop time before 0, or a plan that starts at another
  ///     time; kInvalidModel for a resource with the name of the time or of a
  ///     quantity of the equations.
  JointRun(const JointModel& model, JointRunOptions options);
  ~JointRun();
  JointRun(const JointRun&) = delete;
  JointRun& operator=(const JointRun&) = delete;

  [[nodiscard]] const Simulation& root() const noexcept { return *root_; }

  [[nodiscard]] const std::string& model_name() const noexcept {
    return model_.name();
  }

  [[nodiscard]] const Parameters& parameters() const noexcept {
    return parameters_;
  }

  [[nodiscard]] const JointModelSize& size() const noexcept { return size_; }

  /// The possible signals of its trajectory: the quantities of the equations,
  /// then the resources, including texts.
  [[nodiscard]] const SignalTable& signals() const noexcept {
    return *signals_;
  }

  /// The activities of the plan.
  [[nodiscard]] std::size_t num_planned() const noexcept {
    return options_.timeline.plan.directives.size();
  }

  /// The end of the run; without a value: when nothing is due any more.
  [[nodiscard]] std::optional<Seconds> stop() const noexcept { return stop_; }

  /// Warnings about settings with a surprising effect, and about activities
  /// that are left out (see FindLeftOut); the result contains them, too.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept {
    return warnings_;
  }

  /// Carries out the run, once.
  /// @throws Error kInvalidArgument if it has run already; whatever
  ///     Simulation::Run throws. Errors of the model are in the result.
  [[nodiscard]] JointRunResult Run(const Observer& observer = {});

  /// For callers that step the run themselves with these options, up to
  /// Finish().
  [[nodiscard]] Simulation& simulation() noexcept { return *root_; }

  [[nodiscard]] const TimelineOptions& timeline_options() const noexcept {
    return options_.timeline;
  }

  /// Returns the results, once.
  /// @throws Error kInvalidArgument if it has run already.
  [[nodiscard]] JointRunResult Finish(TimelineResult run);

 private:
  void CheckHasNotRun() const;
  void TakeSettings();
  void TakePlan();
  void TakeSignals();
  void AddResults(JointRunResult& result) const;

  JointModel model_;
  JointRunOptions options_;
  Parameters parameters_;
  std::unique_ptr<Simulation> root_;
  JointModelSize size_;
  std::shared_ptr<const SignalTable> signals_;
  std::optional<Seconds> stop_;
  std::vector<Diagnostic> warnings_;
  std::vector<Diagnostic> told_;  // For the result: those of inputs and
                                  // activities.
  bool has_run_ = false;
};

/// Returns a run as one trajectory: the quantities of the equations, then the
/// resources that are numbers or Booleans, at all times at which either has
/// rows. If only one has a row, the other is interpolated as by `Signal::at`.
/// If one has both limits of a jump, all have.
/// @throws Error kInvalidArgument for a name that both have, or an empty one.
[[nodiscard]] Trajectory ToTrajectory(const TimelineResult& run);

}  // namespace orrery
