#include "orrery/sdk/runs/plan_session.h"

#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery {
namespace {

// Snapshots of a day, one an hour.
constexpr int kSnapshots = 24;

std::vector<Duration> TimesOfSnapshots(Duration start, Duration stop) {
  std::vector<Duration> times;
  const Duration part = (stop - start) / (kSnapshots + 1);
  for (int i = 1; i <= kSnapshots && part > Duration::zero(); ++i) {
    times.push_back(start + i * part);
  }
  return times;
}

// The outcome of a run that completes.
// @param notices about its plan.
PlanOutcome PlanOutcomeOf(const process::Simulator& run,
                          Duration start,
                          std::vector<Diagnostic> notices) {
  for (const std::string& warning : run.warnings()) {
    notices.push_back({.severity = Severity::kWarning, .message = warning});
  }
  return {.outcome = RunEnd::kCompleted,
          .message = "",
          .start = start,
          .end = run.now(),
          .resumed_at = std::nullopt,
          .notices = std::move(notices),
          .unbegun = run.unbegun(),
          .recording = &run.recording()};
}

}  // namespace

PlanSession::PlanSession(const ProcessModel& model, ProcessRunOptions options)
    : model_(model),
      options_(std::move(options)),
      parameters_(options_.settings),
      root_(model_.Make(parameters_)) {
  options_.engine.records.profiles = true;
  options_.engine.records.spans = true;
}

PlanSession::~PlanSession() = default;

void PlanSession::Prepare(Duration start, Duration stop) {
  if (runs_ && start == start_ && stop == stop_) {
    return;
  }
  runs_.reset();
  start_ = start;
  stop_ = stop;
  process::Options engine = options_.engine;
  engine.start = start;
  runs_.emplace(*root_, engine, TimesOfSnapshots(start, stop));
}

PlanOutcome PlanSession::Resume(const PlanFile& file,
                                Duration start,
                                Duration stop) {
  Prepare(start, stop);
  const process::Simulator& run = runs_->Run(file.plan, stop);
  PlanOutcome outcome =
      PlanOutcomeOf(run, start, FindLeftOut(file, start, stop));
  outcome.resumed_at = runs_->resumed_at();
  return outcome;
}

PlanOutcome PlanSession::RunFromTheStart(
    std::shared_ptr<const SourceFile> plan) {
  runs_.reset();
  ProcessRunOptions options = options_;
  options.plan = std::move(plan);
  whole_ = std::make_unique<ProcessRun>(model_, std::move(options));
  const ProcessRunResult result = whole_->Run();
  PlanOutcome outcome =
      PlanOutcomeOf(whole_->simulator(), whole_->start(), whole_->warnings());
  outcome.outcome = result.outcome;
  outcome.message = result.message;
  return outcome;
}

const PlanOutcome& PlanSession::Run(std::shared_ptr<const SourceFile> plan) {
  PlanFile file = ReadPlan(plan, *root_);
  LeaveOut(file, options_.without);
  const Duration start =
      options_.start.value_or(file.start.value_or(Duration::zero()));
  std::optional<Duration> stop = options_.stop;
  for (const auto& other : {file.stop, parameters_.default_stop()}) {
    stop = stop ? stop : other;
  }
  last_.reset();
  if (stop && *stop >= start) {
    try {
      return last_.emplace(Resume(file, start, *stop));
    } catch (const Error&) {
      // Only a run from the start keeps what it has when it fails.
    }
  }
  return last_.emplace(RunFromTheStart(std::move(plan)));
}

}  // namespace orrery
