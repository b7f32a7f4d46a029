#include "orrery/process/simulator.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/engine/driver.h"
#include "orrery/process/engine/saved_run.h"
#include "orrery/process/engine/snapshot.h"
#include "orrery/process/engine/waiting_tasks.h"
#include "orrery/process/plan/resolved_plan.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

Simulator::Simulator(Model& model, const Options& options)
    : run_(std::make_unique<internal::Run>(model, options, nullptr)) {}

Simulator::Simulator(Model& model, const Plan& plan, const Options& options)
    : run_(std::make_unique<internal::Run>(
          model,
          options,
          std::make_shared<const internal::ResolvedPlan>(
              internal::ResolvePlan(plan, model, options.start)))) {}

Simulator::~Simulator() = default;

Duration Simulator::now() const noexcept {
  return run_->now();
}

Duration Snapshot::time() const noexcept {
  return saved_->calendar.now;
}

Snapshot Simulator::Save() const {
  Snapshot snapshot;
  snapshot.saved_ = internal::Save(*run_);
  return snapshot;
}

void Simulator::Restore(const Snapshot& snapshot) {
  internal::Restore(*run_, *snapshot.saved_);
}

void Simulator::Restore(const Snapshot& snapshot, const Plan& plan) {
  internal::Restore(
      *run_,
      *snapshot.saved_,
      std::make_shared<const internal::ResolvedPlan>(internal::ResolvePlan(
          plan, run_->members.root(), run_->options.start)));
}

Duration Simulator::next_time() const {
  return run_->NextTime();
}

void Simulator::RunUntil(Duration end) {
  internal::RunUntil(*run_, end);
}

void Simulator::Run() {
  StepWhile([] { return true; });
}

void Simulator::RunUntilOver(const internal::TaskReference& task) {
  if (&task.run("run until a task is over") != run_.get()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run until a task is over: it is of another run");
  }
  StepWhile([&] { return !task.is_over(); });
  if (!task.is_over()) {
    throw Error(
        ErrorCode::kInvalidModel,
        "cannot run until '" + internal::Ancestry(*run_, *task.node()) +
            "' is over: nothing is due after t = " + orrery::ToText(now()) +
            ", and it waits still; waiting() tells for what");
  }
  if (const std::exception_ptr failure = run_->tasks.FailureOf(*task.node())) {
    std::rethrow_exception(failure);
  }
}

void Simulator::StepWhile(const std::function<bool()>& goes_on) {
  std::int64_t left = run_->options.max_instants;
  while (goes_on() && Step()) {
    if (--left == 0 && next_time() != Duration::max()) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot run to an end: after " +
                      std::to_string(run_->options.max_instants) +
                      " times, at t = " + orrery::ToText(now()) +
                      ", something is due still; call RunUntil with a time to "
                      "stop at, or raise max_instants");
    }
  }
}

bool Simulator::Step() {
  return internal::RunNextInstant(*run_);
}

std::vector<WaitingTask> Simulator::waiting() const {
  return internal::WaitingTasks(*run_);
}

std::vector<UnbegunActivity> Simulator::unbegun() const {
  return run_->plan.Unbegun(run_->nodes());
}

const Statistics& Simulator::statistics() const noexcept {
  return run_->statistics;
}

const Recording& Simulator::recording() const noexcept {
  return run_->recorder.recording();
}

std::vector<std::string> Simulator::warnings() const {
  return run_->warnings.Texts();
}

}  // namespace orrery::process
