#include "orrery/modelica/elaboration/inner_components.h"

#include <string>
#include <string_view>
#include <utility>

#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/syntax/annotations.h"

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
  static bool IsInner(const Component& found);
  void TakeFrom(Component& found);
  Component& AddInner(Instance& top);
  void CheckTypeOfInner();
  void AddOwn();
  void CheckTakenFromInner();

  [[nodiscard]] std::string WhyMissing() const {
    return "no inner '" + std::string(member_->name) +
           "' is declared around this outer component";
  }

  [[nodiscard]] std::string Declaration() const {
    return "'inner' " + ast::ToString(member_->clause->type) + " " +
           std::string(member_->name);
  }

  [[noreturn]] void FailMissing() {
    Fail(member_->span,
         WhyMissing(),
         "declare " + Declaration() + " in an enclosing model");
  }

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
  Instance* top = component_.owner;
  for (Instance* at = top->parent; at != nullptr; at = at->parent) {
    top = at;
    Component* const found = at->Find(member_->name);
    if (found != nullptr && IsInner(*found)) {
      TakeFrom(*found);
      return;
    }
  }
  if (member_->element->is_inner) {
    return;
  }
  if (top->holds_constants || top->is_function) {
    FailMissing();
  }
  // A model by itself has its own instance of each outer component
  // (specification 3.6, section 5.4).
  if (component_.owner == top) {
    session_.diagnostics.Warning(
        At(member_->scope, member_->span),
        WhyMissing() + "; the model takes one of its own",
        "run it in a model that declares " + Declaration());
    return;
  }
  TakeFrom(AddInner(*top));
}

// True if `found` is the inner component for outer ones inside. At the top of a
// model, an outer component is.
bool OuterComponent::IsInner(const Component& found) {
  const ast::Element& element = *found.member->element;
  return element.is_inner || found.is_own ||
         (element.is_outer && found.owner->parent == nullptr);
}

void OuterComponent::TakeFrom(Component& found) {
  if (!Elaborate(session_, found)) {
    throw Abandoned{};
  }
  component_.inner = found.own != nullptr ? found.own : &found;
  if (!Elaborate(session_, *component_.inner)) {
    throw Abandoned{};
  }
  component_.type = component_.inner->type;
  component_.shape = component_.inner->shape;
}

// Adds a component of the outer one's class at the model's top, if none is
// declared inner (specification 3.6, section 5.4).
Component& OuterComponent::AddInner(Instance& top) {
  ClassNode* const type = session_.tree.TypeOf(*member_);
  if (type == nullptr || !session_.tree.Expand(type)) {
    throw Abandoned{};
  }
  if (type->built_in != BuiltIn::kNone) {  // Nothing would give it a value.
    FailMissing();
  }
  const bool is_taken = top.type->index.contains(member_->name);
  if (is_taken || type->is_partial()) {
    Fail(member_->span,
         WhyMissing() + ", and none can be added at the top of the model: " +
             (is_taken ? "it has something else of that name"
                       : "class " + type->name + " is partial"),
         "declare " + Declaration() + " in an enclosing model");
  }
  const std::string message = TextIn(
      type->definition == nullptr ? nullptr
                                  : type->definition->description.annotation,
      "missingInnerMessage");
  session_.diagnostics.Warning(
      At(member_->scope, member_->span),
      WhyMissing() + "; the model gets one at its top, with its defaults",
      message.empty() ? "declare " + Declaration() + " in the model" : message);
  Member member = *member_;
  member.part = 0;
  member.inherited_part = 0;
  Component& added = top.added.Add(&top.type->replaced.emplace_back(member));
  added.owner = &top;
  added.is_own = true;
  return added;
}

// Checks that the inner component has the predefined type of the outer one
// (specification 3.6, section 5.4).
void OuterComponent::CheckTypeOfInner() {
  ClassNode* const wanted = session_.tree.TypeOf(*member_);
  if (wanted == nullptr || !session_.tree.Expand(wanted)) {
    throw Abandoned{};
  }
  const bool is_added =
      component_.inner->is_own && component_.inner->owner->parent == nullptr;
  if (component_.type->built_in == wanted->built_in &&
      AreOneEnumeration(component_.type->enumeration, wanted->enumeration) &&
      (!is_added || session_.tree.Extends(component_.type, wanted))) {
    return;
  }
  Fail(member_->clause->type.span,
       "'" + component_.inner->path() + "', of type " + component_.type->name +
           ", cannot be the inner component of '" + component_.path() +
           "', of type " + wanted->name,
       "declare both with one type");
}

// An 'inner outer' declaration makes two components of one name: the class at
// hand uses the one from outside, its parts use one of their own (specification
// 3.6, section 5.4).
void OuterComponent::AddOwn() {
  if (!member_->element->is_inner) {
    return;
  }
  Component& own = component_.owner->added.Add(member_);
  own.owner = component_.owner;
  own.is_own = true;
  component_.own = &own;
}

// Reports modifiers of an outer component: its inner component has them.
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

// Reports a missing inner class. A complete outer class is used itself
// (specification 3.6, section 5.4).
void ReportMissing(Session& session,
                   const Member& member,
                   const SourceSpan& where,
                   const std::string& user) {
  const std::string name(member.name);
  const std::string why = "no inner class '" + name + "' is declared around " +
                          user + " has it as an outer one";
  const std::string mend =
      "declare 'inner " +
      std::string(KindName(member.nested->kind())).substr(2) + " " + name +
      "' in an enclosing model";
  ClassNode& outer = *member.nested;
  const bool is_declared_only =
      outer.is_partial() ||
      (outer.kind() == ast::ClassKind::kFunction &&
       session.tree.Expand(&outer) && outer.sections.empty() &&
       outer.external == nullptr);
  if (is_declared_only) {
    session.Fail(where, why, mend);
  }
  if (session.reported.emplace(where.file.get(), where.begin, why).second) {
    session.diagnostics.Warning(where, why + "; it is taken as it is", mend);
  }
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
      ReportMissing(session, member, where, user);
      continue;
    }
    redeclarations.push_back({.name = member.name,
                              .definition = inner->nested->definition,
                              .scope = inner->nested->enclosing,
                              .inner = inner->nested});
  }
}

}  // namespace orrery::modelica::internal
