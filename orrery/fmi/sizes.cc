#include "orrery/fmi/sizes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/fmi/instance.h"

namespace orrery::fmi {
namespace {

std::vector<std::string> StructuralNames(const Description& its) {
  std::vector<std::string> names;
  for (const Variable& variable : its.variables) {
    if (variable.causality == Causality::kStructuralParameter) {
      names.push_back(variable.name);
    }
  }
  return names;
}

// The dimension of an array that a structural parameter decides, for messages.
std::string UseOf(const Description& its, VariableIndex parameter) {
  for (const Variable& variable : its.variables) {
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
      if (variable.dimensions[i].variable == parameter) {
        return fmt::format(
            "; it is dimension {} of '{}'", i + 1, variable.name);
      }
    }
  }
  return "";
}

[[noreturn]] void RefuseSize(const ParameterText& text,
                             const std::string& why) {
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("cannot set '{}' to {}: {}", text.name, text.value, why));
}

// A structural parameter and its value.
std::pair<VariableIndex, std::uint64_t> ReadSize(const Description& its,
                                                 const ParameterText& text) {
  const auto found =
      std::ranges::find(its.variables, text.name, &Variable::name);
  if (found == its.variables.end() ||
      found->causality != Causality::kStructuralParameter) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set '{}': {} has no structural parameter "
                            "of this name{}",
                            text.name,
                            its.model_name,
                            Clause(Suggest(text.name, StructuralNames(its)))));
  }
  const auto index = static_cast<VariableIndex>(found - its.variables.begin());
  const auto value = ParseWhole(text.value, std::uint64_t{1} << 32);
  if (!value) {
    RefuseSize(text, "a size is a whole number" + UseOf(its, index));
  }
  const Number number = found->type == ValueType::kUInt64
                            ? Number(*value)
                            : Number(static_cast<std::int64_t>(*value));
  if (!IsInRange(*found, number)) {
    RefuseSize(text,
               fmt::format("it must be within {} to {}{}",
                           found->min ? TextOf(*found->min) : "0",
                           found->max ? TextOf(*found->max) : "inf",
                           UseOf(its, index)));
  }
  return {index, *value};
}

// Gives a variable its sizes.
// @returns true if they change.
bool Resize(const std::map<VariableIndex, std::uint64_t>& sizes,
            Variable& variable) {
  bool changes = false;
  for (Dimension& dimension : variable.dimensions) {
    if (!dimension.variable) {
      continue;
    }
    const auto found = sizes.find(*dimension.variable);
    if (found != sizes.end() && dimension.size != found->second) {
      dimension.size = found->second;
      changes = true;
    }
  }
  return changes;
}

// The start values that an FMU gives arrays, as its code has them.
void ReadStarts(Fmu fmu,
                InterfaceKind kind,
                const std::vector<VariableIndex>& resized,
                Description& its) {
  fmu.description = std::make_shared<const Description>(its);
  const auto library = std::make_shared<const Library>(fmu, kind);
  const auto instance = MakeInstance(library, its.model_name);
  instance->EnterInitialization(
      {.start = 0,
       .stop = std::numeric_limits<double>::infinity(),
       .tolerance = std::nullopt});
  for (const VariableIndex i : resized) {
    Variable& variable = its.variables[i];
    const std::size_t place = 0;
    const auto groups = GroupByType(its, {&i, 1}, {&place, 1});
    std::vector<double> row(SizeOf(variable));
    if (groups.empty() || row.empty()) {
      continue;
    }
    instance->GetNumbers(groups.front(), row);
    variable.start = std::visit(
        [&row]<typename T>(const std::vector<T>&) -> Values {
          if constexpr (std::is_same_v<T, std::string>) {
            return std::vector<T>(row.size());
          } else {
            std::vector<T> values;
            for (const double number : row) {
              values.push_back(static_cast<T>(number));
            }
            return values;
          }
        },
        EmptyOf(variable.type));
  }
}

bool HasStart(const Variable& variable) {
  return variable.causality == Causality::kParameter ||
         variable.causality == Causality::kInput ||
         variable.initial == Initial::kExact;
}

}  // namespace

bool IsStructural(const Fmu& fmu, std::string_view name) {
  return std::ranges::any_of(
      fmu.description->variables, [&](const Variable& variable) {
        return variable.causality == Causality::kStructuralParameter &&
               variable.name == name;
      });
}

Fmu WithSizes(const Fmu& fmu,
              InterfaceKind kind,
              std::span<const ParameterText> sizes) {
  if (sizes.empty()) {
    return fmu;
  }
  Description its = *fmu.description;
  std::map<VariableIndex, std::uint64_t> values;
  for (const ParameterText& text : sizes) {
    const auto [index, value] = ReadSize(its, text);
    values.insert_or_assign(index, value);
  }
  Fmu result = fmu;
  for (const auto& [index, value] : values) {
    Variable& parameter = its.variables[index];
    parameter.start = parameter.type == ValueType::kUInt64
                          ? Values(std::vector<std::uint64_t>{value})
                          : Values(std::vector<std::int64_t>{
                                static_cast<std::int64_t>(value)});
    result.sizes.push_back(index);
  }
  std::vector<VariableIndex> resized;
  for (VariableIndex i = 0; i < its.variables.size(); ++i) {
    Variable& variable = its.variables[i];
    if (!Resize(values, variable)) {
      continue;
    }
    if (variable.start && CountOf(*variable.start) > 1) {
      variable.start.reset();
    }
    if (HasStart(variable)) {
      resized.push_back(i);
    }
  }
  if (!OnlyDescribes()) {
    try {
      ReadStarts(result, kind, resized, its);
    } catch (const CallFailure& failure) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + fmu.archive->name() +
                      " other sizes of arrays: " + failure.what());
    }
  }
  result.description = std::make_shared<const Description>(std::move(its));
  return result;
}

}  // namespace orrery::fmi
