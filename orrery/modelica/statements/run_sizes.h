#pragma once

#include <functional>

#include "orrery/modelica/statements/statement_context.h"

namespace orrery::modelica::internal {

/// Slices whose sizes only the run knows, as in `sum(v[1:k])`. Formulas have
/// shapes that are known: a statement with such a slice is lowered once for
/// each size that the slice may have, and the run takes the one that holds.
class RunSizes {
 public:
  /// Lowers a statement and adds it to `out`; may be called more than once.
  using Work = std::function<void(Statements& out)>;

  explicit RunSizes(StatementContext& context) : context_(context) {}

  /// Does the work, for each size if it has such a slice.
  void LowerForEach(const Work& work, const ast::Span& span, Statements& out);

  /// Does the work. A statement of a function that selects an element of an
  /// array without elements becomes a check that fails where it is reached.
  void LowerIfItSelects(const Work& work,
                        const ast::Span& span,
                        Statements& out);

  /// The condition of a loop; where it has such slices, a variable that is
  /// computed before the loop, and `again` at its end.
  Expr LowerWhileCondition(const ast::While& loop,
                           const ast::Span& span,
                           Statements& out,
                           Statements& again);

 private:
  void LowerForSize(const NeedsSize& needed,
                    const Work& work,
                    const ast::Span& span,
                    Statements& out);
  bool LowerWith(const Work& work, Statements& out);

  StatementContext& context_;
};

}  // namespace orrery::modelica::internal
