#include "orrery/process/run/run.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/model/model.h"
#include "orrery/process/model/resource.h"

namespace orrery::process::internal {

namespace {

void CheckIsPositive(const Model& root,
                     std::string_view name,
                     std::int64_t value) {
  if (value < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run model '" + root.Path() + "' with a " +
                    std::string(name) + " of " + std::to_string(value) +
                    "; give 1 or more");
  }
}

const Options& Checked(const Model& root, const Options& options) {
  CheckIsPositive(root, "max_microsteps", options.max_microsteps);
  CheckIsPositive(root, "max_instants", options.max_instants);
  CheckIsPositive(root, "max_operations", options.max_operations);
  CheckIsPositive(root, "max_spawned", options.max_spawned);
  return options;
}

}  // namespace

Run::Run(Model& root,
         const Options& wanted,
         std::shared_ptr<const ResolvedPlan> to_follow)
    : options(Checked(root, wanted)),
      members(root),
      calendar(options.start),
      logs(options.snapshots),
      tasks(*this, calendar, logs),
      exceptions(tasks),
      step(*this),
      plan(std::move(to_follow)),
      recorder(options.records) {
  tasks.root().name = root.name().c_str();
  tasks.root().key = options.seed;
  members.Bind(*this);
}

Run::~Run() {
  tasks.EndAll();
  members.Unbind();
}

std::uint32_t Run::AddResource(Resource& resource) {
  members.Add(resource);
  recorder.AddResource(resource, resource.takes_samples);
  if (!resource.takes_samples || recorder.has_profiles()) {
    evaluations.MarkChanged(resource);
  }
  return calendar.AddResource();
}

void Run::CheckIsIdle(std::string_view purpose) const {
  if (is_running) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) +
                    ": the run is at work; do it between its steps");
  }
}

void Run::CheckGoesOn() const {
  if (has_failed) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot go on: the run failed at t = " + orrery::ToText(now()) +
                    "; make another");
  }
}

}  // namespace orrery::process::internal
