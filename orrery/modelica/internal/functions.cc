#include "orrery/modelica/internal/equations.h"
#include "orrery/modelica/internal/lowering.h"

namespace orrery::modelica::internal {

std::vector<Value> Lowering::CallFunction(ClassNode*,
                                          const ast::Call& call,
                                          const ast::Span&) {
  Fail(call.function.span, "functions are not supported yet");
}

void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection&,
                    const ast::Span& span) {
  session.Fail(context.scope, span, "algorithm sections are not supported yet");
}

}  // namespace orrery::modelica::internal
