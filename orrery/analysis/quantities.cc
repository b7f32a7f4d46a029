#include "orrery/analysis/quantities.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"

namespace orrery::analysis::internal {
namespace {

void AppendElements(const Program& program,
                    std::size_t variable,
                    std::vector<Quantity>& to) {
  const auto count =
      static_cast<std::size_t>(NumElements(program.variables[variable].shape));
  for (std::size_t k = 0; k < count; ++k) {
    to.push_back(QuantityOf(program, {.variable = variable, .element = k}));
  }
}

// The first quantity of this kind for each slot.
std::vector<Quantity> InSlots(const Program& program,
                              std::span<const std::uint32_t> slots,
                              VariableKind kind) {
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    numbers.emplace(slots[i], i);
  }
  std::vector<Quantity> found(slots.size());
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (program.variables[v].kind != kind) {
      continue;
    }
    std::vector<Quantity> elements;
    AppendElements(program, v, elements);
    for (Quantity& element : elements) {
      const auto number = numbers.find(element.at.slot);
      if (number != numbers.end() && element.at.sign > 0 &&
          found[number->second].name.empty()) {
        found[number->second] = std::move(element);
      }
    }
  }
  return found;
}

// The array variable with this name.
std::optional<std::size_t> FindArray(const Program& program,
                                     std::string_view name) {
  const auto found =
      std::ranges::find(program.variables, name, &ProgramVariable::name);
  if (found == program.variables.end() || found->shape.empty()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - program.variables.begin());
}

}  // namespace

Quantity QuantityOf(const Program& program, NamedScalar scalar) {
  return {.scalar = scalar,
          .name = NameOf(program, scalar),
          .at = ReferenceOf(program, scalar)};
}

std::vector<Quantity> StatesOf(const Program& program) {
  std::vector<Quantity> states =
      InSlots(program, program.state_slots, VariableKind::kState);
  std::vector<std::string> names = StateNames(program);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].name = std::move(names[i]);
    states[i].at = {.slot = program.state_slots[i]};
  }
  return states;
}

std::vector<Quantity> InputsOf(const Program& program) {
  std::vector<Quantity> inputs =
      InSlots(program, program.input_slots, VariableKind::kInput);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].name = program.input_names[i];
    inputs[i].at = {.slot = program.input_slots[i]};
  }
  return inputs;
}

std::vector<Quantity> OutputsOf(const Program& program) {
  std::vector<Quantity> outputs;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (program.variables[v].is_output &&
        program.variables[v].type == ValueType::kReal) {
      AppendElements(program, v, outputs);
    }
  }
  return outputs;
}

std::vector<Quantity> FindQuantities(const Program& program,
                                     std::span<const std::string> names,
                                     std::string_view task) {
  const NameTable table(program);
  std::vector<Quantity> found;
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    if (const auto array = FindArray(program, name)) {
      AppendElements(program, *array, found);
    } else {
      try {
        found.push_back(QuantityOf(program, table.Get(name)));
      } catch (const Error& error) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("cannot {}: {}", task, error.what()));
      }
    }
    if (found.size() > before &&
        program.variables[found.back().scalar.variable].type !=
            ValueType::kReal) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot {}: '{}' is not a Real quantity; it "
                              "changes in jumps only",
                              task,
                              name));
    }
  }
  return found;
}

NamedValue ValueOf(const Program& program,
                   const Quantity& quantity,
                   double value) {
  return {.name = quantity.name,
          .unit = UnitOfElement(
              program.variables[quantity.scalar.variable].notes->unit.str(),
              quantity.scalar.element),
          .value = value};
}

std::optional<Diagnostic> WarnOfTicks(const Program& program,
                                      std::string_view what) {
  if (program.events.ticks.empty()) {
    return std::nullopt;
  }
  return MakeDiagnostic(
      Severity::kWarning,
      program.events.ticks.front().span,
      fmt::format("what is sampled is held: {} is without it", what));
}

}  // namespace orrery::analysis::internal
