#include "orrery/modelica/builtins/overdetermined_records.h"

#include <string>
#include <string_view>
#include <variant>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/component_values.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

Component& OverdeterminedRecord(LoweringContext& context,
                                const ast::Expression& argument) {
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&argument.node);
  if (reference == nullptr) {
    context.Fail(argument.span,
                 "operators of 'Connections' take records of connectors, as "
                 "'frame_a.R'");
  }
  Component& component = *FindPlace(context, *reference).component;
  const Member* const constraint =
      component.type == nullptr ? nullptr
                                : component.type->Find(kEqualityConstraint);
  if (constraint == nullptr || constraint->nested == nullptr) {
    context.Fail(argument.span,
                 "'" + component.path() +
                     "' is no overdetermined record: " + component.type->name +
                     " has no function 'equalityConstraint'");
  }
  return component;
}

Value ResidueOf(LoweringContext& context,
                Component& a,
                Component& b,
                const ast::Span& span) {
  ClassNode* const function = a.type->Find(kEqualityConstraint)->nested;
  if (!context.session.tree.Expand(function)) {
    throw Abandoned{};
  }
  CheckCallable(context, *function, span);
  return CallWith(context,
                  {.node = function},
                  {ReadInput(context, a, span), ReadInput(context, b, span)},
                  span)
      .front();
}

bool AskForRoot(LoweringContext& context,
                std::string_view name,
                const ast::Call& call,
                const ast::Span& span) {
  if (name != "isRoot" && name != "rooted") {
    context.Fail(
        span,
        "'Connections." + std::string(name) + "' is no function of a value",
        "isRoot and rooted are; branch, root and potentialRoot are equations");
  }
  if (call.arguments.size() != 1) {
    context.Fail(span,
                 "'Connections." + std::string(name) + "' takes one record");
  }
  const Component& component =
      OverdeterminedRecord(context, *call.arguments.front().value);
  const ConnectionGraph& graph = context.session.connection_graph;
  if (!graph.is_resolved()) {
    context.Fail(span,
                 "'Connections." + std::string(name) +
                     "' is not known here: it follows from all connections",
                 "use it in the condition of an if-equation");
  }
  return name == "isRoot" ? graph.IsRoot(component) : graph.IsRooted(component);
}

}  // namespace orrery::modelica::internal
