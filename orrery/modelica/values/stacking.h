#pragma once

#include <span>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Arrays made of their elements.
namespace orrery::modelica::internal {

/// An array of these values as its first dimension.
/// @param spans of the values, for reports.
Value Stack(LoweringContext& context,
            std::span<const Value> values,
            std::span<const ast::Span> spans);

/// Arranges elements, row-major, as an array of `shape`.
Value Arrange(LoweringContext& context,
              std::vector<Value> elements,
              const Shape& shape,
              const ast::Span& span);

/// Reports values that cannot be elements of one array.
void CheckOneType(LoweringContext& lowering,
                  const Value& first,
                  const Value& other,
                  const ast::Span& span);

/// An empty array of `shape`. Open dimensions of its type have size 0 too.
Value NoElements(Session& session, ClassNode* type, const Shape& shape);

/// The same for the type of `member`, in each element of an array of `around`.
Value NoElements(Session& session, Member& member, const Shape& around);

}  // namespace orrery::modelica::internal
