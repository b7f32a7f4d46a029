#pragma once

#include <string_view>

#include "orrery/modelica/values/lowering_context.h"

/// Records with more variables than a connection may set equal, and the
/// operators of `Connections` that are values (specification 3.6, section 9.4).
namespace orrery::modelica::internal {

/// The function of an overdetermined record that tells two of them apart.
inline constexpr std::string_view kEqualityConstraint = "equalityConstraint";

/// The record that an argument of an operator of `Connections` names.
Component& OverdeterminedRecord(LoweringContext& context,
                                const ast::Expression& argument);

/// The result of equalityConstraint for two records: zeros if they are equal.
Value ResidueOf(LoweringContext& context,
                Component& a,
                Component& b,
                const ast::Span& span);

/// The value of Connections.isRoot or Connections.rooted.
bool AskForRoot(LoweringContext& context,
                std::string_view name,
                const ast::Call& call,
                const ast::Span& span);

}  // namespace orrery::modelica::internal
