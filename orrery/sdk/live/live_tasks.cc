#include "orrery/sdk/live/live_tasks.h"

#include <algorithm>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/sdk/runs/profile_rows.h"
#include "orrery/sdk/runs/readings.h"

namespace orrery {

namespace internal = sdk::internal;

LiveTasks::LiveTasks(ProcessRun& run, const Options& live)
    : PeriodicLiveRun(Seconds(run.start()).value,
                      run.stop() ? Seconds(*run.stop()).value : kInfinity,
                      live.period),
      run_(run),
      model_(run.model_name()),
      t_(start()),
      rows_(std::make_unique<internal::ProfileRows>()) {
  const std::vector<std::string> resources = run.resources();
  names_ = live.shown.empty()
               ? resources
               : internal::NamesThatFit(live.shown, resources, model_);
  CarryOutTo(t_);
}

LiveTasks::~LiveTasks() = default;

bool LiveTasks::has_ended() const noexcept {
  const bool is_over = run_.stop()
                           ? t_ >= stop()
                           : run_.simulator().next_time() == Duration::max();
  return is_over || !failure_.empty();
}

void LiveTasks::Advance(double t) {
  CarryOutTo(t);
  t_ = failure_.empty() ? t : Seconds(run_.simulator().now()).value;
  PassTo(t_);
}

// Steps only if something is due: observation does not change the run.
void LiveTasks::CarryOutTo(double t) {
  process::Simulator& run = run_.simulator();
  const Duration end =
      run_.stop() && t >= stop() ? *run_.stop() : ToDuration(t);
  try {
    while (run.next_time() <= end) {
      run.Step();
    }
    if (run_.stop() == end) {
      run.RunUntil(end);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidModel) {
      throw;
    }
    failure_ = error.what();
  }
}

void LiveTasks::Change(std::span<const Setting> settings) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot set '" + settings.front().name + "': model " + model_ +
                  " is of tasks, which alone act on its cells; set a "
                  "parameter, or plan an activity, before the run");
}

std::vector<Record::Field> LiveTasks::Values(
    std::span<const std::string> names) const {
  return internal::FieldsAt(run_.recording().profiles,
                            ToDuration(t_),
                            names.empty() ? std::span(names_) : names,
                            model_);
}

NewResults LiveTasks::TakeResults() {
  const auto& profiles = run_.recording().profiles;
  rows_->Look(profiles);
  return {.rows = rows_->Take(profiles, run_.start(), ToDuration(t_)),
          .events = {}};
}

ProcessRunResult LiveTasks::Finish() {
  NoteEnd();
  if (failure_.empty()) {
    run_.simulator().RunUntil(std::max(run_.simulator().now(), ToDuration(t_)));
  }
  return run_.Finish(failure_.empty() ? RunEnd::kCompleted : RunEnd::kFailed,
                     failure_);
}

ProcessRunResult LiveTasks::Interrupt(const std::string& why) {
  NoteEnd();
  if (!failure_.empty()) {
    return run_.Finish(RunEnd::kFailed, failure_);
  }
  return run_.Finish(
      RunEnd::kInterrupted,
      why.empty() ? "interrupted at t = " + ToText(ToDuration(t_)) : why);
}

}  // namespace orrery
