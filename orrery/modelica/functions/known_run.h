#pragma once

#include <optional>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// True if only known Strings let the function be called: a loop assigns one of
/// its Strings, as where it reads a file line by line, or a statement `s :=
/// f()` takes one from an external function, as a checksum of others.
[[nodiscard]] bool NeedsKnownTexts(Session& session, ClassNode& function);

/// True if a component of the class is a String, or a record with Strings.
[[nodiscard]] bool WorksWithTexts(Session& session, ClassNode& type);

/// Carries out a function while the model is translated, statement by
/// statement. Its outputs; none if an argument is not known.
/// @param arguments of all inputs.
std::optional<std::vector<Value>> CarryOut(LoweringContext& context,
                                           ClassNode& function,
                                           const std::vector<Value>& arguments,
                                           const ast::Span& span);

}  // namespace orrery::modelica::internal
