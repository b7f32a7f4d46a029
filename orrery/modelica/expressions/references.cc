#include "orrery/modelica/expressions/references.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/component_values.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/selection.h"

namespace orrery::modelica::internal {
namespace {

// Parts after the first are fields of a record.
Value ReadFields(LoweringContext& context,
                 Value value,
                 std::span<const ast::ReferencePart> parts,
                 const ast::Span& span) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      const Value* const field = value.record != nullptr
                                     ? value.record->Find(parts[i].name.text)
                                     : nullptr;
      if (field == nullptr) {
        context.Fail(parts[i].name.span,
                     Describe(value) + " has no element '" +
                         std::string(parts[i].name.text) + "'");
      }
      value = Value(*field);
    }
    if (!parts[i].subscripts.empty()) {
      // Dimensions of enclosing records precede its own.
      value = Select(
          context,
          value,
          LowerSubscripts(context, parts[i].subscripts, value.shape(), span));
    }
  }
  return Resolved(context, std::move(value));
}

}  // namespace

Value LowerReference(LoweringContext& context,
                     const ast::ComponentReference& reference) {
  const std::span parts(reference.parts.begin(), reference.parts.size());
  if (!reference.is_global) {
    if (const auto* const local = context.FindLocal(parts.front().name.text)) {
      return ReadFields(context, local->value, parts, reference.span);
    }
  }
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = context.session.tree.Find(
      context.where.scope, {names.data(), names.size()}, reference.is_global);
  if (found.member == nullptr) {
    if (found.parts == 0 && names.size() == 1 && names[0].text == "time" &&
        parts[0].subscripts.empty()) {
      if (context.where.instance->is_function) {
        context.Fail(
            reference.span,
            "'time' cannot be used in a function: it is a variable of models",
            "give it to the function as an input");
      }
      const Expr time = context.session.flat.time;
      return NumberValue(context.replace ? context.replace(time) : time);
    }
    if (!found.literal.empty() && found.parts == names.size()) {
      return EnumerationLiteral(context, reference, found);
    }
    if (found.parts > 0 && found.parts + 1 == names.size() &&
        found.node->built_in == BuiltIn::kEnumeration) {
      return EnumerationLiteral(context, reference, found);
    }
  }
  std::size_t used = 0;
  Component* const component = FindComponent(context, reference, used);
  return ReadComponent(
      context, *component, parts.subspan(used - 1), reference.span);
}

}  // namespace orrery::modelica::internal
