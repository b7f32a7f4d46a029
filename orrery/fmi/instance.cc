#include "orrery/fmi/instance.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi {

std::vector<ReferenceGroup> GroupByType(
    const Description& description,
    std::span<const VariableIndex> variables,
    std::span<const std::size_t> places) {
  std::array<ReferenceGroup, kValueTypeNames.size()> by_type;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Variable& variable = description.variables[variables[k]];
    ReferenceGroup& group = by_type.at(static_cast<std::size_t>(variable.type));
    group.references.push_back(variable.reference);
    for (std::size_t i = 0; i < SizeOf(variable); ++i) {
      group.places.push_back(places[k] + i);
    }
  }
  std::vector<ReferenceGroup> groups;
  for (std::size_t i = 0; i < by_type.size(); ++i) {
    const auto type = static_cast<ValueType>(i);
    if (!by_type.at(i).references.empty() && IsNumber(type)) {
      by_type.at(i).type = type;
      groups.push_back(std::move(by_type.at(i)));
    }
  }
  return groups;
}

std::unique_ptr<Instance> MakeInstance(std::shared_ptr<const Library> library,
                                       const std::string& name) {
  return library->fmu().description->version == FmiVersion::k2
             ? internal::MakeInstance2(std::move(library), name)
             : internal::MakeInstance3(std::move(library), name);
}

void internal::FailToInstantiate(const Library& library,
                                 const MessageLog& log,
                                 const std::string& resources) {
  const Description& its = *library.fmu().description;
  throw Error(ErrorCode::kInvalidModel,
              fmt::format("cannot run {}: its code makes no instance for the "
                          "token '{}' and the resources at {}{}",
                          library.fmu().archive->name(),
                          its.token,
                          resources,
                          log.AsHint()));
}

}  // namespace orrery::fmi
