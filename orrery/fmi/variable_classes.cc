#include "orrery/fmi/variable_classes.h"

#include <array>
#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace orrery::fmi::internal {
namespace {

using Flags = std::array<bool, 5>;  // By Variability.

// FMI 3.0.2, table 18; FMI 2.0.5, section 2.2.7.
constexpr std::array<Flags, 7> kAllowed = {{
    {false, true, true, false, false},   // parameter
    {false, true, true, false, false},   // calculatedParameter
    {false, true, true, false, false},   // structuralParameter
    {false, false, false, true, true},   // input
    {true, false, false, true, true},    // output
    {true, true, true, true, true},      // local
    {false, false, false, false, true},  // independent
}};

bool IsParameter(Causality causality) {
  return causality <= Causality::kStructuralParameter;
}

Variability DefaultVariability(const Variable& variable) {
  if (IsParameter(variable.causality)) {
    return Variability::kFixed;
  }
  return IsFloat(variable.type) ? Variability::kContinuous
                                : Variability::kDiscrete;
}

Initial DefaultInitial(const Variable& variable) {
  switch (variable.causality) {
    case Causality::kParameter:
    case Causality::kStructuralParameter:
      return Initial::kExact;
    case Causality::kCalculatedParameter:
      return Initial::kCalculated;
    case Causality::kInput:
    case Causality::kIndependent:
      return Initial::kNone;
    case Causality::kOutput:
    case Causality::kLocal:
      break;
  }
  return variable.variability == Variability::kConstant ? Initial::kExact
                                                        : Initial::kCalculated;
}

bool IsAllowed(const Variable& variable, Initial initial) {
  switch (variable.causality) {
    case Causality::kParameter:
    case Causality::kStructuralParameter:
      return initial == Initial::kExact;
    case Causality::kInput:
      // FMI 3.0 allows to write what holds anyway.
      return initial == Initial::kExact;
    case Causality::kIndependent:
      return false;
    case Causality::kCalculatedParameter:
      return initial != Initial::kExact;
    case Causality::kOutput:
    case Causality::kLocal:
      break;
  }
  switch (variable.variability) {
    case Variability::kConstant:
      return initial == Initial::kExact;
    case Variability::kFixed:
    case Variability::kTunable:
      return initial != Initial::kExact;
    default:
      return true;
  }
}

void CheckStart(AttributeReader& reader,
                bool has_start,
                const Variable& variable) {
  const bool is_needed = variable.type != ValueType::kClock &&
                         (variable.initial == Initial::kExact ||
                          variable.initial == Initial::kApprox ||
                          variable.causality == Causality::kInput);
  if (is_needed && !has_start) {
    reader.Warning({},
                   fmt::format("'{}' lacks its start value", variable.name));
  } else if (has_start && variable.initial == Initial::kCalculated) {
    reader.Warning("start",
                   fmt::format("'{}' is calculated, and yet has a start value",
                               variable.name));
  } else if (has_start && variable.causality == Causality::kIndependent) {
    reader.Warning("start",
                   fmt::format("'{}' is the time, which has no start value",
                               variable.name));
  }
}

}  // namespace

void Classify(AttributeReader& reader,
              const Description& description,
              bool has_start,
              Variable& variable) {
  const auto causality = reader.Choice("causality", kCausalityNames);
  variable.causality =
      causality ? static_cast<Causality>(*causality) : Causality::kLocal;
  const Variability usual = DefaultVariability(variable);
  const auto variability = reader.Choice("variability", kVariabilityNames);
  variable.variability =
      variability ? static_cast<Variability>(*variability) : usual;
  const auto allowed =
      kAllowed.at(static_cast<std::size_t>(variable.causality));
  if (variable.causality == Causality::kStructuralParameter &&
      description.version == FmiVersion::k2) {
    reader.Error("causality",
                 fmt::format("'{}' is structuralParameter, which FMI 2.0 does "
                             "not have",
                             variable.name));
  }
  if (!allowed.at(static_cast<std::size_t>(variable.variability))) {
    reader.Warning(
        "variability",
        fmt::format("'{}' is {} and {}, which exclude each other",
                    variable.name,
                    NameOf(kCausalityNames, variable.causality),
                    NameOf(kVariabilityNames, variable.variability)));
    variable.variability = usual;
  } else if (variable.variability == Variability::kContinuous &&
             !IsFloat(variable.type)) {
    reader.Warning("variability",
                   fmt::format("'{}' is continuous and of type {}: only real "
                               "numbers are continuous",
                               variable.name,
                               NameOf(kValueTypeNames, variable.type)));
    variable.variability = Variability::kDiscrete;
  }
  variable.initial = DefaultInitial(variable);
  if (const auto initial = reader.Choice("initial", kInitialNames)) {
    const auto given = static_cast<Initial>(*initial);
    if (IsAllowed(variable, given)) {
      variable.initial =
          variable.causality == Causality::kInput ? Initial::kNone : given;
    } else {
      reader.Warning(
          "initial",
          fmt::format("'{}' is {} {}, and its initial cannot be {}",
                      variable.name,
                      NameOf(kVariabilityNames, variable.variability),
                      NameOf(kCausalityNames, variable.causality),
                      NameOf(kInitialNames, given)));
    }
  }
  CheckStart(reader, has_start, variable);
}

}  // namespace orrery::fmi::internal
