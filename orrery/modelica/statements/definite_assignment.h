#pragma once

#include <vector>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// A place of a function where a variable may have no value yet.
struct Gap {
  Expr variable;
  SourceSpan span;          ///< The statement that reads the variable.
  bool is_output = false;   ///< A result has no value at the function's end.
  bool is_certain = false;  ///< No path to there assigns it; else some do not.
  bool is_given = false;    ///< It is only an argument of calls there.
};

/// Finds the first gap of each variable without an initial value. Certain gaps
/// take precedence, and those that are more than arguments.
///
/// This is definite assignment analysis over all paths. An array counts as
/// assigned once any of its elements is. A loop is assumed to run at least one
/// pass; conditions on the iterator are evaluated for that pass. Some reads are
/// a gap only if nothing assigns the variable, since a condition may guard
/// them: those under a condition within a formula or a loop, those of a
/// while-statement in a loop, and array arguments of calls.
[[nodiscard]] std::vector<Gap> FindGaps(const Function& function);

}  // namespace orrery::modelica::internal
