#include "orrery/modelica/classes/class_checks.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_tree.h"

namespace orrery::modelica::internal {
namespace {

// The attributes of every type come first, then those of numbers, then those of
// Reals (specification 3.6, sections 4.8.1 to 4.8.5).
constexpr std::array<std::string_view, 10> kAttributes = {"quantity",
                                                          "start",
                                                          "fixed",
                                                          "min",
                                                          "max",
                                                          "unit",
                                                          "displayUnit",
                                                          "nominal",
                                                          "unbounded",
                                                          "stateSelect"};

std::span<const std::string_view> AttributesOf(BuiltIn built_in) {
  constexpr std::size_t kOfAll = 3;
  constexpr std::size_t kOfNumbers = 5;
  const bool is_number =
      built_in == BuiltIn::kInteger || built_in == BuiltIn::kEnumeration;
  return std::span(kAttributes)
      .first(built_in == BuiltIn::kReal ? kAttributes.size()
             : is_number                ? kOfNumbers
                                        : kOfAll);
}

}  // namespace

void CheckAttribute(const ClassNode& type,
                    std::string_view attribute,
                    const SourceSpan& where,
                    Diagnostics& diagnostics) {
  const auto attributes = AttributesOf(type.built_in);
  if (std::ranges::find(attributes, attribute) == attributes.end()) {
    diagnostics.Error(
        where,
        "no attribute '" + std::string(attribute) + "' in type " + type.name,
        Suggest(
            attribute,
            std::vector<std::string>(attributes.begin(), attributes.end())));
  }
}

void CheckModifiable(const Member& member,
                     const SourceSpan& where,
                     Diagnostics& diagnostics) {
  if (member.nested == nullptr) {
    return;
  }
  const ast::ClassKind kind = member.nested->kind();
  if (kind != ast::ClassKind::kPackage && kind != ast::ClassKind::kFunction) {
    return;
  }
  const std::string name(member.name);
  diagnostics.Error(where,
                    "modifying '" + name + "', " + std::string(KindName(kind)) +
                        ", is not supported yet",
                    "redeclare it as one that is modified so");
}

std::string Lacks(ClassTree& tree, ClassNode& node, ClassNode& wanted) {
  if (!tree.Expand(&wanted) || wanted.state != ClassNode::State::kDone ||
      tree.Extends(&node, &wanted)) {
    return {};
  }
  for (const Member& member : wanted.members) {
    const Member* const own = node.Find(member.name);
    const bool fits = own != nullptr && !own->is_protected &&
                      (own->nested == nullptr) == (member.nested == nullptr);
    if (!member.is_protected && !fits) {
      return "it has no public '" + std::string(member.name) + "' as " +
             wanted.name + " has";
    }
  }
  return wanted.built_in != node.built_in ? "it is no " + wanted.name : "";
}

std::string SuggestMember(std::string_view wanted,
                          const ClassNode& node,
                          const Diagnostics& diagnostics) {
  if (!NeedsHints(diagnostics)) {
    return {};
  }
  std::vector<std::string> names;
  names.reserve(node.members.size());
  for (const Member& member : node.members) {
    names.emplace_back(member.name);
  }
  constexpr std::size_t kSome = 8;
  std::string hint = Suggest(wanted, names);
  if (hint.empty() && names.size() > kSome) {
    hint = Suggest(wanted, std::span(names).first(kSome)) + " and " +
           std::to_string(names.size() - kSome) + " more";
  }
  return hint;
}

}  // namespace orrery::modelica::internal
