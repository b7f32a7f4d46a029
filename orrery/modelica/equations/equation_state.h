#pragma once

#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// The state of the lowering of one section of equations, which all that lowers
/// equations shares: scope, the conditions around, and where equations go.
struct EquationState {
  EquationState(Session& all, const Context& context, bool is_of_start)
      : session(all), lowering(all, context), is_initial(is_of_start) {
    lowering.is_initial = is_of_start;
    lowering.is_in_equation = true;
    lowering.divisible = &iterators;
  }

  EquationState(const EquationState&) = delete;
  EquationState& operator=(const EquationState&) = delete;
  ~EquationState() = default;

  /// Marks a formula in a when-clause: it is computed at events only and causes
  /// none itself (specification, section 8.3.5).
  [[nodiscard]] Expr InWhen(Expr formula) const {
    return is_in_when && formula.Contains(Trait::kBreak)
               ? session.graph.NoEvent(formula)
               : formula;
  }

  /// The list that equations are added to.
  [[nodiscard]] std::vector<Equation>& out() {
    return keeps_constants ? session.flat.as_written.equations
           : is_initial    ? session.flat.initial_equations
                           : session.flat.equations;
  }

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering.where.scope, span);
  }

  Session& session;
  LoweringContext lowering;
  bool is_initial;
  bool is_written_out = false;  ///< Loops must be unrolled.
  bool is_in_when = false;
  bool keeps_constants = false;  ///< See FlatModel::AsWritten.
  /// The condition under which the equations being lowered hold; empty if
  /// always.
  Expr guard;
  Expr initial_guard;  ///< Guard of a branch active at the start.
  std::vector<Expr> iterators;
};

}  // namespace orrery::modelica::internal
