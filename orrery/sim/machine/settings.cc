#include "orrery/sim/machine/settings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::sim::internal {
namespace {

constexpr std::string_view kComputed =
    "the model computes it; set a parameter, the start of a state or an input";

constexpr std::string_view kMoves =
    "the model computes it as the run goes on; set a parameter or an input";

// True if a quantity keeps the value that it is given.
bool IsHeld(VariableKind kind) {
  return kind == VariableKind::kConstant || kind == VariableKind::kParameter ||
         kind == VariableKind::kInput;
}

[[noreturn]] void Refuse(const Setting& setting, std::string_view why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot set '{}': {}", setting.name, why));
}

// Names that can be set: parameters, inputs and states, for their starts.
std::vector<std::string> Settable(const Program& program) {
  std::vector<std::string> names;
  for (const ProgramVariable& variable : program.variables) {
    const VariableKind kind = variable.kind;
    if (!variable.is_protected && !variable.is_final &&
        (kind == VariableKind::kParameter || kind == VariableKind::kInput ||
         kind == VariableKind::kState)) {
      names.push_back(variable.name);
    }
  }
  return names;
}

// Suggestions for somebody who wanted to set `name`.
std::string SettableLike(const Program& program, const std::string& name) {
  constexpr std::size_t kSome = 8;
  const std::vector<std::string> names = Settable(program);
  std::string hint = Suggest(name, names);
  if (!hint.empty()) {
    return hint;
  }
  return names.size() <= kSome
             ? "nothing of it can be set"
             : Suggest(name, std::span(names).first(kSome)) + " and " +
                   std::to_string(names.size() - kSome) + " more can be set";
}

NamedScalar Find(const Program& program,
                 const NameTable& names,
                 const Setting& setting) {
  const std::string& name = setting.name;
  const bool is_whole =
      name.find('[') == std::string::npos &&
      std::ranges::find(program.variables, name, &ProgramVariable::name) ==
          program.variables.end();
  try {
    return names.Get(name);
  } catch (const Error& error) {
    Refuse(setting,
           is_whole ? "no quantity '" + name + "' in model " + program.name +
                          Clause(SettableLike(program, name))
                    : error.what());
  }
}

// A parameter that shaped the equations keeps its value of that time.
void CheckParameter(const Program& program,
                    const Setting& setting,
                    NamedScalar scalar) {
  const ProgramVariable& variable = program.variables[scalar.variable];
  if (variable.kind == VariableKind::kConstant) {
    Refuse(setting, "it is a constant of the model; make it a parameter there");
  }
  if (variable.is_final) {
    Refuse(setting, "it is final: the model gives its value for good");
  }
  const double compiled =
      program.initial_memory[ReferenceOf(program, scalar).slot];
  if (variable.is_structural && setting.value != compiled) {
    Refuse(setting,
           fmt::format("it shapes the equations, which are compiled for {}; "
                       "load the model with this setting",
                       compiled));
  }
}

bool IsLoopUnknown(const Program& program, std::uint32_t slot) {
  return std::ranges::any_of(
      program.blocks, [slot](const ResidualBlock& block) {
        return std::ranges::find(block.unknown_slots, slot) !=
               block.unknown_slots.end();
      });
}

void CheckValue(const ProgramVariable& variable, const Setting& setting) {
  const std::string why = WhyNotValue(variable.type, setting.value);
  if (!why.empty()) {
    Refuse(setting, why);
  }
}

}  // namespace

Reference PlaceOf(const Program& program, NamedScalar scalar) {
  Reference place = ReferenceOf(program, scalar);
  if (!IsHeld(program.variables[scalar.variable].kind)) {
    place.slot = FindStart(program, place.slot)->slot;
  }
  return place;
}

std::string WhyNotValue(ValueType type, double value) {
  if (!std::isfinite(value)) {
    return fmt::format("{} is not a finite number", value);
  }
  if (type == ValueType::kInteger && value != std::round(value)) {
    return fmt::format("it is an Integer, and {} is none", value);
  }
  if (type == ValueType::kBoolean && value != 0 && value != 1) {
    return fmt::format("it is a Boolean, and {} is none; give true or false",
                       value);
  }
  if (type == ValueType::kInteger && std::abs(value) > kMaxInteger) {
    return fmt::format(
        "{} is beyond the Integers, which lie between -2^53 and 2^53", value);
  }
  return {};
}

std::vector<NamedScalar> FindScalars(const Program& program,
                                     std::span<const Setting> settings) {
  std::vector<NamedScalar> scalars;
  if (settings.empty()) {
    return scalars;
  }
  const NameTable names(program);
  for (const Setting& setting : settings) {
    scalars.push_back(Find(program, names, setting));
  }
  return scalars;
}

void CheckSetting(const Program& program,
                  const Setting& setting,
                  NamedScalar scalar,
                  bool is_running) {
  const ProgramVariable& variable = program.variables[scalar.variable];
  const VariableKind kind = variable.kind;
  if (!IsHeld(kind)) {
    if (is_running) {
      Refuse(setting, kMoves);
    }
    if (kind == VariableKind::kDerivative ||
        FindStart(program, ReferenceOf(program, scalar).slot) == nullptr) {
      Refuse(setting, kComputed);
    }
  }
  CheckValue(variable, setting);
  if (!IsHeld(kind) && variable.is_final) {
    Refuse(setting, "its start is final: the model gives it for good");
  }
  if (IsHeld(kind) && kind != VariableKind::kInput) {
    CheckParameter(program, setting, scalar);
  }
}

Settings::Settings(const Program& program,
                   std::span<const Setting> settings,
                   std::span<const NamedScalar> scalars,
                   const InputSignals& inputs)
    : program_(&program) {
  Renew(settings, scalars, inputs);
}

void Settings::Renew(std::span<const Setting> settings,
                     std::span<const NamedScalar> scalars,
                     const InputSignals& inputs) {
  ORRERY_CHECK(settings.size() == scalars.size());
  parameters_.clear();
  starts_.clear();
  warnings_.clear();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    CheckSetting(*program_, settings[i], scalars[i], /*is_running=*/false);
    Add(settings[i], scalars[i], inputs);
  }
  FindSlots();
}

void Settings::FindSlots() {
  slots_.clear();
  for (const auto* targets : {&parameters_, &starts_}) {
    for (const Target& target : *targets) {
      slots_.push_back(target.at.slot);
    }
  }
  std::ranges::sort(slots_);
}

// The target for a parameter or an input, which keeps its value until it is
// given another.
Settings::Target Settings::HeldTarget(const Setting& setting,
                                      NamedScalar scalar,
                                      const InputSignals& inputs) const {
  const Target target{.scalar = scalar,
                      .at = ReferenceOf(*program_, scalar),
                      .value = setting.value};
  if (program_->variables[scalar.variable].kind == VariableKind::kInput &&
      inputs.Gives(target.at.slot)) {
    Refuse(setting, "the table of inputs gives it as well; leave one");
  }
  return target;
}

void Settings::Add(const Setting& setting,
                   NamedScalar scalar,
                   const InputSignals& inputs) {
  const VariableKind kind = program_->variables[scalar.variable].kind;
  if (IsHeld(kind)) {
    parameters_.push_back(HeldTarget(setting, scalar, inputs));
  } else {
    AddStart(setting,
             {.scalar = scalar,
              .at = ReferenceOf(*program_, scalar),
              .value = setting.value});
  }
}

void Settings::Change(const NameTable& names,
                      std::span<const Setting> settings,
                      const InputSignals& inputs) {
  std::vector<Target> targets = parameters_;
  for (const Setting& setting : settings) {
    const NamedScalar scalar = Find(*program_, names, setting);
    CheckSetting(*program_, setting, scalar, /*is_running=*/true);
    const Target target = HeldTarget(setting, scalar, inputs);
    std::erase_if(targets, [&](const Target& other) {
      return other.at.slot == target.at.slot;
    });
    targets.push_back(target);
  }
  parameters_ = std::move(targets);
  FindSlots();
}

void Settings::Transfer(StateStream& stream, const InputSignals& inputs) {
  std::size_t count = parameters_.size();
  stream.Count(count, 2 * sizeof(std::uint64_t) + sizeof(double));
  std::vector<Target> targets(parameters_);
  targets.resize(count);
  for (Target& target : targets) {
    stream.Number(target.scalar.variable);
    stream.Number(target.scalar.element);
    stream.Number(target.value);
    if (!stream.reads()) {
      continue;
    }
    stream.Expect(target.scalar.variable < program_->variables.size(),
                  "no variable");
    const ProgramVariable& variable =
        program_->variables[target.scalar.variable];
    stream.Expect(IsHeld(variable.kind) &&
                      target.scalar.element <
                          static_cast<std::size_t>(NumElements(variable.shape)),
                  "no parameter");
    const Setting setting{.name = NameOf(*program_, target.scalar),
                          .value = target.value};
    CheckSetting(*program_, setting, target.scalar, /*is_running=*/true);
    target = HeldTarget(setting, target.scalar, inputs);
  }
  parameters_ = std::move(targets);
  FindSlots();
}

void Settings::AddStart(const Setting& setting, Target target) {
  const StartValue* const start = FindStart(*program_, target.at.slot);
  target.at.slot = start->slot;
  for (const Target& other : starts_) {
    const double value =
        other.at.sign == target.at.sign ? other.value : -other.value;
    if (other.at.slot == target.at.slot && value != target.value &&
        (other.scalar.variable != target.scalar.variable ||
         other.scalar.element != target.scalar.element)) {
      Refuse(setting,
             fmt::format("it is the same quantity as '{}', which is set to {}",
                         NameOf(*program_, other.scalar),
                         other.value));
    }
  }
  starts_.push_back(target);
  WarnOfGuess(setting, program_->variables[target.scalar.variable], *start);
}

void Settings::WarnOfGuess(const Setting& setting,
                           const ProgramVariable& variable,
                           const StartValue& start) {
  const bool is_overruled = start.role == StartValue::Role::kOverruled;
  if (start.role == StartValue::Role::kHolds ||
      (!is_overruled && IsLoopUnknown(*program_, start.target))) {
    return;
  }
  warnings_.push_back(MakeDiagnostic(
      Severity::kWarning,
      variable.notes->span,
      fmt::format("'{}' need not start at {}: {} determine it; the value is "
                  "{}",
                  setting.name,
                  setting.value,
                  is_overruled ? "initial equations" : "equations",
                  IsLoopUnknown(*program_, start.target)
                      ? "a first guess for their solver"
                      : "not used")));
}

std::optional<std::size_t> Settings::ApplyParameters(
    ProgramEvaluator& evaluator) const {
  Write(parameters_, evaluator);
  for (const ParameterBinding& binding : program_->parameter_bindings) {
    if (!RunBinding(binding, evaluator)) {
      return binding.section;
    }
  }
  return std::nullopt;
}

bool Settings::RunBinding(const ParameterBinding& binding,
                          ProgramEvaluator& evaluator) const {
  if (Replaces(binding)) {
    return true;
  }
  if (evaluator.RunSection(binding.section)) {
    return false;
  }
  const std::uint32_t first =
      ReferenceOf(*program_, {.variable = binding.variable}).slot;
  const auto count = static_cast<std::size_t>(
      NumElements(program_->variables[binding.variable].shape));
  if (GivesAny(first, count)) {
    Write(parameters_, evaluator);
  }
  const auto values = evaluator.memory().subspan(first, count);
  return std::ranges::none_of(values, [](double x) { return std::isnan(x); });
}

std::optional<std::size_t> Settings::ApplyStarts(
    ProgramEvaluator& evaluator) const {
  for (const ParameterBinding& binding : program_->start_bindings) {
    if (!ReplacesStart(binding) && evaluator.RunSection(binding.section)) {
      return binding.section;
    }
  }
  Write(starts_, evaluator);
  for (const StartValue& start : program_->starts) {
    evaluator.Copy({.slot = start.slot}, {.slot = start.target});
  }
  return std::nullopt;
}

bool Settings::Replaces(const ParameterBinding& parameter) const {
  return program_->variables[parameter.variable].shape.empty() &&
         Gives(ReferenceOf(*program_, {.variable = parameter.variable}).slot);
}

bool Settings::ReplacesStart(const ParameterBinding& start) const {
  const StartValue* const value = FindStart(
      *program_, ReferenceOf(*program_, {.variable = start.variable}).slot);
  return program_->variables[start.variable].shape.empty() &&
         value != nullptr && Gives(value->slot);
}

bool Settings::Gives(std::uint32_t slot) const {
  return std::ranges::binary_search(slots_, slot);
}

bool Settings::GivesAny(std::uint32_t first, std::size_t count) const {
  const auto found = std::ranges::lower_bound(slots_, first);
  return found != slots_.end() && *found - first < count;
}

void Settings::Write(std::span<const Target> targets,
                     ProgramEvaluator& evaluator) {
  for (const Target& target : targets) {
    evaluator.SetValue(target.at, target.value);
  }
}

std::vector<std::size_t> SectionsOfBindings(const Program& program,
                                            const Settings& settings) {
  std::vector<std::size_t> sections;
  for (const ParameterBinding& binding : program.parameter_bindings) {
    if (!settings.Replaces(binding)) {
      sections.push_back(binding.section);
    }
  }
  for (const ParameterBinding& binding : program.start_bindings) {
    if (!settings.ReplacesStart(binding)) {
      sections.push_back(binding.section);
    }
  }
  return sections;
}

}  // namespace orrery::sim::internal
