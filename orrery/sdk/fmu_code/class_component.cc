#include "orrery/sdk/fmu_code/class_component.h"

#include <cmath>
#include <utility>
#include <variant>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/number_text.h"
#include "orrery/fmi/runtime/exported_model.h"

extern "C" const orrery::PluginEntry* OrreryPlugin();

namespace orrery::sdk::internal {
namespace {

using Role = ClassVariable::Role;

[[noreturn]] void Refuse(const ClassVariable& variable,
                         const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot set '" + variable.name + "': " + why);
}

// Whole numbers up to it are exact in a double.
constexpr double kMostExact = 9007199254740992;

// A number as `--set` takes it.
std::string TextFor(const ClassVariable& variable, double value) {
  switch (variable.type) {
    case orrery::ValueType::kBoolean:
      return value != 0 ? "true" : "false";
    case orrery::ValueType::kInteger:
      if (!(std::abs(value) <= kMostExact)) {
        Refuse(variable, "whole numbers are between -2^53 and 2^53");
      }
      return std::to_string(static_cast<std::int64_t>(value));
    case orrery::ValueType::kReal:
      break;
  }
  return ShortestText(value);
}

// `port` of `port.count`.
std::string PortOf(const std::string& count_name) {
  return count_name.substr(0, count_name.rfind('.'));
}

}  // namespace

ClassComponent::ClassComponent(ClassModel model, ClassModelFile file)
    : model_(std::move(model)), file_(std::move(file)) {
  ClassComponent::Reset();
}

void ClassComponent::Reset() {
  run_.reset();
  is_started_ = false;
  t_ = 0;
  given_.clear();
  inputs_.clear();
  sent_.clear();
  for (const ParameterText& setting : file_.settings) {
    given_[setting.name] = setting.value;
  }
}

void ClassComponent::Setup(double start,
                           std::optional<double> /*stop*/,
                           std::optional<double> /*tolerance*/) {
  if (start != 0) {
    throw Error(ErrorCode::kUnsupported,
                "cannot start at " + ShortestText(start) +
                    " s: models of discrete events begin at 0 s");
  }
  run_.reset();
}

ClassRun& ClassComponent::Run() {
  if (run_ == nullptr) {
    std::vector<ParameterText> settings;
    for (const auto& [name, value] : given_) {
      settings.push_back({.name = name, .value = value});
    }
    run_ = MakeClassRun(model_, std::move(settings));
  }
  return *run_;
}

void ClassComponent::Start() {
  Run();
  is_started_ = true;
}

const ClassVariable& ClassComponent::VariableAt(std::uint32_t reference) const {
  if (reference == 0 || reference > file_.variables.size()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "no variable has the value reference " + std::to_string(reference));
  }
  return file_.variables[reference - 1];
}

Record::Value ClassComponent::ValueOf(const ClassVariable& variable) {
  switch (variable.role) {
    case Role::kInput:
    case Role::kInputCount: {
      const auto input = inputs_.find(variable.name);
      return input == inputs_.end() ? variable.start
                                    : Record::Value(input->second);
    }
    case Role::kSeed: {
      const auto given = given_.find(variable.name);
      return given == given_.end() ? variable.start
                                   : Record::Value(std::stod(given->second));
    }
    case Role::kParameter: {
      const Parameters& parameters = Run().parameters();
      for (std::size_t i = 0; i < parameters.declared().size(); ++i) {
        if (parameters.declared()[i].name == variable.name) {
          return parameters.values()[i].value;
        }
      }
      return {};
    }
    default:
      return Run().Value(variable);
  }
}

double ClassComponent::Get(std::uint32_t reference, fmi::NumberType type) {
  if (reference == 0 && type == fmi::NumberType::kReal) {
    return t_;
  }
  const ClassVariable& variable = VariableAt(reference);
  if (variable.is_text || variable.type != type) {
    throw Error(ErrorCode::kInvalidArgument,
                "variable " + variable.name + " is of another type");
  }
  const double number = NumberOf(ValueOf(variable));
  if (type != fmi::NumberType::kReal && std::isnan(number)) {
    throw Error(ErrorCode::kInvalidModel,
                "variable " + variable.name + " has no value now");
  }
  return number;
}

std::string ClassComponent::GetText(std::uint32_t reference) {
  const ClassVariable& variable = VariableAt(reference);
  const Record::Value value = ValueOf(variable);
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "variable " + variable.name + " is no text");
  }
  return *text;
}

void ClassComponent::Set(std::uint32_t reference,
                         fmi::NumberType type,
                         double value) {
  const ClassVariable& variable = VariableAt(reference);
  if (variable.is_text || variable.type != type) {
    Refuse(variable, "it is of another type");
  }
  if (variable.role == Role::kInput || variable.role == Role::kInputCount) {
    inputs_[variable.name] = value;
    return;
  }
  SetParameter(variable, TextFor(variable, value));
}

void ClassComponent::SetText(std::uint32_t reference, const std::string& text) {
  const ClassVariable& variable = VariableAt(reference);
  if (!variable.is_text) {
    Refuse(variable, "it is no text");
  }
  SetParameter(variable, text);
}

void ClassComponent::SetParameter(const ClassVariable& variable,
                                  std::string text) {
  if (variable.role != Role::kParameter && variable.role != Role::kSeed) {
    Refuse(variable, "the model computes it");
  }
  if (is_started_) {
    Refuse(variable, "the model is made with it; it is set before the start");
  }
  given_[variable.name] = std::move(text);
  run_.reset();
}

// A new count sends the number of its port.
void ClassComponent::SendMessages() {
  bool has_sent = false;
  for (const ClassVariable& variable : file_.variables) {
    if (variable.role != Role::kInputCount) {
      continue;
    }
    const auto count = inputs_.find(variable.name);
    double& sent = sent_[variable.name];
    if (count == inputs_.end() || count->second == sent) {
      continue;
    }
    sent = count->second;
    const std::string port = PortOf(variable.name);
    const auto number = inputs_.find(port);
    Run().Send(port, number == inputs_.end() ? 0 : number->second);
    has_sent = true;
  }
  if (has_sent) {
    Run().AdvanceTo(ToDuration(t_));
  }
}

fmi::Component::StepEnd ClassComponent::DoStep(double t, double step) {
  const double end = t + step;
  static_cast<void>(fmi::CheckStep(t, step, t_));
  const auto reached = NearestDuration(end);
  if (!reached) {
    throw Error(ErrorCode::kInvalidArgument,
                "a step to " + ShortestText(end) +
                    " s cannot be taken: the times of discrete events are "
                    "less than 9.2e9 s");
  }
  SendMessages();
  Run().AdvanceTo(*reached);
  t_ = end;
  return {.reached = end, .is_terminated = false};
}

std::string ClassComponent::Save() {
  throw Error(ErrorCode::kUnsupported,
              "states of models of discrete events cannot be saved");
}

void ClassComponent::Restore(std::string_view /*state*/) {
  static_cast<void>(Save());
}

}  // namespace orrery::sdk::internal

namespace orrery::fmi {

std::unique_ptr<Component> MakeComponent(const std::string& folder,
                                         std::string_view token,
                                         Component::Use use) {
  using namespace sdk::internal;
  if (use != Component::Use::kCoSimulation) {
    throw Error(ErrorCode::kUnsupported,
                "this FMU is for Co-Simulation only: it has no equations");
  }
  const std::string path =
      folder + (folder.ends_with('/') ? "" : "/") + std::string(kModelFile);
  ClassModelFile file = ClassModelFromBytes(SourceFile::Read(path)->text());
  CheckToken(token, file.token, path);
  return std::make_unique<ClassComponent>(OrreryPlugin()->model(),
                                          std::move(file));
}

}  // namespace orrery::fmi
