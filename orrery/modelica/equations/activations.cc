#include "orrery/modelica/equations/activations.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kLongestEventName = 80;

// A condition is active in the event in which it becomes true, but not at the
// start.
Expr ActivationOf(LoweringContext& context,
                  Expr condition,
                  const ast::Span& span,
                  const std::string& name) {
  Session& session = context.session;
  ExprGraph& graph = session.graph;
  if (condition.is_constant()) {
    return graph.Boolean(false);
  }
  if (condition == session.flat.initial || condition.op() == Op::kSample) {
    return condition;
  }
  const Expr own =
      session.events.AddHidden(name, At(context.where.scope, span));
  session.flat.equations.push_back({.left = own,
                                    .right = condition,
                                    .span = At(context.where.scope, span),
                                    .path = context.where.instance->path});
  session.flat.events.push_back(
      {.name = ToText(condition, kLongestEventName), .truth = own});
  const Expr rises =
      graph.Binary(Op::kAnd, own, graph.Unary(Op::kNot, graph.Pre(own)));
  return graph.Binary(
      Op::kAnd, rises, graph.Unary(Op::kNot, session.flat.initial));
}

}  // namespace

Expr ClockOf(LoweringContext& context, const ast::When<ast::Equation>& clause) {
  const ast::Expression& condition = *clause.branches.front().condition;
  const auto* const call = std::get_if<ast::Call>(&condition.node);
  const bool may_be_clock =
      call == nullptr
          ? std::holds_alternative<ast::ComponentReference>(condition.node)
          : ast::ToString(call->function) == "Clock";
  if (!may_be_clock) {
    return {};
  }
  const Value value = LowerExpression(context, condition);
  return context.session.tree.IsClock(value.enumeration) ? value.expr : Expr{};
}

Expr Activation(LoweringContext& context,
                const ast::Expression& condition,
                const std::string& name) {
  const auto conditions = LowerConditions(context, condition);
  Expr active = context.session.graph.Boolean(false);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto& [own, span] = conditions[i];
    const std::string numbered =
        conditions.size() == 1 ? name : name + "_" + std::to_string(i + 1);
    active = context.session.graph.Binary(
        Op::kOr, active, ActivationOf(context, own, span, numbered));
  }
  return active;
}

}  // namespace orrery::modelica::internal
