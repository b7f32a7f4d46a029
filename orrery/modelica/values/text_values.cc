#include "orrery/modelica/values/text_values.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

Value JoinTexts(LoweringContext& context,
                const Value& a,
                const Value& b,
                const ast::Span& span) {
  if (ChoicesOf(a).choices.size() * ChoicesOf(b).choices.size() > kMaxTexts) {
    context.Fail(
        span,
        "this text may be one of more than " + std::to_string(kMaxTexts),
        "join fewer texts that conditions choose");
  }
  return Joined(context.session.graph, a, b);
}

Value KnownText(LoweringContext& context,
                const Value& value,
                const ast::Span& span) {
  if (value.run_text == nullptr) {
    return value;
  }
  const auto number = [&](Expr formula) {
    return context.session.graph.Constant(
        EvaluateOrUnroll(context, formula, span, "the argument of 'String'")[0],
        formula.type());
  };
  std::vector<Expr> known;
  std::ranges::transform(
      FormulasIn(*value.run_text), std::back_inserter(known), number);
  return TextOf(WithFormulas(*value.run_text, known));
}

}  // namespace orrery::modelica::internal
