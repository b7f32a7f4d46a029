#pragma once

#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Arguments of functions, functions among them (specification 3.6, section
/// 12.4.2). The called function is specialised for each function that is an
/// argument; inputs that this brings become further inputs.
namespace orrery::modelica::internal {

/// Values for a function's inputs. A value with more dimensions than its input
/// means one call for each element.
struct CallArguments {
  std::vector<Value> values;
  std::vector<bool> is_vectorized;
  Shape vectorized;  ///< The additional dimensions; empty if there are none.
};

/// The arguments of a call of a function.
CallArguments LowerArguments(LoweringContext& context,
                             const Callee& callee,
                             const ast::Call& call,
                             const ast::Span& span);

}  // namespace orrery::modelica::internal
