#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/resimulation.h"
#include "orrery/sdk/plan/plan_file.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

/// How a plan of a session was carried out.
struct PlanOutcome {
  RunEnd outcome = RunEnd::kCompleted;
  std::string message;  ///< Why it did not complete; else empty.
  Duration start{};
  Duration end{};  ///< Time reached.
  /// The snapshot at which it resumed; none: it began at the start.
  std::optional<Duration> resumed_at;
  /// Warnings, with places in the plan where there are any.
  std::vector<Diagnostic> notices;
  /// Activities that have not begun at the end.
  std::vector<process::UnbegunActivity> unbegun;
  /// With profiles and spans. Valid up to the next call of the session.
  const process::Recording* recording = nullptr;
};

/// Runs of one model of tasks by plans that differ little, such as those of an
/// editor. Each resumes at the latest snapshot before the first change; results
/// are those of runs from the start. For one thread.
class PlanSession {
 public:
  /// @param options without a plan and a condition.
  /// @throws Error as `ProcessModel::Make`.
  PlanSession(const ProcessModel& model, ProcessRunOptions options);
  ~PlanSession();
  PlanSession(const PlanSession&) = delete;
  PlanSession& operator=(const PlanSession&) = delete;

  [[nodiscard]] const std::string& model_name() const noexcept {
    return model_.name();
  }

  /// Carries out a plan. Without an end in sight it begins at the start.
  /// @throws Error as ProcessRun for a plan with errors.
  [[nodiscard]] const PlanOutcome& Run(std::shared_ptr<const SourceFile> plan);

  /// Result of the last call of Run, if a plan with errors came after
  /// it, too; null if there is none.
  [[nodiscard]] const PlanOutcome* last() const noexcept {
    return last_ ? &*last_ : nullptr;
  }

 private:
  void Prepare(Duration start, Duration stop);
  [[nodiscard]] PlanOutcome Resume(const PlanFile& file,
                                   Duration start,
                                   Duration stop);
  [[nodiscard]] PlanOutcome RunFromTheStart(
      std::shared_ptr<const SourceFile> plan);

  ProcessModel model_;
  ProcessRunOptions options_;
  Parameters parameters_;
  std::unique_ptr<process::Model> root_;
  Duration start_{};
  Duration stop_{};
  std::optional<process::Resimulation> runs_;  // From start_ to stop_.
  std::unique_ptr<ProcessRun> whole_;  // The last one that was not resumed.
  std::optional<PlanOutcome> last_;
};

}  // namespace orrery
