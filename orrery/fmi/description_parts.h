#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/description.h"
#include "orrery/fmi/files/xml_document.h"

namespace orrery::fmi::internal {

/// Context of all readers of parts.
struct ReadingContext {
  const XmlDocument& document;
  Diagnostics& diagnostics;
  Description& description;

  [[nodiscard]] AttributeReader At(const XmlElement& element) const {
    return {document, element, diagnostics};
  }
};

/// Warns of children of other names, and of those that stand before one that is
/// to precede them.
void WarnOfOtherChildren(const ReadingContext& context,
                         const XmlElement& element,
                         std::initializer_list<std::string_view> in_order);

/// Reads what a variable and a type have in common.
/// @param its a Variable or a TypeDefinition, whose `type` is known.
template <typename Owner>
void ReadNumberAttributes(AttributeReader& reader, Owner& its) {
  if (IsFloat(its.type)) {
    its.unit = reader.Text("unit");
    its.display_unit = reader.Text("displayUnit");
    its.nominal = reader.Real("nominal");
    its.relative_quantity = reader.Flag("relativeQuantity");
    its.unbounded = reader.Flag("unbounded");
  }
  if (IsNumber(its.type) && its.type != ValueType::kBoolean) {
    its.quantity = reader.Text("quantity");
    its.min = reader.NumberOf(its.type, "min");
    its.max = reader.NumberOf(its.type, "max");
  }
}

/// The attributes of the root but versions.
void ReadHead(const ReadingContext& context);
void ReadInterfaces(const ReadingContext& context);
void ReadUnits(const ReadingContext& context);
void ReadLogCategories(const ReadingContext& context);
void ReadExperiment(const ReadingContext& context);

/// Reads an element of <TypeDefinitions>: the one with the name, and the one
/// with the rest, which are two in FMI 2.0.
void ReadType(const ReadingContext& context,
              const XmlElement& named,
              const XmlElement& typed,
              ValueType type);

/// The type of this name; tells that there is none, or that it is of other
/// values.
[[nodiscard]] std::optional<std::uint32_t> FindType(
    const ReadingContext& context, AttributeReader& reader, ValueType type);

/// Reads the attributes that variables of both versions have, but for the start
/// and what Classify reads.
/// @param reader of `element`, which has the name.
/// @param values of the element with the type, which is another in FMI 2.0.
[[nodiscard]] Variable ReadSharedAttributes(const ReadingContext& context,
                                            const XmlElement& element,
                                            AttributeReader& reader,
                                            AttributeReader& values,
                                            ValueType type);

/// Gives a variable what its type has and it does not.
void Inherit(const Description& description, Variable& variable);

/// Reads values of a start.
/// @returns true if the attribute is given, even if it is wrong.
bool ReadStart(AttributeReader& reader,
               std::string_view attribute,
               bool is_list,
               Variable& variable);

/// The variable that a number in an attribute means; tells if there is none.
using Resolver = std::function<std::optional<VariableIndex>(
    AttributeReader& reader, std::string_view attribute, std::uint32_t number)>;

/// Adds an entry of the structure; `attribute` has its variable.
void ReadUnknown(const ReadingContext& context,
                 const XmlElement& element,
                 std::string_view attribute,
                 const Resolver& resolve,
                 std::vector<Unknown>& unknowns);

void ReadVariables2(const ReadingContext& context);
void ReadStructure2(const ReadingContext& context);
void ReadVariables3(const ReadingContext& context);
void ReadStructure3(const ReadingContext& context);

}  // namespace orrery::fmi::internal
