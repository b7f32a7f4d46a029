#include "orrery/modelica/internal/inner_components.h"

#include <string>
#include <string_view>
#include <utility>

/// Inner and outer components and classes (specification 3.6, section 5.4).
namespace orrery::modelica::internal {
namespace {

class OuterComponent {
 public:
  OuterComponent(Session& session, Component& component)
      : session_(session), component_(component), member_(component.member) {}

  bool Take() {
    CheckOuter();
    FindInner();
    if (component_.inner == nullptr) {
      return false;
    }
    CheckTypeOfInner();
    AddOwn();
    CheckTakenFromInner();
    return true;
  }

 private:
  void CheckOuter();
  void FindInner();
  void CheckTypeOfInner();
  void AddOwn();
  void CheckTakenFromInner();

  [[noreturn]] void Fail(const ast::Span& span,
                         std::string message,
                         std::string hint = {}) {
    session_.Fail(member_->scope, span, std::move(message), std::move(hint));
  }

  Session& session_;
  Component& component_;
  Member* member_;
};

void OuterComponent::CheckOuter() {
  const Instance& owner = *component_.owner;
  const ast::ClassKind kind = owner.type->kind();
  if (owner.is_function || kind == ast::ClassKind::kRecord ||
      kind == ast::ClassKind::kConnector) {
    Fail(member_->span,
         "'" + std::string(member_->name) + "' cannot be outer: class " +
             owner.type->name + " is " + std::string(KindName(kind)),
         "take the outer one in the model around");
  }
}

void OuterComponent::FindInner() {
  for (Instance* at = component_.owner->parent; at != nullptr;
       at = at->parent) {
    Component* const found = at->Find(member_->name);
    if (found != nullptr && found->member->element->is_inner) {
      if (!Elaborate(session_, *found)) {
        throw Abandoned{};
      }
      component_.inner = found->own != nullptr ? found->own : found;
      if (!Elaborate(session_, *component_.inner)) {
        throw Abandoned{};
      }
      component_.type = component_.inner->type;
      component_.shape = component_.inner->shape;
      return;
    }
  }
  if (member_->element->is_inner) {
    return;
  }
  const std::string why = "no inner '" + std::string(member_->name) +
                          "' is declared around this outer component";
  const std::string inner = "'inner' " + ast::ToString(member_->clause->type) +
                            " " + std::string(member_->name);
  const bool is_at_top =
      component_.owner->parent == nullptr && !component_.owner->holds_constants;
  if (!is_at_top) {
    Fail(member_->span, why, "declare " + inner + " in an enclosing model");
  }
  // What a model by itself takes from around it is its own (specification 3.6,
  // section 5.4).
  session_.diagnostics.Warning(At(member_->scope, member_->span),
                               why + "; the model takes one of its own",
                               "run it in a model that declares " + inner);
}

// Of predefined types the inner component has that of the outer one
// (specification 3.6, section 5.4).
void OuterComponent::CheckTypeOfInner() {
  ClassNode* const wanted = session_.tree.TypeOf(*member_);
  if (wanted == nullptr || !session_.tree.Expand(wanted)) {
    throw Abandoned{};
  }
  if (component_.type->built_in == wanted->built_in &&
      component_.type->enumeration == wanted->enumeration) {
    return;
  }
  Fail(member_->clause->type.span,
       "'" + component_.inner->path() + "', of type " + component_.type->name +
           ", cannot be the inner component of '" + component_.path() +
           "', of type " + wanted->name,
       "declare both with one type");
}

// What is declared 'inner outer' is two components of one name: for the class
// at hand the one of around it, for what is inside one of its own
// (specification 3.6, section 5.4).
void OuterComponent::AddOwn() {
  if (!member_->element->is_inner) {
    return;
  }
  Component& own = component_.owner->added.emplace_back();
  own.member = member_;
  own.owner = component_.owner;
  own.is_own = true;
  component_.own = &own;
}

// What an outer component is, its inner one says.
void OuterComponent::CheckTakenFromInner() {
  const Modifier* const modifier = component_.modifier;
  if (component_.own != nullptr || modifier == nullptr ||
      (modifier->value == nullptr && modifier->parts.empty())) {
    return;
  }
  session_.Fail(modifier->context.scope,
                modifier->value != nullptr ? modifier->value->span
                                           : modifier->parts[0].second->span,
                "cannot give the outer component '" + component_.path() +
                    "' a value: '" + component_.inner->path() + "' has its own",
                "give the value to '" + component_.inner->path() + "'");
}

const Member* FindInnerClass(const Instance* around, std::string_view name) {
  for (const Instance* at = around; at != nullptr; at = at->parent) {
    const Member* const found = at->type->Find(name);
    if (found != nullptr && found->nested != nullptr &&
        found->element != nullptr && found->element->is_inner) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

bool TakeInner(Session& session, Component& component) {
  return OuterComponent(session, component).Take();
}

void AddInnerClasses(Session& session,
                     const ClassNode& type,
                     const Instance* around,
                     const SourceSpan& where,
                     const std::string& user,
                     std::vector<Redeclaration>& redeclarations) {
  for (const Member& member : type.members) {
    if (member.nested == nullptr || member.element == nullptr ||
        !member.element->is_outer || member.element->is_inner) {
      continue;
    }
    const Member* const inner = FindInnerClass(around, member.name);
    if (inner == nullptr) {
      session.Fail(
          where,
          "no inner class '" + std::string(member.name) +
              "' is declared around " + user + " has it as an outer one",
          "declare 'inner " +
              std::string(KindName(member.nested->kind())).substr(2) + " " +
              std::string(member.name) + "' in an enclosing model");
    }
    redeclarations.push_back({.name = member.name,
                              .definition = inner->nested->definition,
                              .scope = inner->nested->enclosing,
                              .inner = inner->nested});
  }
}

}  // namespace orrery::modelica::internal
