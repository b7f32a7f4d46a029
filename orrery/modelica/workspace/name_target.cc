#include "orrery/modelica/workspace/name_target.h"

#include <algorithm>
#include <array>

namespace orrery::modelica::internal {
namespace {

// Specification 3.6, sections 4.8.1 to 4.8.5; those of a Real first.
constexpr std::array<std::string_view, 10> kOfReal = {"quantity",
                                                      "unit",
                                                      "displayUnit",
                                                      "min",
                                                      "max",
                                                      "start",
                                                      "fixed",
                                                      "nominal",
                                                      "unbounded",
                                                      "stateSelect"};
constexpr std::array<std::string_view, 5> kOfInteger = {
    "quantity", "min", "max", "start", "fixed"};
constexpr std::array<std::string_view, 3> kOfOthers = {
    "quantity", "start", "fixed"};

}  // namespace

bool operator==(const NameTarget& a, const NameTarget& b) {
  if (a.kind != b.kind || a.name != b.name) {
    return false;
  }
  if (a.declared.file == nullptr || b.declared.file == nullptr) {
    return a.node == b.node && a.member == b.member;
  }
  return a.declared.begin == b.declared.begin &&
         a.declared.file->name() == b.declared.file->name();
}

std::span<const std::string_view> AttributesOf(const ClassNode& type) {
  switch (type.built_in) {
    case BuiltIn::kNone:
      return {};
    case BuiltIn::kReal:
      return kOfReal;
    case BuiltIn::kInteger:
    case BuiltIn::kEnumeration:
      return kOfInteger;
    default:
      return kOfOthers;
  }
}

bool IsAttribute(const ClassNode& type, std::string_view name) {
  const auto names = AttributesOf(type);
  return std::ranges::find(names, name) != names.end();
}

NameTarget TargetOf(ClassNode& node) {
  NameTarget target = {.kind = NameTarget::Kind::kClass, .node = &node};
  if (node.definition == nullptr) {
    target.name = node.name;
    return target;
  }
  target.name = node.definition->name.text;
  target.declared = At(node.scope, node.definition->name.span);
  return target;
}

NameTarget TargetOf(ClassNode& node, Member& component) {
  return {.kind = NameTarget::Kind::kComponent,
          .node = &node,
          .member = &component,
          .name = component.name,
          .declared = At(component.scope, component.span)};
}

NameTarget NameResolver::Literal(ClassNode* node, std::string_view name) {
  NameTarget target = {
      .kind = NameTarget::Kind::kLiteral, .node = node, .name = name};
  const ClassNode* const text =
      node->enumeration != nullptr ? node->enumeration : node;
  const auto* const body =
      text->definition == nullptr
          ? nullptr
          : std::get_if<ast::Enumeration>(&text->definition->node);
  if (body != nullptr) {
    for (const ast::EnumerationLiteral& literal : body->literals) {
      if (literal.name.text == name) {
        target.declared = At(text->scope, literal.name.span);
      }
    }
  }
  return target;
}

NameTarget NameResolver::FindIn(ClassNode* node, std::string_view name) {
  if (node == nullptr || name.empty()) {
    return {};
  }
  const ClassTree::Found found = tree_.FindIn(node, name);
  if (found.parts > 0) {
    return found.member != nullptr ? TargetOf(*found.node, *found.member)
                                   : TargetOf(*found.node);
  }
  if (std::ranges::find(node->literals, name) != node->literals.end()) {
    return Literal(node, name);
  }
  if (IsAttribute(*node, name)) {
    return {.kind = NameTarget::Kind::kAttribute, .node = node, .name = name};
  }
  return {};
}

ClassNode* NameResolver::ClassOf(const NameTarget& target) {
  switch (target.kind) {
    case NameTarget::Kind::kClass:
      return target.node;
    case NameTarget::Kind::kComponent:
      return target.member->clause == nullptr ? nullptr
                                              : tree_.TypeOf(*target.member);
    default:
      return nullptr;
  }
}

NameTarget NameResolver::Find(Scope* scope,
                              std::span<const ast::Identifier> parts,
                              bool is_global) {
  if (scope == nullptr || parts.empty() || parts.front().text.empty()) {
    return {};
  }
  const ast::List<ast::Identifier> list(parts.data(), parts.size());
  ClassTree::Found found = tree_.Find(scope, list, is_global);
  if (found.parts == 0 && parts.size() == 1) {
    // A single name may be that of a library.
    ClassNode* const library =
        tree_.FindClass(scope, {.is_global = is_global, .parts = list});
    return library == nullptr ? NameTarget() : TargetOf(*library);
  }
  if (found.parts == 0) {
    return {};
  }
  NameTarget target;
  if (!found.literal.empty()) {
    target = Literal(found.node, found.literal);
  } else {
    target = found.member != nullptr ? TargetOf(*found.node, *found.member)
                                     : TargetOf(*found.node);
  }
  for (std::size_t i = found.parts; i < parts.size() && target; ++i) {
    target = FindIn(ClassOf(target), parts[i].text);
  }
  return target;
}

}  // namespace orrery::modelica::internal
