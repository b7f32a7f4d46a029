#include "orrery/modelica/elaboration/sizes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// 2*3*4, without the ones.
std::string Product(const Shape& factors) {
  std::string text;
  for (const std::int64_t factor : factors) {
    if (factor != 1) {
      text += (text.empty() ? "" : "*") + std::to_string(factor);
    }
  }
  return text;
}

[[noreturn]] void FailAt(Session& session,
                         const Component& component,
                         std::string message,
                         std::string hint = {}) {
  session.Fail(component.member->scope,
               component.member->span,
               std::move(message),
               std::move(hint));
}

// The enumeration or Boolean type that a size names; null if it is something
// else.
const ClassNode* IndexTypeOf(Session& session,
                             const ast::Expression& subscript,
                             Scope* scope) {
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&subscript.node);
  if (reference == nullptr) {
    return nullptr;
  }
  const std::vector<ast::Identifier> names = NamesOf(*reference);
  const ClassTree::Found found = session.tree.Find(
      scope, {names.data(), names.size()}, reference->is_global);
  if (found.node == nullptr || found.member != nullptr ||
      !found.literal.empty() || found.parts != names.size() ||
      !session.tree.Expand(found.node)) {
    return nullptr;
  }
  const bool is_index = found.node->built_in == BuiltIn::kEnumeration ||
                        found.node->built_in == BuiltIn::kBoolean;
  return is_index ? found.node : nullptr;
}

std::int64_t CountValues(const ClassNode& type) {
  return type.built_in == BuiltIn::kBoolean
             ? 2
             : static_cast<std::int64_t>(type.literals.size());
}

// -1 for those that are declared ':'.
void AddSizes(Session& session,
              Component& component,
              const ast::Expressions& subscripts,
              Scope* scope) {
  LoweringContext lowering(session, {component.owner, scope});
  for (const ast::Expression* const subscript : subscripts) {
    if (std::holds_alternative<ast::Colon>(subscript->node)) {
      component.shape.push_back(-1);
      component.index_types.emplace_back();
      continue;
    }
    const ClassNode* const type = IndexTypeOf(session, *subscript, scope);
    component.index_types.emplace_back(type);
    if (type != nullptr) {
      component.shape.push_back(CountValues(*type));
      continue;
    }
    const std::int64_t size =
        LowerConstantInteger(lowering, *subscript, "the size of an array");
    if (size < 0) {
      lowering.Fail(subscript->span,
                    "the size of '" + component.path() +
                        "' is negative: " + std::to_string(size));
    }
    component.shape.push_back(size);
  }
}

void AddDeclaredSizes(Session& session, Component& component) {
  const Member& sized = component.member->Declared([&](const Member& member) {
    return !member.declaration->subscripts.empty() ||
           !member.clause->subscripts.empty() || !component.type->sizes.empty();
  });
  AddSizes(session, component, sized.declaration->subscripts, sized.scope);
  AddSizes(session, component, sized.clause->subscripts, sized.scope);
  for (const WrittenSizes& sizes : component.type->sizes) {
    AddSizes(session, component, *sizes.subscripts, sizes.scope);
  }
}

// Takes the sizes that are declared ':' from the component's value.
void DeduceSizes(Session& session, Component& component) {
  if (std::ranges::find(component.shape, -1) == component.shape.end()) {
    return;
  }
  const Modifier* const modifier = component.modifier;
  const bool is_given = modifier != nullptr && modifier->value != nullptr;
  const bool is_set = component.binding_state == Component::State::kDone;
  const Value& value = BindingOf(session, component);
  if (!is_given && !value.is_number() && value.record == nullptr) {
    FailAt(session,
           component,
           "the size of '" + component.path() +
               "' is unknown: it is declared ':' and has no value",
           "give it a size or a value");
  }
  const Shape shape = value.shape();
  if (shape.size() != component.shape.size()) {
    const std::string message = "the value of '" + component.path() + "' has " +
                                std::to_string(shape.size()) +
                                " dimensions, not " +
                                std::to_string(component.shape.size());
    if (!is_given) {
      FailAt(session, component, message);
    }
    session.Fail(modifier->context.scope, modifier->value->span, message);
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (component.shape[i] < 0) {
      component.shape[i] = shape[i];
    }
  }
  if (!is_set) {
    component.binding_state = Component::State::kNew;  // To be checked again.
  }
}

// Checks the total number of elements in nested arrays before any is made: each
// element of an outer array has the same contents.
void CheckCopies(Session& session,
                 const Component& component,
                 std::int64_t count,
                 std::int64_t limit) {
  Shape around;
  for (const Instance* at = component.owner; at != nullptr; at = at->parent) {
    if (at->component != nullptr) {
      around.push_back(NumElements(at->component->shape));
    }
  }
  std::ranges::reverse(around);
  around.push_back(count);
  if (!CountElements(around, limit)) {
    session.is_full = true;
    FailAt(session,
           component,
           "there are too many '" + component.path() +
               "': in arrays in arrays they would be " + Product(around) +
               "; at most " + std::to_string(limit) + " are possible");
  }
}

// Makes the names of elements known if values of types subscript them.
void NameElements(Session& session, const Component& component) {
  std::vector<ElementNames::Index> indices;
  bool has_type = false;
  for (const std::optional<const ClassNode*> type : component.index_types) {
    if (!type || *type == nullptr) {
      indices.emplace_back();
      continue;
    }
    has_type = true;
    indices.push_back((*type)->built_in == BuiltIn::kBoolean
                          ? ElementNames::Boolean()
                          : EnumerationOf(session, **type));
  }
  if (has_type && !component.owner->is_function &&
      !component.owner->holds_constants) {
    session.flat.element_names.Add(component.path(), std::move(indices));
  }
}

}  // namespace

void FindSizes(Session& session, Component& component) {
  if (session.is_full) {
    throw Abandoned{};
  }
  if (component.shape.empty()) {
    AddDeclaredSizes(session, component);
    DeduceSizes(session, component);
    NameElements(session, component);
  }
  const std::int64_t limit = component.is_predefined()
                                 ? kMaxArraySize
                                 : static_cast<std::int64_t>(kMaxInstances);
  const auto count = CountElements(component.shape, limit);
  if (!count) {
    FailAt(session,
           component,
           "array '" + component.path() + Describe(component.shape) +
               "' is too large: at most " + std::to_string(limit) +
               " elements are possible");
  }
  CheckCopies(session, component, *count, limit);
}

}  // namespace orrery::modelica::internal
