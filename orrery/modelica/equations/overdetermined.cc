#include "orrery/modelica/equations/overdetermined.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orrery/modelica/builtins/overdetermined_records.h"
#include "orrery/modelica/equations/connection_counts.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/syntax/unparse.h"

/// Connectors with more variables than a connection may set equal, as frames of
/// reference: the operators of `Connections` (specification 3.6, section 9.4).
namespace orrery::modelica::internal {
bool AsksForRoots(const ast::Expression& condition) {
  const std::string text = Unparse(condition);
  return text.find("Connections.isRoot") != std::string::npos ||
         text.find("Connections.rooted") != std::string::npos;
}

bool AsksForRoots(const ast::Equation& equation) {
  return AnyWithin(equation, [](const ast::Equation& inner) {
    const auto* const choice = std::get_if<ast::If<ast::Equation>>(&inner.node);
    return choice != nullptr &&
           std::ranges::any_of(choice->branches, [](const auto& branch) {
             return branch.condition != nullptr &&
                    AsksForRoots(*branch.condition);
           });
  });
}

bool IsOverdetermined(Session& session, const Component& component) {
  const Member* const constraint = component.type->Find(kEqualityConstraint);
  if (constraint == nullptr || constraint->nested == nullptr ||
      !session.tree.Expand(constraint->nested)) {
    return false;
  }
  // The function may compare arrays of the type, as in `input Angle a[:]`.
  const std::vector<Member*> inputs =
      MembersOf(*constraint->nested, ast::Causality::kInput);
  ClassNode* const type =
      inputs.empty() ? nullptr : session.tree.TypeOf(*inputs.front());
  return type != nullptr && session.tree.Expand(type) &&
         component.shape.size() == DeclaredRank(*inputs.front(), *type);
}

// The other connections decide if the two become equal or are only checked for
// equality.
void ConnectOverdetermined(LoweringContext& from,
                           SignalSets& signals,
                           const OverdeterminedPair& pair,
                           const ast::Span& span) {
  const auto later = [&from, &signals, span](auto work) {
    return
        [&session = from.session, &signals, context = from.where, span, work] {
          EquationLowering lowering(session, signals, context, false);
          lowering.Guarded(span, [&] { work(lowering); });
        };
  };
  from.session.connection_graph.AddConnection(
      pair.a,
      pair.b,
      later([&signals, pair, span](EquationLowering& lowering) {
        ConnectionLowering(lowering.context(), signals)
            .ConnectParts(pair.a, pair.b, pair.sides, span);
      }),
      later([pair, span](EquationLowering& lowering) {
        const Value residue =
            ResidueOf(lowering.context(), pair.a, pair.b, span);
        if (residue.is_number() && NumElements(residue.shape()) > 0) {
          ExprGraph& graph = lowering.context().session.graph;
          const Expr zeros = BuildArray(
              graph, residue.shape(), [&](auto) { return graph.Constant(0); });
          lowering.Equate(NumberValue(zeros), residue, span);
        }
      }));
}

void LowerConnectionsOperator(LoweringContext& lowering,
                              const std::string& name,
                              const ast::Call& call,
                              const ast::Span& span) {
  ConnectionGraph& graph = lowering.session.connection_graph;
  const std::size_t count = call.arguments.size();
  const auto record = [&](std::size_t i) -> Component& {
    return OverdeterminedRecord(lowering, *call.arguments[i].value);
  };
  if (name == "Connections.branch" && count == 2) {
    Component& first = record(0);
    graph.AddBranch(first, record(1));
  } else if (name == "Connections.root" && count == 1) {
    graph.AddRoot(record(0));
  } else if (name == "Connections.potentialRoot" &&
             (count == 1 || count == 2)) {
    Component& component = record(0);
    graph.AddPotentialRoot(
        component,
        count == 1 ? 0
                   : LowerConstantInteger(lowering,
                                          *call.arguments[1].value,
                                          "the priority of a root"));
  } else {
    lowering.Fail(span,
                  "'" + name + "' does not exist, or takes other arguments",
                  "write Connections.branch(a, b), Connections.root(a) or "
                  "Connections.potentialRoot(a, priority)");
  }
}

}  // namespace orrery::modelica::internal
