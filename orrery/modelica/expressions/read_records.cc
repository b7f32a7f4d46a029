#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"

/// Values of records and of parts of arrays of components.
namespace orrery::modelica::internal {

// Reads a part of the elements of an empty array of components.
Value Lowering::NoParts(const Component& component,
                        std::span<const ast::ReferencePart> parts) {
  ClassNode* type = component.type;
  Shape shape = component.shape;
  internal::Member* member = nullptr;
  for (const ast::ReferencePart& part : parts) {
    if (member != nullptr) {
      type = session_.tree.TypeOf(*member);
      shape = NoElements(session_, *member, shape).shape();
    }
    if (type == nullptr || !session_.tree.Expand(type)) {
      throw Abandoned{};
    }
    member = type->Find(part.name.text);
    if (member == nullptr || member->clause == nullptr) {
      Fail(part.name.span,
           "no element '" + std::string(part.name.text) + "' in class " +
               type->name,
           SuggestMember(part.name.text, *type));
    }
    CheckPublic(*member, *type, part.name.span);
  }
  return NoElements(session_, *member, shape);
}

// Reads the same part of all elements of an array of components, as an array.
Value Lowering::ReadElements(Component& component,
                             std::span<const ast::ReferencePart> rest,
                             const ast::Span& span) {
  if (component.elements.empty()) {
    return NoParts(component, rest);
  }
  std::vector<Value> values;
  values.reserve(component.elements.size());
  for (Instance* const element : component.elements) {
    values.push_back(
        ReadComponent(Member(*element, rest.front().name), rest, span));
  }
  return Arrange(std::move(values), component.shape, span);
}

// True if some element of an array of records has a field whose size differs
// from that in the first element.
bool Lowering::DifferInSize(const Component& component) {
  const auto& elements = component.elements;
  return std::ranges::any_of(elements, [&](Instance* other) {
    return DifferInSize(*elements.front(), *other);
  });
}

bool Lowering::DifferInSize(Instance& a, Instance& b) {
  for (std::size_t i = 0; i < a.components.size(); ++i) {
    Component& one = a.components[i];
    Component& other = b.components[i];
    if (one.member == nullptr || &a == &b) {
      continue;
    }
    if (!Elaborate(session_, one) || !Elaborate(session_, other)) {
      throw Abandoned{};
    }
    if (one.shape != other.shape || DifferInSize(one) || DifferInSize(other) ||
        (!one.elements.empty() &&
         DifferInSize(*one.elements.front(), *other.elements.front()))) {
      return true;
    }
  }
  return false;
}

Value Lowering::ReadRecord(Component& component, const ast::Span& span) {
  if (component.shape.empty()) {
    return ReadInstance(*component.elements.front(), span);
  }
  const ast::ClassKind kind = component.type->kind();
  if (kind != ast::ClassKind::kRecord && kind != ast::ClassKind::kConnector) {
    Fail(span,
         "'" + component.path() + "' is an array of components of " +
             component.type->name + ", not a value",
         "name one of its variables");
  }
  if (DifferInSize(component)) {
    std::vector<Value> elements;
    for (Instance* const element : component.elements) {
      elements.push_back(ReadInstance(*element, span));
    }
    return Arrange(std::move(elements), component.shape, span);
  }
  if (component.elements.empty()) {
    return NoElements(session_, component.type, component.shape);
  }
  auto record = std::make_shared<RecordValue>();
  record->type = component.type;
  record->shape = component.shape;
  for (const internal::Member& member : component.type->members) {
    if (member.clause == nullptr) {
      continue;
    }
    const ast::ReferencePart part{.name = {.text = member.name, .span = span}};
    record->fields.emplace_back(
        member.name, ReadElements(component, std::span(&part, 1), span));
  }
  return {.record = record};
}

Value Lowering::ReadInstance(Instance& instance, const ast::Span& span) {
  const ast::ClassKind kind = instance.type->kind();
  if (kind != ast::ClassKind::kRecord && kind != ast::ClassKind::kConnector) {
    Fail(span,
         "'" + instance.path.str() + "' is a component of " +
             std::string(KindName(kind).substr(2)) + " " + instance.type->name +
             ", not a value",
         "name one of its variables");
  }
  auto record = std::make_shared<RecordValue>();
  record->type = instance.type;
  for (Component& component : instance.components) {
    if (component.member == nullptr) {
      continue;
    }
    const ast::ReferencePart part{
        .name = {.text = component.member->name, .span = span}};
    record->fields.emplace_back(
        component.member->name,
        ReadComponent(component, std::span(&part, 1), span));
  }
  return {.record = record};
}

}  // namespace orrery::modelica::internal
