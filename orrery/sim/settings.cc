#include "orrery/sim/internal/settings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::internal {
namespace {

[[noreturn]] void Refuse(const Setting& setting, std::string_view why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot set '{}': {}", setting.name, why));
}

NamedScalar Find(const NameTable& names, const Setting& setting) {
  try {
    return names.Get(setting.name);
  } catch (const Error& error) {
    Refuse(setting, error.what());
  }
}

// States, and unknowns of loops, which are first guesses.
std::unordered_set<std::uint32_t> SlotsWithStart(const Program& program) {
  std::unordered_set<std::uint32_t> slots(program.state_slots.begin(),
                                          program.state_slots.end());
  for (const ResidualBlock& block : program.blocks) {
    slots.insert(block.unknown_slots.begin(), block.unknown_slots.end());
  }
  return slots;
}

void CheckParameter(const ProgramVariable& variable, const Setting& setting) {
  if (variable.kind == VariableKind::kConstant) {
    Refuse(setting, "it is a constant of the model; make it a parameter there");
  }
  if (variable.is_structural) {
    Refuse(setting,
           "it shapes the equations, which are compiled already; change it in "
           "the model");
  }
}

void CheckValue(const ProgramVariable& variable, const Setting& setting) {
  const double value = setting.value;
  if (!std::isfinite(value)) {
    Refuse(setting, fmt::format("{} is not a finite number", value));
  }
  if (variable.type == ValueType::kInteger && value != std::round(value)) {
    Refuse(setting, fmt::format("it is an Integer, and {} is none", value));
  }
  if (variable.type == ValueType::kBoolean && value != 0 && value != 1) {
    Refuse(setting,
           fmt::format("it is a Boolean, and {} is none; give true or false",
                       value));
  }
}

}  // namespace

Settings::Settings(const Program& program,
                   std::span<const Setting> settings,
                   const InputSignals& inputs)
    : program_(program) {
  if (settings.empty()) {
    return;
  }
  const NameTable names(program);
  const auto with_start = SlotsWithStart(program);
  for (const Setting& setting : settings) {
    const NamedScalar scalar = Find(names, setting);
    const ProgramVariable& variable = program.variables[scalar.variable];
    const Target target{.variable = scalar.variable,
                        .at = ReferenceOf(program, scalar),
                        .value = setting.value};
    CheckValue(variable, setting);
    switch (variable.kind) {
      case VariableKind::kConstant:
      case VariableKind::kParameter:
        CheckParameter(variable, setting);
        parameters_.push_back(target);
        break;
      case VariableKind::kInput:
        if (inputs.Gives(target.at.slot)) {
          Refuse(setting, "the table of inputs gives it as well; leave one");
        }
        parameters_.push_back(target);
        break;
      case VariableKind::kState:
      case VariableKind::kDerivative:
      case VariableKind::kAlgebraic:
        if (variable.kind == VariableKind::kDerivative ||
            !with_start.contains(target.at.slot)) {
          Refuse(setting,
                 "the model computes it; set a parameter, the start of a state "
                 "or an input");
        }
        starts_.push_back(target);
        break;
    }
  }
}

std::optional<std::size_t> Settings::ApplyParameters(Machine& machine) const {
  Write(parameters_, machine);
  for (const ParameterBinding& binding : program_.parameter_bindings) {
    if (!RunBinding(binding, machine)) {
      return binding.section;
    }
  }
  return std::nullopt;
}

bool Settings::RunBinding(const ParameterBinding& binding,
                          Machine& machine) const {
  const ProgramVariable& variable = program_.variables[binding.variable];
  const bool is_set =
      std::ranges::find(parameters_, binding.variable, &Target::variable) !=
      parameters_.end();
  if (is_set && variable.shape.empty()) {
    return true;
  }
  if (machine.RunSection(binding.section)) {
    return false;
  }
  if (is_set) {
    Write(parameters_, machine);
  }
  const auto count = static_cast<std::size_t>(NumElements(variable.shape));
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(machine.Value(ReferenceOf(
            program_, {.variable = binding.variable, .element = i})))) {
      return false;
    }
  }
  return true;
}

void Settings::ApplyStarts(Machine& machine) const {
  Write(starts_, machine);
}

bool Settings::Gives(std::uint32_t slot) const {
  return std::ranges::any_of(parameters_, [slot](const Target& target) {
    return target.at.slot == slot;
  });
}

void Settings::Write(std::span<const Target> targets, Machine& machine) {
  for (const Target& target : targets) {
    machine.SetValue(target.at, target.value);
  }
}

}  // namespace orrery::internal
