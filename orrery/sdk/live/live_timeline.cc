#include "orrery/sdk/live/live_timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/sdk/classes/number_ports.h"
#include "orrery/sdk/live/shown_quantities.h"
#include "orrery/sdk/runs/joint_rows.h"
#include "orrery/sdk/runs/readings.h"

namespace orrery {

namespace internal = sdk::internal;

// Inputs of the network of DEVS models for messages of numbers to the inputs of
// its components, by the paths of these inputs.
class LiveTimeline::Entries {
 public:
  explicit Entries(devs::Coupled& network) {
    for (const auto& part : network.parts()) {
      for (const devs::Port* port = part->first_port(); port != nullptr;
           port = port->next()) {
        if (port->direction() == devs::PortDirection::kIn &&
            internal::TakesNumbers(*port)) {
          const std::string name =
              std::string(part->name()) + "." + std::string(port->name());
          auto entry = internal::MakePortLike(
              *port, network, "outside " + std::to_string(entries_.size()));
          network.Couple(entry->port(), *port);
          entries_.emplace(name, std::move(entry));
        }
      }
    }
  }

  /// Null if there is none with this path.
  [[nodiscard]] const devs::Port* Find(const std::string& path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : &found->second->port();
  }

  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& entry : entries_) {
      paths.push_back(entry.first);
    }
    return paths;
  }

 private:
  std::map<std::string, std::unique_ptr<internal::OwnedPort>> entries_;
};

LiveTimeline::LiveTimeline(JointRun& run, const Options& live)
    : PeriodicLiveRun(
          0, run.stop().value_or(Seconds{kInfinity}).value, live.period),
      run_(run),
      model_(run.model_name()),
      rows_(std::make_unique<internal::JointRows>()) {
  const Program* const program = run.root().equations();
  std::vector<std::string> known;
  if (program != nullptr) {
    quantities_.emplace(*program);
    known = internal::AllQuantities(*program);
    names_ = internal::ShownQuantities(*program);
  }
  for (const auto& resource : PartsOf(run.root().task_models()).resources) {
    known.push_back(resource.path);
    names_.push_back(resource.path);
  }
  if (!live.shown.empty()) {
    names_ = internal::NamesThatFit(live.shown, known, model_);
  }
  entries_ = std::make_unique<Entries>(run.simulation().devs_models());
  stepper_.emplace(run.simulation(), run.timeline_options());
}

LiveTimeline::~LiveTimeline() = default;

bool LiveTimeline::has_ended() const noexcept {
  return stepper_->has_ended() || t_ >= stop();
}

void LiveTimeline::Advance(double t) {
  if (t < next_time()) {
    record_.changes.push_back({.time = t, .settings = {}});
  }
  stepper_->GoOnTo(t >= stop() ? stepper_->stop() : ToDuration(t));
  t_ = stepper_->has_ended() ? Seconds(stepper_->now()).value : t;
  PassTo(t_);
}

void LiveTimeline::Change(std::span<const Setting> settings) {
  std::vector<Setting> quantities;
  std::vector<Setting> messages;
  for (const Setting& setting : settings) {
    const devs::Port* const entry = entries_->Find(setting.name);
    if (entry == nullptr) {
      if (!IsQuantity(setting.name)) {
        RefuseSetting(setting.name);
      }
      quantities.push_back(setting);
      continue;
    }
    const std::string why = internal::WhyNoMessage(*entry, setting.value);
    if (!why.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + setting.name + "' to " +
                      ShortestText(setting.value) + ": " + why);
    }
    messages.push_back(setting);
  }
  if (stepper_->has_ended()) {
    return;
  }
  if (!quantities.empty()) {
    stepper_->Set(quantities);
  }
  for (const Setting& setting : messages) {
    internal::InjectNumber(*stepper_->devs(),
                           *entries_->Find(setting.name),
                           setting.value,
                           stepper_->now());
  }
  if (!messages.empty()) {
    stepper_->CompleteInstant();
  }
}

void LiveTimeline::RefuseSetting(const std::string& name) const {
  const auto parameters = run_.parameters().declared();
  if (std::ranges::find(parameters, name, &ParameterInfo::name) !=
      parameters.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + name +
                    "': the model is made with this parameter; set it before "
                    "the run");
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot set '" + name + "': model " + model_ +
                  " has no such quantity, and no such input of a DEVS model "
                  "that takes numbers" +
                  Clause(Suggest(name, entries_->paths())));
}

bool LiveTimeline::IsQuantity(const std::string& name) const {
  return quantities_ && quantities_->Find(name);
}

std::vector<Record::Field> LiveTimeline::Values(
    std::span<const std::string> names) const {
  std::vector<Record::Field> values;
  for (const std::string& name : names.empty() ? std::span(names_) : names) {
    if (IsQuantity(name)) {
      values.push_back({.name = name, .value = (*stepper_)[name]});
      continue;
    }
    const auto fields = internal::FieldsAt(stepper_->recording().profiles,
                                           stepper_->now(),
                                           std::span(&name, 1),
                                           model_);
    values.insert(values.end(), fields.begin(), fields.end());
  }
  return values;
}

NewResults LiveTimeline::TakeResults() {
  const auto& profiles = stepper_->recording().profiles;
  const bool are_others = rows_->Look(profiles);
  NewResults results{.rows = {}, .events = stepper_->TakeNewEvents()};
  if (!quantities_) {
    results.rows = rows_->Take(profiles, stepper_->now());
    return results;
  }
  results.rows = rows_->Take(
      are_others ? stepper_->TakeAllRows() : stepper_->TakeNewRows(), profiles);
  return results;
}

JointRunResult LiveTimeline::Finish() {
  NoteEnd();
  return run_.Finish(stepper_->Finish());
}

JointRunResult LiveTimeline::Interrupt(const std::string& why) {
  NoteEnd();
  stepper_->Interrupt(why);
  return run_.Finish(stepper_->Finish());
}

}  // namespace orrery
