#include "orrery/sdk/runs/process_run.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/model/cell.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/plan/plan_file.h"
#include "orrery/sdk/runs/advance.h"
#include "orrery/sdk/runs/end_condition.h"
#include "orrery/sdk/runs/profile_rows.h"
#include "orrery/sdk/runs/readings.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

// Returns the resource of a model; null for followers, which belong to the
// joint.
const process::Resource* AsResource(const process::Member& member) {
  return dynamic_cast<const process::Follower*>(&member) != nullptr
             ? nullptr
             : dynamic_cast<const process::Resource*>(&member);
}

}  // namespace

ProcessModelSize SizeOf(const process::Model& root) {
  ProcessModelSize size;
  for (const process::Member* member : process::MembersOf(root)) {
    size.cells += dynamic_cast<const process::CellHandle*>(member) ? 1U : 0U;
    size.activities += dynamic_cast<const process::Activity*>(member) ? 1U : 0U;
    if (AsResource(*member) == nullptr) {
      continue;
    }
    ++size.resources;
    if (member->Path() == "time") {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot record 'time': the times of the recording are called "
                  "so; choose another name");
    }
  }
  return size;
}

ProcessModelParts PartsOf(const process::Model& root) {
  ProcessModelParts parts;
  for (const process::Member* member : process::MembersOf(root)) {
    const std::string path = member->Path();
    if (dynamic_cast<const process::CellHandle*>(member) != nullptr) {
      parts.cells.push_back(path);
    } else if (const process::Resource* resource = AsResource(*member)) {
      parts.resources.push_back({.path = path, .unit = resource->unit()});
    } else if (const auto* activity =
                   dynamic_cast<const process::Activity*>(member)) {
      try {
        parts.activities.push_back({.path = path,
                                    .meaning = activity->meaning(),
                                    .arguments = activity->ArgumentInfos()});
      } catch (...) {
        internal::Blame("tell the arguments of '" + path + "'");
      }
    }
  }
  return parts;
}

// Watches the resources of the condition that ends a run.
class ProcessRun::End {
 public:
  End(const ProcessRun& run, const std::string& condition)
      : known_(run.resources()),
        condition_(
            condition,
            run.model_name(),
            [this](const std::string& name) {
              return std::ranges::find(known_, name) == known_.end()
                         ? std::nullopt
                         : std::optional(name);
            },
            known_) {
    for (const std::string& quantity : condition_.quantities()) {
      profiles_.push_back(static_cast<std::size_t>(
          std::ranges::find(known_, quantity) - known_.begin()));
    }
    values_.resize(profiles_.size());
  }

  [[nodiscard]] std::optional<Duration> Find(
      std::span<const process::Profile> profiles,
      Duration now,
      Duration until) {
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
      const process::Profile& profile = profiles[profiles_[i]];
      if (profile.segments().empty()) {
        return std::nullopt;  // The run has not begun yet.
      }
      const process::Reading reading = profile.At(now);
      if (std::holds_alternative<std::string>(reading)) {
        throw Error(ErrorCode::kInvalidModel,
                    "cannot end at a condition over '" + profile.path() +
                        "': it is a text; ask for numbers and truths");
      }
      const auto* const truth = std::get_if<bool>(&reading);
      values_[i] = truth == nullptr ? std::get<process::Polynomial>(reading)
                                    : process::Polynomial{*truth ? 1.0 : 0.0};
    }
    return condition_.First(now, until, values_);
  }

 private:
  std::vector<std::string> known_;
  internal::EndCondition condition_;
  std::vector<std::size_t> profiles_;  // By quantity: the number of its
                                       // profile.
  std::vector<process::Polynomial> values_;
};

ProcessRun::ProcessRun(const ProcessModel& model, ProcessRunOptions options)
    : model_(model),
      options_(std::move(options)),
      parameters_(options_.settings),
      root_(model_.Make(parameters_)),
      size_(SizeOf(*root_)) {
  PlanFile file;
  if (options_.plan != nullptr) {
    file = ReadPlan(options_.plan, *root_);
  }
  LeaveOut(file, options_.without);
  num_planned_ = file.plan.directives.size();
  const Duration start =
      options_.start.value_or(file.start.value_or(Duration::zero()));
  for (const auto& stop :
       {options_.stop, file.stop, parameters_.default_stop()}) {
    stop_ = stop_ ? stop_ : stop;
  }
  if (stop_ && *stop_ < start) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot stop at " + ToText(*stop_) + ": the run starts at " +
                    ToText(start) + "; give a later time");
  }
  warnings_ = FindLeftOut(file, start, stop_);
  options_.engine.start = start;
  options_.engine.records.profiles = true;
  simulator_.emplace(*root_, file.plan, options_.engine);
  if (!options_.until.empty()) {
    end_ = std::make_unique<End>(*this, options_.until);
  }
}

ProcessRun::~ProcessRun() = default;

std::vector<std::string> ProcessRun::resources() const {
  std::vector<std::string> paths;
  for (const process::Profile& profile : recording().profiles) {
    paths.push_back(profile.path());
  }
  return paths;
}

ProcessRunResult ProcessRun::Run(const Watch& watch) {
  CheckHasNotRun();
  internal::Course course{.stop = stop_, .watch = watch, .ends = {}};
  if (end_ != nullptr) {
    course.ends = [this](Duration now, Duration until) {
      return end_->Find(recording().profiles, now, until);
    };
  }
  const auto [outcome, message] =
      internal::AdvanceToEnd(*simulator_, model_.name(), course);
  return Finish(outcome, message);
}

void ProcessRun::CheckHasNotRun() const {
  internal::RequireFirstRun(has_run_, model_.name(), "a ProcessRun");
}

ProcessRunResult ProcessRun::Finish(RunEnd outcome,
                                    const std::string& message) {
  CheckHasNotRun();
  has_run_ = true;
  ProcessRunResult result{.outcome = outcome,
                          .message = message,
                          .end = simulator_->now(),
                          .seed = options_.engine.seed,
                          .statistics = simulator_->statistics(),
                          .values = {},
                          .warnings = simulator_->warnings(),
                          .waiting = simulator_->waiting()};
  if (outcome == RunEnd::kCompleted) {
    for (const process::UnbegunActivity& activity : simulator_->unbegun()) {
      result.warnings.push_back(activity.Text(result.end));
    }
  }
  AddValues(result);
  return result;
}

void ProcessRun::AddValues(ProcessRunResult& result) const {
  result.values = internal::ReadingsAt(recording().profiles, result.end);
  if (result.outcome != RunEnd::kFailed) {
    const Record record = model_.ResultsOf(*root_, *simulator_);
    for (const Record::Field& field : record.fields()) {
      result.values.push_back({.name = field.name, .value = field.value});
    }
  }
}

namespace {

using process::Profile;
using process::Segment;

bool HasTexts(const Profile& profile) {
  return std::ranges::any_of(profile.segments(), [](const Segment& segment) {
    return std::holds_alternative<std::string>(segment.reading);
  });
}

}  // namespace

Trajectory ToTrajectory(std::span<const Profile> profiles,
                        Duration start,
                        Duration end) {
  internal::ProfileRows rows;
  rows.Look(profiles);
  return rows.Take(profiles, start, end).rows;
}

std::vector<std::string> TextProfiles(std::span<const Profile> profiles) {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (HasTexts(profile)) {
      names.push_back(profile.path());
    }
  }
  return names;
}

}  // namespace orrery
