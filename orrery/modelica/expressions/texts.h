#pragma once

#include <string>

#include "orrery/modelica/values/lowering_context.h"

/// Texts, also of the run (specification, section 3.7.1).
namespace orrery::modelica::internal {

/// A text that is known now.
std::string LowerText(LoweringContext& context,
                      const ast::Expression& expression);

/// A text, perhaps with values that only the run has: strings and String(...),
/// joined.
Value LowerTextInRun(LoweringContext& context,
                     const ast::Expression& expression);

/// A text of which conditions of the run choose no part.
Message LowerMessage(LoweringContext& context,
                     const ast::Expression& expression);

/// The text of String(...); for an enumeration it is a literal's name.
Value LowerStringCall(LoweringContext& context,
                      const ast::Call& call,
                      const ast::Span& span);

}  // namespace orrery::modelica::internal
