#include "orrery/sdk/runs/shown_states.h"

#include <algorithm>
#include <limits>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/sdk/classes/number_ports.h"
#include "orrery/sdk/classes/record_numbers.h"
#include "orrery/sdk/runs/output_recorder.h"

namespace orrery::sdk::internal {

namespace {

std::vector<const devs::Model*> AtomicModels(const devs::Coupled& root) {
  std::vector<const devs::Model*> models;
  devs::ForEachCoupled(root, [&models](const devs::Coupled& coupled) {
    for (const auto& part : coupled.parts()) {
      if (part->ops() != nullptr) {
        models.push_back(part.get());
      }
    }
  });
  return models;
}

}  // namespace

std::vector<const devs::Model*> ModelsCalled(std::span<const std::string> paths,
                                             const devs::Coupled& root,
                                             const devs::Options& engine) {
  std::vector<const devs::Model*> models = engine.priority;
  if (paths.empty()) {
    return models;
  }
  if (engine.formalism != devs::Formalism::kClassic) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot give priorities in parallel DEVS, where all models "
                "that are due move at once; ask for classic DEVS");
  }
  std::unordered_map<std::string, const devs::Model*> by_path;
  std::vector<std::string> known;
  for (const devs::Model* model : AtomicModels(root)) {
    known.push_back(model->Path());
    by_path[model->Path()] = model;
  }
  for (const std::string& path : paths) {
    const auto whole = by_path.find(path);
    const auto found =
        whole == by_path.end() ? by_path.find(root.Path() + "." + path) : whole;
    if (found == by_path.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot give a priority to '" + path + "': model " +
                      root.Path() + " has no atomic model of this path" +
                      Clause(Suggest(path, known)));
    }
    models.push_back(found->second);
  }
  return models;
}

ShownStates::ShownStates(const devs::Coupled& root, devs::Simulator& run)
    : root_(root), run_(run) {
  for (const devs::Port* port = root.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() == devs::PortDirection::kOut && TakesNumbers(*port)) {
      names_.emplace_back(port->name());
    }
  }
  if (!AtomicModels(root).empty()) {
    run.Observe(*this, "*");
    run.Ignore(*this);
  }
}

bool ShownStates::IsOfOutput(const std::string& name) const {
  const devs::Port* const port = root_.FindPort(name.substr(0, name.find('.')));
  return port != nullptr && port->direction() == devs::PortDirection::kOut;
}

std::optional<std::string> ShownStates::Find(const std::string& name) const {
  for (const std::string& each : {name, root_.Path() + "." + name}) {
    if (models_.contains(each)) {
      return each;
    }
  }
  return IsOfOutput(name) ? std::optional(name) : std::nullopt;
}

void ShownStates::Watch(std::span<const std::string> found) {
  values_.assign(found.size(),
                 process::Polynomial{std::numeric_limits<double>::quiet_NaN()});
  for (std::size_t i = 0; i < found.size(); ++i) {
    watched_[found[i]] = i;
  }
  bool watches_outputs = false;
  for (const std::string& name : found) {
    const auto model = models_.find(name);
    if (model == models_.end()) {
      watches_outputs = true;
    } else if (paths_.emplace(model->second, model->second->Path()).second) {
      run_.Observe(*this, *model->second);
    }
  }
  if (watches_outputs) {
    run_.Observe(*this, root_);
  }
}

void ShownStates::OnOutput(Duration /*time*/,
                           const devs::Model& model,
                           const devs::Bag& y) {
  if (&model != &root_) {
    return;
  }
  for (const devs::Port* port = root_.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() == devs::PortDirection::kOut) {
      record_.Clear();
      y.Describe(*port, record_);
      for (const Record::Field& field : record_.fields()) {
        Take(field.name, field.value);
      }
    }
  }
}

void ShownStates::OnTransition(Duration /*time*/,
                               const devs::Model& model,
                               devs::Transition /*transition*/,
                               const void* state) {
  record_.Clear();
  model.ops()->describe(model, state, record_);
  const bool is_new = watched_.empty();
  const std::string path = is_new ? model.Path() : paths_.at(&model);
  for (const Record::Field& field : record_.fields()) {
    const std::string name =
        field.name.empty() ? path : path + "." + field.name;
    if (is_new) {
      names_.push_back(name);
      models_[name] = &model;
    } else {
      Take(name, field.value);
    }
  }
}

void ShownStates::Take(const std::string& name, const Record::Value& value) {
  const auto found = watched_.find(name);
  if (found != watched_.end()) {
    values_[found->second] = {
        NumberIn(value).value_or(std::numeric_limits<double>::quiet_NaN())};
  }
}

}  // namespace orrery::sdk::internal
