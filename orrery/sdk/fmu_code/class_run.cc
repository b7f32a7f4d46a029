#include "orrery/sdk/fmu_code/class_run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/sdk/classes/number_ports.h"
#include "orrery/sdk/classes/record_numbers.h"
#include "orrery/sdk/runs/readings.h"

namespace orrery::sdk::internal {
namespace {

using Role = ClassVariable::Role;

constexpr std::uint64_t kDefaultSeed = 1;

ClassVariable QuantityOf(const std::string& name,
                         Role role,
                         const Record::Value& value,
                         const std::string& unit = {}) {
  ClassVariable quantity{
      .name = name, .role = role, .unit = unit, .start = value};
  quantity.is_text = std::holds_alternative<std::string>(value);
  if (std::holds_alternative<bool>(value)) {
    quantity.type = orrery::ValueType::kBoolean;
  } else if (std::holds_alternative<std::int64_t>(value)) {
    quantity.type = orrery::ValueType::kInteger;
  } else if (std::holds_alternative<Duration>(value)) {
    quantity.unit = "s";
  }
  return quantity;
}

orrery::ValueType TypeOf(PortNumber kind) {
  switch (kind) {
    case PortNumber::kTruth:
      return orrery::ValueType::kBoolean;
    case PortNumber::kWhole:
      return orrery::ValueType::kInteger;
    default:
      return orrery::ValueType::kReal;
  }
}

// The results of a run that are numbers.
void AddResults(const Record& record, std::vector<ClassVariable>& quantities) {
  for (const Record::Field& field : record.fields()) {
    if (NumberIn(field.value)) {
      quantities.push_back(QuantityOf(field.name, Role::kResult, field.value));
    }
  }
}

Record::Value ValueIn(const Record& record, const std::string& name) {
  const auto found =
      std::ranges::find(record.fields(), name, &Record::Field::name);
  return found == record.fields().end() ? Record::Value() : found->value;
}

/// A DEVS model: messages go to and come from the ports of the outermost model.
class DevsClassRun final : public ClassRun, devs::Observer {
 public:
  DevsClassRun(DevsModel model,
               std::vector<ParameterText> settings,
               std::uint64_t seed)
      : ClassRun(std::move(settings), seed),
        model_(std::move(model)),
        root_(model_.Make(parameters_)),
        simulator_(*root_, {.seed = seed}) {
    simulator_.Observe(*this, *root_);
    simulator_.RunUntil(Duration::zero());
  }

  [[nodiscard]] std::vector<ClassVariable> Quantities() const override {
    std::vector<ClassVariable> quantities;
    for (const devs::Port* port = root_->first_port(); port != nullptr;
         port = port->next()) {
      const bool is_input = port->direction() == devs::PortDirection::kIn;
      if (is_input && !TakesNumbers(*port)) {
        continue;
      }
      const std::string name(port->name());
      if (TakesNumbers(*port) && NumberKindOf(*port) != PortNumber::kSignal) {
        quantities.push_back({.name = name,
                              .role = is_input ? Role::kInput : Role::kOutput,
                              .type = TypeOf(NumberKindOf(*port)),
                              .unit = UnitOf(*port),
                              .start = LastAt(name).value});
      }
      quantities.push_back(
          {.name = name + ".count",
           .role = is_input ? Role::kInputCount : Role::kOutputCount,
           .type = orrery::ValueType::kInteger,
           .meaning =
               is_input ? "A new number sends a message" : "Messages so far",
           .start = LastAt(name).count});
    }
    AddResults(model_.ResultsOf(*root_, simulator_), quantities);
    return quantities;
  }

  void AdvanceTo(Duration end) override {
    simulator_.RunUntil(std::max(end, simulator_.now()));
  }

  void Send(const std::string& port, double value) override {
    const devs::Port* const input = root_->FindPort(port);
    ORRERY_CHECK(input != nullptr && TakesNumbers(*input));
    const std::string why = WhyNoMessage(*input, value);
    if (!why.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot send a message to input '" + port + "': " + why);
    }
    InjectNumber(simulator_, *input, value, simulator_.now());
  }

  [[nodiscard]] Record::Value Value(
      const ClassVariable& quantity) const override {
    if (quantity.role == Role::kResult) {
      return ValueIn(model_.ResultsOf(*root_, simulator_), quantity.name);
    }
    if (quantity.role == Role::kOutputCount) {
      return LastAt(quantity.name.substr(0, quantity.name.rfind('.'))).count;
    }
    return LastAt(quantity.name).value;
  }

 private:
  /// What has left by a port.
  struct Last {
    Record::Value value = 0.0;
    std::int64_t count = 0;
  };

  void OnOutput(Duration /*time*/,
                const devs::Model& /*model*/,
                const devs::Bag& y) override {
    for (const devs::Port* port = root_->first_port(); port != nullptr;
         port = port->next()) {
      if (port->direction() != devs::PortDirection::kOut) {
        continue;
      }
      record_.Clear();
      y.Describe(*port, record_);
      const std::string_view name = port->name();
      Last& last = last_[std::string(name)];
      last.count += static_cast<std::int64_t>(y.Count(*port));
      if (!record_.fields().empty() && record_.fields().back().name == name) {
        last.value = record_.fields().back().value;
      }
    }
  }

  [[nodiscard]] Last LastAt(const std::string& port) const {
    const auto found = last_.find(port);
    return found == last_.end() ? Last() : found->second;
  }

  DevsModel model_;
  std::unique_ptr<devs::Coupled> root_;
  devs::Simulator simulator_;
  Record record_;
  std::map<std::string, Last> last_;  // By port.
};

/// A model of tasks: its resources are seen, nothing is sent to it.
class TaskClassRun final : public ClassRun {
 public:
  TaskClassRun(ProcessModel model,
               std::vector<ParameterText> settings,
               std::uint64_t seed)
      : ClassRun(std::move(settings), seed),
        model_(std::move(model)),
        root_(model_.Make(parameters_)),
        simulator_(*root_, OptionsFor(seed)) {
    simulator_.RunUntil(Duration::zero());
  }

  [[nodiscard]] std::vector<ClassVariable> Quantities() const override {
    std::vector<ClassVariable> quantities;
    for (const auto& reading :
         ReadingsAt(simulator_.recording().profiles, now_)) {
      if (NumberIn(reading.value)) {
        quantities.push_back(QuantityOf(
            reading.name, Role::kResource, reading.value, reading.unit));
      }
    }
    AddResults(model_.ResultsOf(*root_, simulator_), quantities);
    return quantities;
  }

  // Steps only if something is due: to look at a run does not change it.
  void AdvanceTo(Duration end) override {
    while (simulator_.next_time() <= end) {
      simulator_.Step();
    }
    now_ = std::max(now_, end);
  }

  void Send(const std::string& port, double /*value*/) override {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot send a message to '" + port +
                    "': tasks alone act on the cells of a model of tasks");
  }

  [[nodiscard]] Record::Value Value(
      const ClassVariable& quantity) const override {
    if (quantity.role == Role::kResult) {
      return ValueIn(model_.ResultsOf(*root_, simulator_), quantity.name);
    }
    return FieldsAt(simulator_.recording().profiles,
                    now_,
                    std::span(&quantity.name, 1),
                    model_.name())
        .front()
        .value;
  }

 private:
  static process::Options OptionsFor(std::uint64_t seed) {
    process::Options options;
    options.seed = seed;
    options.records.profiles = true;
    return options;
  }

  ProcessModel model_;
  std::unique_ptr<process::Model> root_;
  process::Simulator simulator_;
  Duration now_{};
};

// Takes the seed out of the settings.
std::uint64_t TakeSeed(std::vector<ParameterText>& settings) {
  const auto found =
      std::ranges::find(settings, kSeedName, &ParameterText::name);
  if (found == settings.end()) {
    return kDefaultSeed;
  }
  const auto seed =
      ParseWhole(found->value, std::numeric_limits<std::int64_t>::max());
  if (!seed) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set 'seed' to '" + found->value +
                    "': it takes a whole number of 0 or more");
  }
  settings.erase(found);
  return *seed;
}

// True if the class has a parameter `seed` of its own: only to make the model
// tells.
bool DeclaresSeed(const ClassModel& model,
                  std::vector<ParameterText> settings) {
  std::erase_if(settings, [](const ParameterText& setting) {
    return setting.name == kSeedName;
  });
  Parameters probe(std::move(settings));
  if (const auto* const devs = std::get_if<DevsModel>(&model)) {
    static_cast<void>(devs->Make(probe));
  } else if (const auto* const tasks = std::get_if<ProcessModel>(&model)) {
    static_cast<void>(tasks->Make(probe));
  }
  const auto declared = probe.declared();
  return std::ranges::find(declared, kSeedName, &ParameterInfo::name) !=
         declared.end();
}

}  // namespace

std::unique_ptr<ClassRun> MakeClassRun(const ClassModel& model,
                                       std::vector<ParameterText> settings) {
  const bool is_given =
      std::ranges::find(settings, kSeedName, &ParameterText::name) !=
      settings.end();
  const bool is_own = is_given && DeclaresSeed(model, settings);
  const std::uint64_t seed = is_own ? kDefaultSeed : TakeSeed(settings);
  if (const auto* const devs = std::get_if<DevsModel>(&model)) {
    return std::make_unique<DevsClassRun>(*devs, std::move(settings), seed);
  }
  if (const auto* const tasks = std::get_if<ProcessModel>(&model)) {
    return std::make_unique<TaskClassRun>(*tasks, std::move(settings), seed);
  }
  throw Error(ErrorCode::kUnsupported,
              "cannot make an FMU of " + NameOf(model) +
                  ": it is a Simulation; DEVS models and models of tasks can "
                  "be FMUs");
}

std::vector<ClassVariable> VariablesOf(const ClassRun& run) {
  std::vector<ClassVariable> variables;
  const auto declared = run.parameters().declared();
  const auto values = run.parameters().values();
  for (std::size_t i = 0; i < declared.size(); ++i) {
    ClassVariable parameter = QuantityOf(
        declared[i].name, Role::kParameter, values[i].value, declared[i].unit);
    parameter.meaning = declared[i].meaning;
    variables.push_back(std::move(parameter));
  }
  const bool has_own_seed =
      std::ranges::find(declared, kSeedName, &ParameterInfo::name) !=
      declared.end();
  if (!has_own_seed) {
    variables.push_back({.name = kSeedName,
                         .role = Role::kSeed,
                         .type = orrery::ValueType::kInteger,
                         .meaning = "Seed of all random numbers",
                         .start = static_cast<std::int64_t>(run.seed())});
  }
  for (ClassVariable& quantity : run.Quantities()) {
    variables.push_back(std::move(quantity));
  }
  return variables;
}

double NumberOf(const Record::Value& value) {
  return NumberIn(value).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace orrery::sdk::internal
