#include "orrery/sdk/fmu/class_export.h"

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/fmi/writing/unit_description.h"
#include "orrery/sdk/fmu_code/class_model_file.h"
#include "orrery/sdk/fmu_code/class_run.h"

namespace orrery {
namespace {

using sdk::internal::ClassVariable;
using Role = ClassVariable::Role;

fmi::ValueType TypeOf(const ClassVariable& variable, fmi::FmiVersion version) {
  if (variable.is_text) {
    return fmi::ValueType::kString;
  }
  switch (variable.type) {
    case ValueType::kBoolean:
      return fmi::ValueType::kBoolean;
    case ValueType::kInteger:
      return version == fmi::FmiVersion::k2 ? fmi::ValueType::kInt32
                                            : fmi::ValueType::kInt64;
    case ValueType::kReal:
      break;
  }
  return fmi::ValueType::kFloat64;
}

fmi::Values StartOf(const ClassVariable& variable) {
  if (const auto* const text = std::get_if<std::string>(&variable.start)) {
    return std::vector<std::string>{*text};
  }
  const double number = sdk::internal::NumberOf(variable.start);
  if (variable.type == ValueType::kReal) {
    return std::vector<double>{number};
  }
  return std::vector<std::int64_t>{static_cast<std::int64_t>(number)};
}

void Classify(const ClassVariable& its, fmi::Variable& variable) {
  variable.variability = fmi::Variability::kDiscrete;
  variable.initial = fmi::Initial::kCalculated;
  switch (its.role) {
    case Role::kParameter:
    case Role::kSeed:
      variable.causality = fmi::Causality::kParameter;
      variable.variability = fmi::Variability::kFixed;
      variable.initial = fmi::Initial::kExact;
      variable.start = StartOf(its);
      return;
    case Role::kInput:
    case Role::kInputCount:
      variable.causality = fmi::Causality::kInput;
      variable.initial = fmi::Initial::kNone;
      variable.start = StartOf(its);
      return;
    case Role::kResource:
      variable.causality = fmi::Causality::kOutput;
      if (its.type == ValueType::kReal) {
        variable.variability = fmi::Variability::kContinuous;
      }
      return;
    case Role::kOutput:
    case Role::kOutputCount:
      variable.causality = fmi::Causality::kOutput;
      return;
    case Role::kResult:
      variable.causality = fmi::Causality::kLocal;
      return;
  }
}

fmi::Description DescriptionOf(const std::string& name,
                               const std::vector<ClassVariable>& variables,
                               fmi::FmiVersion version) {
  fmi::Description description;
  description.version = version;
  description.model_name = name;
  description.has_structured_names = true;
  description.log_categories = {{"logStatusError", "Failures of calls"}};
  description.variables.push_back({.name = "time",
                                   .description = "Simulation time",
                                   .causality = fmi::Causality::kIndependent});
  std::set<std::string> names = {"time"};
  std::set<std::string> units;
  for (const ClassVariable& its : variables) {
    if (!names.insert(its.name).second) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot export " + name +
                      ": two of its quantities are "
                      "called '" +
                      its.name + "'; rename one");
    }
    const auto index =
        static_cast<fmi::VariableIndex>(description.variables.size());
    fmi::Variable variable{.name = its.name,
                           .description = its.meaning,
                           .reference = index,
                           .type = TypeOf(its, version)};
    Classify(its, variable);
    if (variable.type == fmi::ValueType::kFloat64 && !its.unit.empty()) {
      variable.unit = its.unit;
      if (units.insert(its.unit).second) {
        description.units.push_back(fmi::UnitCalled(its.unit));
      }
    }
    if (variable.causality == fmi::Causality::kOutput) {
      description.structure.outputs.push_back({.variable = index});
      description.structure.initial_unknowns.push_back({.variable = index});
    }
    description.variables.push_back(std::move(variable));
  }
  return description;
}

}  // namespace

std::string ExportClassFmu(const ClassModel& model,
                           std::vector<ParameterText> settings,
                           fmi::FmiVersion version,
                           std::string code) {
  const auto run = sdk::internal::MakeClassRun(model, settings);
  sdk::internal::ClassModelFile file{
      .token = {},
      .settings = std::move(settings),
      .variables = sdk::internal::VariablesOf(*run)};
  fmi::FmuContent content{
      .description = DescriptionOf(NameOf(model), file.variables, version),
      .identifier = fmi::IdentifierOf(NameOf(model)),
      .code = std::move(code),
      .model = [&file](const std::string& token) {
        file.token = token;
        return BytesOf(file);
      }};
  content.description.experiment.start = 0;
  if (const auto stop = run->parameters().default_stop()) {
    content.description.experiment.stop = Seconds(*stop).value;
  }
  content.description.interfaces.push_back(
      {.kind = fmi::InterfaceKind::kCoSimulation,
       .model_identifier = content.identifier,
       .can_handle_variable_step = true});
  return fmi::PackFmu(content);
}

}  // namespace orrery
