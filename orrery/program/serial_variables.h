#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/program/serial_fields.h"

namespace orrery::program::internal {

template <typename Stream>
void Variables(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.All(p.references);
  fields.All(p.variables);
  Names(fields);
  fields.All(p.constant_slots);
  fields.All(p.varying_slots);
  fields.stream().Truth(p.has_integers);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, ProgramVariable& variable) {
  fields.stream().Text(variable.name);
  fields.stream().Numbers(variable.shape);
  fields.stream().Choice(variable.type, ValueType::kBoolean);
  fields.stream().Choice(variable.kind, VariableKind::kInput);
  fields.stream().Truth(variable.is_output);
  fields.stream().Truth(variable.is_protected);
  fields.stream().Truth(variable.is_made_up);
  fields.stream().Truth(variable.is_structural);
  fields.stream().Truth(variable.is_final);
  fields.stream().Number(variable.first_reference);
  fields.stream().Expect(HasReferences(fields, variable),
                         "a variable without places");
  Notes(fields, variable.notes);
}

template <typename Stream>
bool HasReferences(FieldStream<Stream>& fields,
                   const ProgramVariable& variable) {
  std::size_t count = 1;
  const std::size_t most = fields.program().references.size();
  for (const std::int64_t extent : variable.shape) {
    if (extent < 0 ||
        (extent > 0 && count > most / static_cast<std::size_t>(extent))) {
      return false;
    }
    count *= static_cast<std::size_t>(extent);
  }
  return variable.first_reference <= most &&
         count <= most - variable.first_reference;
}

template <typename Stream>
void Notes(FieldStream<Stream>& fields, Shared<VariableNotes>& notes) {
  bool are_given = !notes.is_default();
  fields.stream().Truth(are_given);
  if (!are_given) {
    return;
  }
  VariableNotes& edited = notes.Edit();
  fields.Text(edited.unit);
  fields.Text(edited.display_unit);
  fields.Text(edited.description);
  fields.NoSpan(edited.span);
  fields.TypeOf(edited.enumeration);
}

template <typename Stream>
void Names(FieldStream<Stream>& fields) {
  enum class Kind : std::uint8_t { kNumbers, kBoolean, kLiterals };
  std::vector<std::pair<std::string, std::vector<ElementNames::Index>>> arrays(
      fields.program().element_names.arrays().begin(),
      fields.program().element_names.arrays().end());
  std::size_t count = arrays.size();
  fields.stream().Count(count, 16);
  arrays.resize(count);
  ElementNames names;
  for (auto& [array, indices] : arrays) {
    fields.stream().Text(array);
    std::size_t dimensions = indices.size();
    fields.stream().Count(dimensions, 1);
    indices.resize(dimensions);
    for (ElementNames::Index& index : indices) {
      Kind kind = index == nullptr                   ? Kind::kNumbers
                  : index == ElementNames::Boolean() ? Kind::kBoolean
                                                     : Kind::kLiterals;
      fields.stream().Choice(kind, Kind::kLiterals);
      if (kind == Kind::kBoolean) {
        index = ElementNames::Boolean();
      } else if (kind == Kind::kLiterals) {
        fields.TypeOf(index);
        fields.stream().Expect(index != nullptr, "an array without its type");
      }
    }
    names.Add(array, std::move(indices));
  }
  fields.program().element_names = std::move(names);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, AliasEquation& alias) {
  fields.Formula(alias.target);
  fields.Formula(alias.value);
  fields.Variable(alias.variable);
}

}  // namespace orrery::program::internal
