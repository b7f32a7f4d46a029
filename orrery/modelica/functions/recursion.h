#pragma once

#include <cstddef>
#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/values/lowering_context.h"

/// Recursive functions: each call is a specialisation of its own, for the sizes
/// of its arguments and the values of those that may end the recursion. Where
/// no such value ends it, the function calls itself in the run.
namespace orrery::modelica::internal {

/// The arguments with known values, and those that vary in a run.
struct CompileTimeArguments {
  std::vector<KnownArgument> needed;
  std::vector<std::size_t> varying;
};

/// The known arguments of a call of a function that is being lowered; none if
/// it is not. First requests all arguments that may end the recursion. Throws
/// NeedsRecursionInRun if nothing known ends it.
CompileTimeArguments KnownInRecursion(LoweringContext& context,
                                      const ClassNode* function,
                                      const FlatArguments& arguments,
                                      const std::vector<double>& shapes);

/// Finds the function that is being lowered for arguments of these kinds: a
/// recursive call in the run calls it. Null if there is none.
const Session::Lowered* FindOpen(LoweringContext& context,
                                 const ClassNode* function,
                                 const FlatArguments& arguments,
                                 const std::vector<double>& shapes,
                                 const ast::Span& span);

}  // namespace orrery::modelica::internal
