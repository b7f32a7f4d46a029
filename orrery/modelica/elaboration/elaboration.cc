#include "orrery/modelica/session/elaboration.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/elaboration/evaluator.h"
#include "orrery/modelica/elaboration/inner_components.h"
#include "orrery/modelica/elaboration/sizes.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/converted_modifiers.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// True if the parameter's value may be taken as known (specification 3.6,
// section 18.3).
bool IsEvaluated(const ast::ComponentDeclaration& declaration) {
  return SaysTrue(declaration.description.annotation, "Evaluate");
}

// Adds the redeclaration in a modifier if it is of a class.
void AddRedeclaration(const Modifier& modifier,
                      std::vector<Redeclaration>& redeclarations) {
  if (modifier.redeclaration == nullptr) {
    return;
  }
  if (const auto* definition = std::get_if<const ast::ClassDefinition*>(
          &modifier.redeclaration->node)) {
    redeclarations.push_back(
        {.name = (*definition)->name.text,
         .definition = *definition,
         .scope = modifier.redeclared_in.scope,
         .constraint = modifier.redeclaration->constraint});
  }
}

/// Finds the type, size and contents of one component.
class Elaboration {
 public:
  Elaboration(Session& session, Component& component)
      : session_(session),
        component_(component),
        original_(component.member),
        member_(component.member) {}

  void Run();
  void MakeContents();

 private:
  void FindModifier();
  void ApplyRedeclarations();
  void Redeclare(const Modifier& modifier);
  void FindType();
  void CheckConstraint();
  void CheckType();
  bool HasCondition();
  void FindPrefixes();
  void FindFlow();
  void FindCausality();
  void CheckStream();
  void MakeSymbol();
  void MakeElements();

  // The prefix of the newest declaration that has one.
  template <typename Field, typename Prefix>
  [[nodiscard]] Prefix PrefixOf(Field field, Prefix none) const {
    const auto says = [field, none](const Member& member) {
      return member.clause->prefix.*field != none;
    };
    return member_->Declared(says).clause->prefix.*field;
  }

  [[noreturn]] void Fail(const ast::Span& span,
                         std::string message,
                         std::string hint = {}) {
    session_.Fail(member_->scope, span, std::move(message), std::move(hint));
  }

  Session& session_;
  Component& component_;
  Member* original_;
  Member* member_;  // `original_` or its redeclaration.
};

void Elaboration::Run() {
  FindModifier();
  ApplyRedeclarations();
  if (!HasCondition()) {
    component_.is_absent = true;
    return;
  }
  if (member_->element->is_outer && !component_.is_own &&
      TakeInner(session_, component_)) {
    return;
  }
  FindType();
  CheckType();
  FindPrefixes();
  FindSizes(session_, component_);
  MakeContents();
}

void Elaboration::MakeContents() {
  if (component_.is_predefined()) {
    MakeSymbol();
  } else {
    MakeElements();
  }
}

void Elaboration::FindModifier() {
  Instance& owner = *component_.owner;
  const Modifier* const outer = owner.parts[member_->inherited_part];
  const Modifier* const said =
      outer == nullptr ? nullptr : outer->Find(member_->name);
  const Modifier* merged = said;
  if (member_->element->is_final && said != nullptr && said->value != nullptr) {
    session_.diagnostics.Error(At(said->context.scope, said->span),
                               "cannot modify '" + std::string(member_->name) +
                                   "': it is declared final");
    merged = nullptr;
  }
  // The constraint of a redeclared declaration remains in force: the
  // modification of the constraining type, or all modifiers of the first
  // declaration if it has none (specification 3.6, section 7.3.2).
  const bool is_redeclared = said != nullptr && said->redeclaration != nullptr;
  for (const Member* at = member_; at != nullptr && at->declaration != nullptr;
       at = at->replaced) {
    const Context context = {&owner, at->scope};
    const ast::ConstrainingClause* const constraint = at->element->constraint;
    const bool holds = at == member_ && !is_redeclared;
    if (holds || (at->replaced == nullptr && constraint == nullptr)) {
      merged = Merge(
          session_,
          merged,
          BuildModifier(session_, at->declaration->modification, context));
    }
    if (constraint != nullptr) {
      merged =
          Merge(session_,
                merged,
                BuildModifier(session_, constraint->modification, context));
    }
  }
  component_.modifier = merged;
}

void Elaboration::ApplyRedeclarations() {
  const Modifier* const modifier = component_.modifier;
  if (modifier == nullptr || modifier->redeclaration == nullptr) {
    return;
  }
  for (std::size_t i = modifier->replaced.size(); i-- > 0;) {
    Redeclare(*modifier->replaced[i]);
  }
  Redeclare(*modifier);
}

void Elaboration::Redeclare(const Modifier& modifier) {
  const ast::Argument& argument = *modifier.redeclaration;
  Scope* const scope = modifier.redeclared_in.scope;
  const auto fail = [&](const std::string& why, std::string hint = {}) {
    session_.Fail(
        scope, modifier.span, "cannot redeclare " + why, std::move(hint));
  };
  const std::string name = "'" + std::string(member_->name) + "'";
  const auto* const clause =
      std::get_if<const ast::ComponentClause*>(&argument.node);
  if (clause == nullptr) {
    fail("component " + name + " as a class");
  }
  if (member_->element->is_final) {
    fail(name + ": it is declared final");
  }
  if (!member_->element->is_replaceable && !member_->element->is_redeclare) {
    fail(name + ": it is not replaceable", "declare it replaceable");
  }
  Member redeclared = *member_;
  redeclared.clause = *clause;
  redeclared.declaration = &(*clause)->components.front();
  redeclared.scope = scope;
  redeclared.is_type_known = false;
  redeclared.replaced = member_;
  // Kept in the class of the owner, which lives as long as the session.
  member_ = &component_.owner->type->replaced.emplace_back(redeclared);
  component_.member = member_;
}

bool Elaboration::HasCondition() {
  const Member& said = member_->Declared([](const Member& member) {
    return member.declaration->condition != nullptr;
  });
  const ast::Expression* const condition = said.declaration->condition;
  if (condition == nullptr) {
    return true;
  }
  LoweringContext lowering(session_, {component_.owner, said.scope});
  return EvaluateOrUnroll(lowering,
                          LowerCondition(lowering, *condition),
                          condition->span,
                          "the condition of a component")[0] != 0;
}

void Elaboration::FindType() {
  ClassNode* type = session_.tree.TypeOf(*member_);
  if (type == nullptr || !session_.tree.Expand(type)) {
    throw Abandoned{};
  }
  component_.modifier = Converted(session_,
                                  component_.modifier,
                                  *type,
                                  member_->old_type,
                                  {component_.owner, member_->scope});
  component_.modifier = MergeClassModifiers(
      session_, component_.modifier, *type, component_.owner);
  // Redeclared classes in the modifier make it another class.
  std::vector<Redeclaration> redeclarations;
  if (component_.modifier != nullptr) {
    for (const auto& [name, part] : component_.modifier->parts) {
      AddRedeclaration(*part, redeclarations);
      for (const Modifier* const replaced : part->replaced) {
        AddRedeclaration(*replaced, redeclarations);
      }
    }
  }
  AddInnerClasses(session_,
                  *type,
                  component_.owner,
                  At(member_->scope, member_->span),
                  "'" + component_.path() + "', whose class " + type->name,
                  redeclarations);
  if (!redeclarations.empty()) {
    type = session_.tree.Redeclared(type, std::move(redeclarations));
    if (!session_.tree.Expand(type)) {
      throw Abandoned{};
    }
  }
  component_.type = type;
  CheckConstraint();
}

// Checks that a redeclared component has all elements of its constraining type,
// or else of the declaration that it replaces (specification 3.6, section
// 7.3.2).
void Elaboration::CheckConstraint() {
  Member* const first = original_;
  if (first == member_ || component_.type->is_broken) {
    return;
  }
  const ast::ConstrainingClause* const constraint = first->element->constraint;
  ClassNode* const wanted =
      constraint != nullptr
          ? session_.tree.FindClass(first->scope, constraint->type)
          : session_.tree.TypeOf(*first);
  const std::string lacks =
      wanted == nullptr ? "" : Lacks(session_.tree, *component_.type, *wanted);
  if (!lacks.empty()) {
    Fail(member_->clause->type.span,
         "cannot redeclare '" + component_.path() + "' as " +
             component_.type->name + ": " + lacks,
         "take a class that extends " + wanted->name +
             ", or widen what constrains it by 'constrainedby'");
  }
}

void Elaboration::CheckType() {
  const ClassNode& type = *component_.type;
  const ast::ClassKind kind = type.kind();
  if (kind == ast::ClassKind::kPackage || kind == ast::ClassKind::kFunction) {
    Fail(member_->clause->type.span,
         "'" + ast::ToString(member_->clause->type) + "' is " +
             std::string(KindName(kind)) + ", not a type of components");
  }
  if (type.is_partial() && !component_.owner->holds_constants &&
      !component_.owner->is_function) {
    Fail(member_->clause->type.span,
         "cannot make a component of the partial class " + type.name,
         "use a class that extends it and is complete");
  }
  const bool is_of_function = component_.owner->is_function;
  for (const Instance* at = component_.owner;
       at != nullptr && at->is_function == is_of_function;
       at = at->parent) {
    if (at->type == &type && !component_.owner->holds_constants) {
      Fail(member_->span,
           "class " + type.name + " contains itself: component '" +
               component_.path() + "' is of the class that it is a part of");
    }
  }
  if (component_.owner->depth > kMaxDepth) {
    constexpr std::size_t kShown = 60;
    Fail(member_->span,
         "components are nested more than " + std::to_string(kMaxDepth) +
             " deep, as '" + component_.path().substr(0, kShown) +
             "...': does a class contain one that inherits from it?");
  }
  if (component_.modifier != nullptr) {
    CheckNames(session_, *component_.type, *component_.modifier);
  }
}

void Elaboration::FindPrefixes() {
  const auto written_variability =
      PrefixOf(&ast::TypePrefix::variability, ast::Variability::kUnspecified);
  const Component* const around = component_.owner->component;
  const BuiltIn built_in = component_.type->built_in;
  Variability variability =
      built_in == BuiltIn::kNone || built_in == BuiltIn::kReal
          ? Variability::kContinuous
          : Variability::kDiscrete;
  if (built_in == BuiltIn::kString) {
    variability = Variability::kDiscrete;
  }
  if (written_variability == ast::Variability::kParameter) {
    variability = Variability::kParameter;
  } else if (written_variability == ast::Variability::kConstant) {
    variability = Variability::kConstant;
  } else if (written_variability == ast::Variability::kDiscrete) {
    variability = Variability::kDiscrete;
  }
  // An external object is made once, before the start (specification 3.6,
  // section 12.9.7).
  const bool is_object = ClassTree::IsObject(component_.type->enumeration);
  if (is_object && !component_.owner->is_function) {
    variability = std::min(variability, Variability::kParameter);
  }
  if (around != nullptr) {
    variability = std::min(variability, around->variability);
  }
  component_.variability = variability;
  component_.is_protected = member_->is_protected || is_object ||
                            (around != nullptr && around->is_protected);
  component_.is_final =
      member_->element->is_final ||
      (component_.modifier != nullptr && component_.modifier->is_final) ||
      (around != nullptr && around->is_final);
  component_.is_evaluated = variability == Variability::kParameter &&
                            (IsEvaluated(*member_->declaration) ||
                             (around != nullptr && around->is_evaluated));
  FindFlow();
  FindCausality();
}

void Elaboration::FindFlow() {
  const auto flow = PrefixOf(&ast::TypePrefix::flow, ast::FlowPrefix::kNone);
  const Component* const around = component_.owner->component;
  component_.is_flow =
      flow == ast::FlowPrefix::kFlow || (around != nullptr && around->is_flow);
  if (flow == ast::FlowPrefix::kFlow && component_.is_predefined() &&
      component_.type->built_in != BuiltIn::kReal) {
    Fail(member_->clause->type.span,
         "'" + component_.path() + "', of type " + component_.type->name +
             ", cannot be a flow variable: only Reals add up to 0 where they "
             "are connected",
         "make it a Real, or leave 'flow' out");
  }
  if (flow == ast::FlowPrefix::kFlow && IsExpandable(*component_.owner->type)) {
    Fail(
        member_->span,
        "'" + component_.path() +
            "' cannot be a flow variable: it stands in an expandable connector",
        "put it into a connector of its own, and that into the expandable one");
  }
  component_.is_stream = flow == ast::FlowPrefix::kStream ||
                         (around != nullptr && around->is_stream);
  if (component_.is_stream) {
    CheckStream();
  }
}

// In an expandable connector, components are neither inputs nor outputs:
// connections determine their source (specification 3.6, section 9.1.3).
void Elaboration::FindCausality() {
  const Component* const around = component_.owner->component;
  component_.causality =
      PrefixOf(&ast::TypePrefix::causality, ast::Causality::kNone);
  if (component_.causality == ast::Causality::kNone) {
    component_.causality = component_.type->causality;
  }
  if (component_.causality == ast::Causality::kNone && around != nullptr &&
      around->causality != ast::Causality::kNone) {
    component_.causality = around->causality;
  }
  if (IsExpandable(*component_.owner->type)) {
    component_.causality = ast::Causality::kNone;
  }
}

void Elaboration::CheckStream() {
  const Component* around = component_.owner->component;
  const bool is_in_record =
      around != nullptr && around->is_stream;  // That one was checked itself.
  if (!is_in_record &&
      component_.owner->type->kind() != ast::ClassKind::kConnector) {
    Fail(member_->span,
         "'" + component_.path() +
             "' cannot be a stream variable: " + component_.owner->type->name +
             " is " + std::string(KindName(component_.owner->type->kind())) +
             ", not a connector",
         "leave 'stream' out, or declare it in a connector");
  }
  if (component_.is_predefined() &&
      component_.type->built_in != BuiltIn::kReal) {
    Fail(member_->clause->type.span,
         "'" + component_.path() + "', of type " + component_.type->name +
             ", cannot be a stream variable: only Reals mix",
         "make it a Real, or leave 'stream' out");
  }
}

void Elaboration::MakeSymbol() {
  if (component_.type->built_in == BuiltIn::kString) {
    return;
  }
  component_.symbol =
      session_.graph.Symbol({.name = component_.path(),
                             .type = ToValueType(component_.type->built_in),
                             .shape = component_.shape});
  session_.component_of.emplace(component_.symbol.id(), &component_);
}

void Elaboration::MakeElements() {
  const std::int64_t count = NumElements(component_.shape);
  const std::string path = component_.path();
  component_.elements.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int64_t> at = SubscriptsOf(component_.shape, i);
    const Modifier* const modifier =
        Distribute(session_, component_.modifier, component_.shape, at);
    if (session_.instances.size() >= kMaxInstances) {
      session_.is_full = true;
      Fail(member_->span,
           "the model has more than " + std::to_string(kMaxInstances) +
               " components");
    }
    Instance* const element = NewInstance(session_,
                                          component_.type,
                                          component_.owner,
                                          ElementName(path, at),
                                          modifier);
    element->component = &component_;
    element->at = std::move(at);
    component_.elements.push_back(element);
  }
}

}  // namespace

bool IsExpandable(const ClassNode& type) {
  return type.definition != nullptr && type.definition->prefixes.is_expandable;
}

std::string WhyAbsent(const Component& component) {
  const bool is_of_bus = IsExpandable(*component.owner->type);
  return "'" + component.path() + "' does not exist: " +
         (is_of_bus ? "no connection names it, and so the expandable "
                      "connector has none"
                    : "the condition of its declaration is false");
}

std::string HowToHave(const Component& component) {
  return IsExpandable(*component.owner->type)
             ? "connect with it what gives its value"
             : "";
}

void MakeContents(Session& session, Component& component) {
  Elaboration(session, component).MakeContents();
}

bool Elaborate(Session& session, Component& component) {
  if (component.state == Component::State::kDone) {
    return true;
  }
  if (component.state == Component::State::kFailed) {
    return false;
  }
  if (component.state == Component::State::kBusy) {
    component.state = Component::State::kFailed;
    session.diagnostics.Error(
        At(component.member->scope, component.member->span),
        "the declaration of '" + component.path() + "' depends on itself",
        "its type, size or condition must not need its own value");
    return false;
  }
  component.state = Component::State::kBusy;
  try {
    Elaboration(session, component).Run();
    if (component.state == Component::State::kBusy) {
      component.state = Component::State::kDone;
    }
  } catch (const Abandoned&) {
    component.state = Component::State::kFailed;
  } catch (...) {  // Functions around it are lowered again.
    component.state = Component::State::kNew;
    component.shape.clear();
    component.index_types.clear();
    throw;
  }
  return component.state == Component::State::kDone;
}

}  // namespace orrery::modelica::internal
