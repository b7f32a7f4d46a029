#include "orrery/modelica/dialog/dialog.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/descriptions.h"
#include "orrery/modelica/scene/instance_view.h"
#include "orrery/modelica/workspace/name_target.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/class_kind.h"

namespace orrery::modelica {
namespace internal {
namespace {

// Describes one class, or one component of it.
class Describer {
 public:
  explicit Describer(ClassTree& tree) : evaluator_(tree) {}

  Description OfClass(ClassNode& node);
  Description OfComponent(ClassNode& node, const std::string& name);

 private:
  void AddClass(const ClassNode& node, Description& result);
  void AddParameters(const InstanceView& view,
                     std::string_view of,
                     Description& result);
  void AddReplaceables(const InstanceView& view, Description& result);
  void AddReplaceable(const InstanceView& view,
                      Member& member,
                      const ast::Element& element,
                      Description& result);
  void AddDialog(const InstanceView& view,
                 const Member& member,
                 ParameterField& field);
  void AddChoices(const Member& member, ParameterField& field);
  void AddEnumeration(const ClassNode& type, ParameterField& field);

  ViewEvaluator evaluator_;
};

std::optional<std::string> TextOf(const BoundExpression& bound) {
  return bound.expression == nullptr ? std::nullopt
                                     : std::optional(WrittenText(bound));
}

const ast::ClassModification* AnnotationOf(const Member& member) {
  return member
      .Declared([](const Member& its) {
        return its.declaration->description.annotation != nullptr;
      })
      .declaration->description.annotation;
}

// In a package constants are what can be set.
bool IsParameter(const ClassNode& node, const Member& member) {
  const ast::Variability wanted = node.kind() == ast::ClassKind::kPackage
                                      ? ast::Variability::kConstant
                                      : ast::Variability::kParameter;
  return member.clause != nullptr && !member.is_protected &&
         member.clause->prefix.variability == wanted &&
         (member.element == nullptr || !member.element->is_final);
}

// The short class of a text; null if it is written out.
const ast::ShortClass* ShortClassOf(const ast::ClassDefinition* definition) {
  return definition == nullptr
             ? nullptr
             : std::get_if<ast::ShortClass>(&definition->node);
}

void Describer::AddEnumeration(const ClassNode& type, ParameterField& field) {
  const ClassNode* const text =
      type.enumeration != nullptr ? type.enumeration : &type;
  const auto* const body =
      text->definition == nullptr
          ? nullptr
          : std::get_if<ast::Enumeration>(&text->definition->node);
  for (const std::string& literal : type.literals) {
    std::string about;
    if (body != nullptr) {
      const auto found = std::find_if(
          body->literals.begin(), body->literals.end(), [&](const auto& its) {
            return its.name.text == literal;
          });
      about = found == body->literals.end()
                  ? ""
                  : ast::ToString(found->description.strings);
    }
    field.choices.push_back(
        {.text = about.empty() ? literal : literal + ": " + about,
         .value = text->name + "." + literal});
  }
}

// choices(choice=1 "One", choice=2 "Two").
void Describer::AddChoices(const Member& member, ParameterField& field) {
  const ast::Modification* const list =
      ArgumentIn(AnnotationOf(member), "choices");
  if (list == nullptr || list->arguments == nullptr) {
    return;
  }
  for (const ast::Argument& argument : list->arguments->arguments) {
    const auto* const said = AsNamedValue(argument);
    if (said == nullptr || ast::ToString(said->name) != "choice") {
      continue;
    }
    const std::string value = WrittenText(
        {.expression = said->modification->value, .scope = member.scope});
    const std::string text = ast::ToString(said->description);
    field.choices.push_back(
        {.text = text.empty() ? value : text, .value = value});
  }
}

void Describer::AddDialog(const InstanceView& view,
                          const Member& member,
                          ParameterField& field) {
  const ast::Modification* const dialog =
      ArgumentIn(AnnotationOf(member), "Dialog");
  if (dialog == nullptr) {
    return;
  }
  field.group = TextIn(dialog->arguments, "group");
  field.tab = TextIn(dialog->arguments, "tab");
  const ast::Expression* const enable = ValueIn(dialog->arguments, "enable");
  const AnnotationValue value = evaluator_.Evaluate(
      {.expression = enable, .scope = member.scope, .view = &view});
  field.is_enabled = value.truth() == nullptr || *value.truth();
}

void Describer::AddParameters(const InstanceView& view,
                              std::string_view of,
                              Description& result) {
  InstanceView plain = view;
  plain.modifiers = nullptr;
  for (Member& member : view.node->members) {
    if (!IsParameter(*view.node, member)) {
      continue;
    }
    ClassNode* const type = evaluator_.tree().TypeOf(member);
    ParameterField field = {
        .name = std::string(member.name),
        .of = std::string(of),
        .type =
            type == nullptr ? ast::ToString(member.clause->type) : type->name,
        .description = DescriptionOf(member),
        .unit = AttributeOf(evaluator_.tree(), member, "unit"),
        .display_unit = AttributeOf(evaluator_.tree(), member, "displayUnit")};
    if (type != nullptr) {
      evaluator_.tree().Expand(type);
      if (type->built_in != BuiltIn::kNone &&
          type->built_in != BuiltIn::kEnumeration) {
        field.type = evaluator_.tree().predefined(type->built_in)->name;
      }
    }
    field.units = UnitMenu(field.unit);
    const Part& part = view.node->parts[member.part];
    field.from = part.base == nullptr ? "" : part.base->name;
    AddDialog(view, member, field);
    AddChoices(member, field);
    if (field.choices.empty() && type != nullptr) {
      AddEnumeration(*type, field);
    }
    // A class's own declarations are its values.
    const bool is_component = view.outer != nullptr;
    const BoundExpression set = evaluator_.ValueOf(view, member.name);
    const BoundExpression without = evaluator_.ValueOf(plain, member.name);
    const bool is_own = !is_component && member.part == 0;
    if (is_own || set.expression != without.expression) {
      field.value = TextOf(set);
    }
    if (!is_own) {
      field.default_text = TextOf(without);
    }
    result.parameters.push_back(std::move(field));
  }
}

// Adds the class that stands for a replaceable one, and then its parameters.
void Describer::AddReplaceable(const InstanceView& view,
                               Member& member,
                               const ast::Element& element,
                               Description& result) {
  ClassTree& tree = evaluator_.tree();
  ClassNode& declared = *member.nested;
  const ast::ShortClass* const named = ShortClassOf(declared.definition);
  ClassNode* const meant =
      named == nullptr ? &declared
                       : tree.FindClass(declared.enclosing, named->base);
  ParameterField field = {.name = std::string(member.name),
                          .type = std::string(Keyword(declared.kind())),
                          .description = DescriptionOf(declared)};
  Scope* const scope =
      member.element == nullptr ? declared.replaces_in : member.scope;
  ClassNode* const constraint =
      element.constraint == nullptr
          ? meant
          : tree.FindClass(scope, element.constraint->type);
  field.constraint = constraint == nullptr ? "" : constraint->name;
  field.default_text = meant == nullptr ? "" : meant->name;
  const ast::ShortClass* const chosen =
      ShortClassOf(RedeclaredIn(view.modifiers, member.name));
  InstanceView inner = {
      .node = &declared, .outer = view.outer, .outer_scope = view.outer_scope};
  if (chosen != nullptr) {
    field.value = ast::ToString(chosen->base);
    inner.node = tree.FindClass(view.outer_scope, chosen->base);
    inner.modifiers = chosen->modification;
  } else if (const ast::Modification* const given =
                 ArgumentIn(view.modifiers, member.name)) {
    inner.modifiers = given->arguments;
  }
  result.parameters.push_back(std::move(field));
  if (inner.node != nullptr && tree.Expand(inner.node) &&
      !inner.node->parts.empty()) {
    AddParameters(inner, member.name, result);
  }
}

void Describer::AddReplaceables(const InstanceView& view, Description& result) {
  for (Member& member : view.node->members) {
    if (member.nested == nullptr || member.is_protected) {
      continue;
    }
    const ast::Element* const element =
        member.element == nullptr ? member.nested->replaces : member.element;
    const bool can_be_chosen = element != nullptr && element->is_replaceable &&
                               !element->is_final &&
                               member.nested->definition != nullptr;
    if (can_be_chosen) {
      AddReplaceable(view, member, *element, result);
    }
  }
}

void Describer::AddClass(const ClassNode& node, Description& result) {
  result.type = node.name;
  result.kind = std::string(Keyword(node.kind()));
  result.description = DescriptionOf(node);
  if (node.definition == nullptr) {
    return;
  }
  const auto* const annotation = node.definition->description.annotation;
  if (const auto* its = ArgumentIn(annotation, "Documentation")) {
    result.documentation = TextIn(its->arguments, "info");
  }
  if (const auto* its = ArgumentIn(annotation, "experiment")) {
    const auto text_of = [&](std::string_view name) {
      return WrittenText(
          {.expression = ValueIn(its->arguments, name), .scope = node.scope});
    };
    result.stop_time = text_of("StopTime");
    result.tolerance = text_of("Tolerance");
  }
}

Description Describer::OfClass(ClassNode& node) {
  Description result = {.name = node.name};
  AddClass(node, result);
  result.declared = TargetOf(node).declared;
  if (!node.parts.empty()) {
    AddParameters({.node = &node}, "", result);
  }
  return result;
}

Description Describer::OfComponent(ClassNode& node, const std::string& name) {
  Member* const member = node.Find(name);
  if (member == nullptr || member->clause == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot describe '" + name + "': " + node.name +
                    " has no such component");
  }
  Description result = {.name = name,
                        .type = ast::ToString(member->clause->type)};
  result.declared = TargetOf(node, *member).declared;
  const InstanceView outer = {.node = &node};
  const InstanceView view = evaluator_.ViewOf(outer, *member);
  if (view.node != nullptr) {
    AddClass(*view.node, result);
    if (!view.node->parts.empty()) {
      AddParameters(view, "", result);
      AddReplaceables(view, result);
    }
  }
  const std::string own = DescriptionOf(*member);
  result.description = own.empty() ? result.description : own;
  result.condition = WrittenText(
      {.expression = member->declaration->condition, .scope = member->scope});
  return result;
}

}  // namespace
}  // namespace internal

Description Describe(Workspace& workspace,
                     const Document& document,
                     const std::string& class_name,
                     const std::string& component) {
  internal::ClassTree& tree = workspace.TreeOf(document);
  internal::ClassNode* const node = tree.FindGlobal(class_name);
  if (node == nullptr || class_name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot describe '" + class_name + "': there is no such class");
  }
  tree.Expand(node);
  internal::Describer describer(tree);
  return component.empty() ? describer.OfClass(*node)
                           : describer.OfComponent(*node, component);
}

}  // namespace orrery::modelica
