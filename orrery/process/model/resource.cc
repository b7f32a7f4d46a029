#include "orrery/process/model/resource.h"

#include <exception>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

Polynomial Resource::Dynamics() const {
  const Reading reading = Read();
  const auto* const curve = std::get_if<Polynomial>(&reading);
  if (curve == nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot compare resource '" + Path() +
                    "' as a number: it is a truth or a text; wait for a "
                    "function of the cells instead");
  }
  return *curve;
}

void Resource::Bind(internal::Run& run) {
  index_ = run.AddResource(*this);
}

void Resource::Relink(internal::Run& run) {
  static_cast<void>(run.evaluations.Evaluating([this] { return Read(); }));
  DependOn(run.evaluations.reads());
}

void Resource::Evaluate(internal::Run& run) {
  try {
    Take(run, run.evaluations.Evaluating([this] { return Read(); }));
  } catch (const std::exception& exception) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot sample resource '" + Path() + "': " + exception.what());
  }
  DependOn(run.evaluations.reads());
  run.calendar.ScheduleSample(index_, run.evaluations.reads().expiry());
}

void Resource::Take(internal::Run& run, Reading reading) {
  ++run.statistics.samples;
  run.recorder.AddSample(index_, run.now(), std::move(reading));
}

void Follower::Take(internal::Run& /*run*/, Reading reading) {
  const auto* const curve = std::get_if<Polynomial>(&reading);
  if (curve == nullptr) {
    throw Error(ErrorCode::kInvalidModel, "it is a truth or a text");
  }
  tell_(*curve);
}

}  // namespace orrery::process
