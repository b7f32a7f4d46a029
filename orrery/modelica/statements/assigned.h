#pragma once

#include <vector>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// A place of a function where a variable may have no value yet.
struct Gap {
  Expr variable;
  SourceSpan span;         ///< Of the statement that reads it.
  bool is_output = false;  ///< Not read: the function ends, and it is a result.
  bool is_certain = false;  ///< No path to there assigns it; else some do not.
};

/// The first place for each variable without an initial value; those that are
/// certain take precedence.
///
/// Definite assignment, by a walk over all paths. An array has a value once any
/// of it is assigned. A loop is taken to run at least one pass; what conditions
/// say of the iterator in that pass is seen. What only a condition within a
/// formula or a loop lets be read, or a while-statement in a loop, or a call
/// that is given an array, is a gap only if nothing assigns it: the condition
/// may well be that it has been.
[[nodiscard]] std::vector<Gap> FindGaps(const Function& function);

}  // namespace orrery::modelica::internal
