#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "orrery/modelica/builtins/overdetermined_records.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/syntax/unparse.h"

/// Connectors with more variables than a connection may set equal, as frames of
/// reference: the operators of `Connections` (specification 3.6, section 9.4).
namespace orrery::modelica::internal {
namespace {

bool AsksForRoots(const ast::Expression& condition) {
  const std::string text = Unparse(condition);
  return text.find("Connections.isRoot") != std::string::npos ||
         text.find("Connections.rooted") != std::string::npos;
}

}  // namespace

bool EquationLowering::AsksForRoots(const ast::Equation& equation) {
  return AnyWithin(equation, [](const ast::Equation& inner) {
    const auto* const choice = std::get_if<ast::If<ast::Equation>>(&inner.node);
    return choice != nullptr &&
           std::ranges::any_of(choice->branches, [](const auto& branch) {
             return branch.condition != nullptr &&
                    internal::AsksForRoots(*branch.condition);
           });
  });
}

const ast::List<ast::Equation>* EquationLowering::TakenBranch(
    const ast::Equation& equation) {
  const auto* const choice =
      std::get_if<ast::If<ast::Equation>>(&equation.node);
  if (choice == nullptr) {
    return nullptr;
  }
  const ast::List<ast::Equation>* taken = nullptr;
  Guarded(equation.span, [&] {
    for (const ast::Branch<ast::Equation>& branch : choice->branches) {
      std::optional<bool> holds = true;
      if (branch.condition != nullptr) {
        holds = internal::AsksForRoots(*branch.condition)
                    ? std::nullopt
                    : Decide(lowering_,
                             LowerCondition(lowering_, *branch.condition));
      }
      if (holds != false) {
        taken = holds ? &branch.body : nullptr;
        return;
      }
    }
  });
  return taken;
}

bool EquationLowering::IsOverdetermined(const Component& component) const {
  std::size_t rank = 0;  // Rank of the type itself, as of Real[3, 3].
  for (const WrittenSizes& sizes : component.type->sizes) {
    rank += sizes.subscripts->size();
  }
  const Member* const constraint =
      component.shape.size() == rank ? component.type->Find(kEqualityConstraint)
                                     : nullptr;
  return constraint != nullptr && constraint->nested != nullptr;
}

// The other connections decide if the two become equal or are only checked for
// equality.
void EquationLowering::ConnectOverdetermined(Component& a,
                                             Component& b,
                                             Sides sides,
                                             const ast::Span& span) {
  const Context context = lowering_.where;
  const auto later = [this, context, span](auto work) {
    return [&session = session_, &signals = signals_, context, span, work] {
      EquationLowering lowering(session, signals, context, false);
      lowering.Guarded(span, [&] { work(lowering); });
    };
  };
  session_.connection_graph.AddConnection(
      a,
      b,
      later([&a, &b, sides, span](EquationLowering& lowering) {
        lowering.ConnectParts(a, b, sides, span);
      }),
      later([&a, &b, span](EquationLowering& lowering) {
        const Value residue = ResidueOf(lowering.lowering_, a, b, span);
        if (residue.is_number() && NumElements(residue.shape()) > 0) {
          const Expr zeros =
              BuildArray(lowering.session_.graph, residue.shape(), [&](auto) {
                return lowering.session_.graph.Constant(0);
              });
          lowering.Equate(NumberValue(zeros), residue, span);
        }
      }));
}

void EquationLowering::LowerConnections(const std::string& name,
                                        const ast::Call& call,
                                        const ast::Span& span) {
  ConnectionGraph& graph = session_.connection_graph;
  const std::size_t count = call.arguments.size();
  const auto record = [&](std::size_t i) -> Component& {
    return OverdeterminedRecord(lowering_, *call.arguments[i].value);
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
                   : LowerConstantInteger(lowering_,
                                          *call.arguments[1].value,
                                          "the priority of a root"));
  } else {
    lowering_.Fail(span,
                   "'" + name + "' does not exist, or takes other arguments",
                   "write Connections.branch(a, b), Connections.root(a) or "
                   "Connections.potentialRoot(a, priority)");
  }
}

}  // namespace orrery::modelica::internal
