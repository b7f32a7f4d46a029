#include "orrery/program/program.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/numbers/all_finite.h"

namespace orrery {
namespace {

// The row-major element that "2,3" names in an array of `shape`.
std::optional<std::size_t> ParseSubscripts(std::string_view text,
                                           const Shape& shape) {
  if (shape.empty()) {
    return std::nullopt;
  }
  std::size_t element = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t subscript = 0;
    const auto [rest, error] =
        std::from_chars(text.data(), text.data() + text.size(), subscript);
    if (error != std::errc() || subscript < 1 || subscript > shape[i]) {
      return std::nullopt;
    }
    element = element * static_cast<std::size_t>(shape[i]) +
              static_cast<std::size_t>(subscript - 1);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    const bool is_last = i + 1 == shape.size();
    if (is_last ? !text.empty() : !text.starts_with(',')) {
      return std::nullopt;
    }
    text.remove_prefix(is_last ? 0 : 1);
  }
  return element;
}

struct SubscriptedName {
  std::string array;
  std::string_view subscripts;
};

// "u" and "3" of u[3]; "der(u)" and "3" of der(u[3]). The last bracket belongs
// to the array.
std::optional<SubscriptedName> PartSubscripts(std::string_view name) {
  const std::size_t open = name.rfind('[');
  const std::size_t close = name.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos ||
      close < open) {
    return std::nullopt;
  }
  return SubscriptedName{.array = std::string(name.substr(0, open)) +
                                  std::string(name.substr(close + 1)),
                         .subscripts = name.substr(open + 1, close - open - 1)};
}

}  // namespace

NameTable::NameTable(const Program& program) : program_(program) {
  by_name_.reserve(program.variables.size());
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    by_name_.emplace(program.variables[i].name, i);
  }
}

std::optional<NamedScalar> NameTable::Find(std::string_view name) const {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    if (program_.variables[found->second].shape.empty()) {
      return NamedScalar{.variable = found->second, .element = 0};
    }
    return std::nullopt;
  }
  if (!program_.element_names.empty()) {
    const std::string written = program_.element_names.WithLiterals(name);
    if (written != name) {
      return Find(written);
    }
  }
  const auto parts = PartSubscripts(name);
  const auto found = parts ? by_name_.find(parts->array) : by_name_.end();
  if (found == by_name_.end()) {
    return std::nullopt;
  }
  const std::string numbers = program_.element_names.empty()
                                  ? std::string(name)
                                  : program_.element_names.WithNumbers(name);
  const auto element = ParseSubscripts(PartSubscripts(numbers)->subscripts,
                                       program_.variables[found->second].shape);
  if (!element) {
    return std::nullopt;
  }
  return NamedScalar{.variable = found->second, .element = *element};
}

NamedScalar NameTable::Get(std::string_view name) const {
  if (const auto found = Find(name)) {
    return *found;
  }
  std::vector<std::string> known;
  for (const ProgramVariable& variable : program_.variables) {
    if (variable.name == name) {
      throw Error(ErrorCode::kInvalidArgument,
                  "'" + std::string(name) + "' is an array; name an element: " +
                      NameOf(program_, {by_name_.at(name), 0}));
    }
    if (!variable.is_protected) {
      known.push_back(variable.name);
    }
  }
  const std::string hint = HintFor(name, known);
  throw Error(ErrorCode::kInvalidArgument,
              "no quantity '" + std::string(name) + "' in model " +
                  program_.name + Clause(hint));
}

std::string NameTable::HintFor(std::string_view name,
                               std::span<const std::string> known) const {
  const auto parts = PartSubscripts(name);
  const auto found = parts ? by_name_.find(parts->array) : by_name_.end();
  if (found == by_name_.end()) {
    return Suggest(name, known);
  }
  const Shape& shape = program_.variables[found->second].shape;
  const auto count = static_cast<std::size_t>(NumElements(shape));
  const std::string array = "'" + parts->array + "'";
  if (shape.empty()) {
    return array + " is no array";
  }
  return count == 0 ? array + " has no elements"
                    : array + " is an array from " +
                          NameOf(program_, {found->second, 0}) + " to " +
                          NameOf(program_, {found->second, count - 1});
}

std::string NameOf(const Program& program, NamedScalar scalar) {
  const ProgramVariable& variable = program.variables[scalar.variable];
  if (variable.shape.empty()) {
    return variable.name;
  }
  std::vector<std::size_t> at(variable.shape.size());
  std::size_t rest = scalar.element;
  for (std::size_t i = at.size(); i-- > 0;) {
    const auto extent = static_cast<std::size_t>(variable.shape[i]);
    at[i] = rest % extent + 1;
    rest /= extent;
  }
  std::string subscripts;
  for (const std::size_t subscript : at) {
    subscripts += subscripts.empty() ? '[' : ',';
    subscripts += std::to_string(subscript);
  }
  subscripts += ']';
  if (variable.kind == VariableKind::kDerivative &&
      variable.name.ends_with(')')) {
    subscripts += ')';
  }
  std::string name = variable.name;
  name.resize(name.size() - (subscripts.back() == ')' ? 1 : 0));
  name += subscripts;
  return program.element_names.empty()
             ? name
             : program.element_names.WithLiterals(name);
}

namespace {

// Calls `use(slot, scalar)` for each name of a possible state; the first of
// several names of one comes first.
template <typename Use>
void ForEachNamedState(const Program& program, Use use) {
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const ProgramVariable& variable = program.variables[v];
    const auto count = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; variable.kind == VariableKind::kState && i < count;
         ++i) {
      const NamedScalar scalar{.variable = v, .element = i};
      const Reference at = ReferenceOf(program, scalar);
      if (at.sign > 0) {
        use(at.slot, scalar);
      }
    }
  }
}

}  // namespace

std::string StateName(const Program& program, std::size_t state) {
  std::string name;
  ForEachNamedState(program, [&](std::uint32_t slot, NamedScalar scalar) {
    if (name.empty() && slot == program.state_slots.at(state)) {
      name = NameOf(program, scalar);
    }
  });
  return name;
}

std::vector<std::string> StateNames(const Program& program) {
  std::unordered_map<std::uint32_t, std::size_t> state_at;  // By slot.
  for (std::size_t i = 0; i < program.state_slots.size(); ++i) {
    state_at.emplace(program.state_slots[i], i);
  }
  std::vector<std::string> names(program.state_slots.size());
  ForEachNamedState(program, [&](std::uint32_t slot, NamedScalar scalar) {
    const auto state = state_at.find(slot);
    if (state != state_at.end() && names[state->second].empty()) {
      names[state->second] = NameOf(program, scalar);
    }
  });
  return names;
}

bool AllFinite(std::span<const double> memory,
               std::span<const SlotRange> slots) {
  return std::ranges::all_of(slots, [memory](const SlotRange& range) {
    return AllFinite(memory.subspan(range.begin, range.end - range.begin));
  });
}

Reference ReferenceOf(const Program& program, NamedScalar scalar) {
  return program.references[program.variables[scalar.variable].first_reference +
                            scalar.element];
}

const StartValue* FindStart(const Program& program, std::uint32_t target) {
  const auto found =
      std::ranges::lower_bound(program.starts, target, {}, &StartValue::target);
  return found != program.starts.end() && found->target == target ? &*found
                                                                  : nullptr;
}

}  // namespace orrery
