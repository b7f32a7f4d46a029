#include "orrery/modelica/equations/clock_variables.h"

#include <cstddef>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

// Variables -----------------------------------------------------------------

Variable& ClockVariables::Declare(Expr symbol, const SourceSpan& at) {
  Variable& variable = AddMadeUp(session_.flat, symbol, at);
  variable.variability = Variability::kDiscrete;
  return variable;
}

// A variable that takes its values from `like`.
Variable& ClockVariables::DeclareLike(Expr like,
                                      Expr symbol,
                                      const SourceSpan& at) {
  Variable& variable = Declare(symbol, at);
  if (const Variable* const declared = Declared(like)) {
    variable.notes.Edit().unit = declared->notes->unit;
    variable.notes.Edit().enumeration = declared->notes->enumeration;
  }
  return variable;
}

void ClockVariables::Equate(Expr left, Expr right, const SourceSpan& span) {
  session_.flat.equations.push_back(
      {.left = left, .right = right, .span = span});
}

// The declaration of a variable or of the one it is an element of.
Variable* ClockVariables::Declared(Expr variable) {
  const Expr symbol =
      variable.op() == Op::kIndex ? variable.operand(0) : variable;
  const auto found = session_.component_of.find(symbol.id());
  return found == session_.component_of.end()
             ? nullptr
             : &session_.flat.variables[found->second->variable];
}

Expr ClockVariables::StartOf(Expr variable) {
  ExprGraph& graph = session_.graph;
  Expr start;
  if (const Variable* const declared = Declared(variable)) {
    const auto known = starts_.find(declared->symbol.id());
    start = known == starts_.end() ? declared->start : known->second;
  }
  if (!start) {
    start = variable.type() == ValueType::kBoolean
                ? graph.Boolean(false)
                : graph.Constant(0, variable.type());
  }
  if (!start.is_scalar() && variable.op() == Op::kIndex) {
    std::vector<Expr> at;
    for (std::size_t i = 1; i < variable.num_operands(); ++i) {
      at.push_back(variable.operand(i));
    }
    return graph.Index(start, at);
  }
  return start.is_scalar()
             ? BuildArray(graph, variable.shape(), [&](auto) { return start; })
             : start;
}

}  // namespace orrery::modelica::internal
