#include "orrery/modelica/expressions/attributes.h"

#include <algorithm>

#include "orrery/base/element_units.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

void CheckFinal(Session& session,
                const ast::Argument& argument,
                const Attribute& said,
                const Component& component) {
  if (argument.is_final) {
    session.diagnostics.Error(At(said.context.scope, said.value->span),
                              "cannot give '" + component.path() +
                                  "' another '" + std::string(said.name) +
                                  "': its type declares it final");
  }
}

}  // namespace

std::vector<Attribute> AttributesOf(Session& session,
                                    const Component& component) {
  std::vector<Attribute> attributes;
  if (component.modifier != nullptr) {
    for (const auto& [name, part] : component.modifier->parts) {
      if (part->value != nullptr) {
        attributes.push_back({name, part->value, part->context, part});
      }
    }
  }
  for (const WrittenModification& written : component.type->modifications) {
    for (const ast::Argument& argument : written.modification->arguments) {
      const ast::ElementModification* const element = AsNamedValue(argument);
      if (element == nullptr) {
        continue;
      }
      const std::string_view name = element->name.parts.front().text;
      const auto said = std::ranges::find(attributes, name, &Attribute::name);
      if (said != attributes.end()) {
        CheckFinal(session, argument, *said, component);
      } else {
        attributes.push_back({name,
                              element->modification->value,
                              {component.owner, written.scope},
                              nullptr});
      }
    }
  }
  return attributes;
}

std::string TextOf(Session& session,
                   const Component& component,
                   const Attribute& attribute,
                   const std::string& what) {
  const ast::Span& span = attribute.value->span;
  LoweringContext lowering(session, attribute.context);
  Value value = attribute.modifier != nullptr
                    ? ModifierValue(session, *attribute.modifier)
                    : LowerExpression(lowering, *attribute.value);
  value = KnownText(lowering, value, span);
  if (value.text != nullptr) {
    return *value.text;
  }
  const bool is_each = value.shape().empty();
  value = ConvertTo(lowering,
                    std::move(value),
                    session.tree.predefined(BuiltIn::kString),
                    is_each ? nullptr : &component.shape,
                    span,
                    what);
  std::vector<std::string> texts;
  for (const double number :
       Evaluate(session, value.expr, attribute.context, span, what)) {
    texts.push_back(session.text_numbers.At(number));
  }
  return JoinUnits(texts);
}

}  // namespace orrery::modelica::internal
