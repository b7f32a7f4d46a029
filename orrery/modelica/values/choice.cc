#include "orrery/modelica/values/choice.h"

#include <cstddef>
#include <memory>

#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

Value ChooseValue(LoweringContext& context,
                  Expr condition,
                  const Value& a,
                  const Value& b,
                  const ast::Span& span) {
  if (a.record != nullptr && b.record != nullptr) {
    auto record = std::make_shared<RecordValue>(*a.record);
    for (auto& [name, field] : record->fields) {
      const Value* const other = b.record->Find(name);
      if (other == nullptr) {
        context.Fail(span, "the branches are different records");
      }
      field = ChooseValue(context, condition, field, *other, span);
    }
    for (std::size_t i = 0; i < record->elements.size(); ++i) {
      record->elements[i] = ChooseValue(
          context, condition, record->elements[i], b.record->elements[i], span);
    }
    return {.record = record};
  }
  if (IsText(a) && IsText(b)) {
    return Chosen(context.session.graph, condition, a, b);
  }
  const bool both_boolean = a.is_number() && b.is_number() &&
                            (a.expr.type() == ValueType::kBoolean) ==
                                (b.expr.type() == ValueType::kBoolean);
  if (!both_boolean || !AreOneEnumeration(a.enumeration, b.enumeration)) {
    context.Fail(span,
                 "the branches have different types: " + Describe(a) + " and " +
                     Describe(b));
  }
  if (a.shape() != b.shape()) {
    context.Fail(span,
                 "the branches have different sizes: " + Describe(a) + " and " +
                     Describe(b));
  }
  return NumberValue(context.session.graph.Select(condition, a.expr, b.expr),
                     a.enumeration);
}

}  // namespace orrery::modelica::internal
