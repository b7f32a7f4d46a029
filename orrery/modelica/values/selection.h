#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Parts of arrays that subscripts select.
namespace orrery::modelica::internal {

struct Subscript {
  Expr scalar;  ///< An element; else a whole dimension or a selection.
  Expr vector;
  std::optional<orrery::Range> range;
};

/// The shape of an array's selected part.
Shape SelectedShape(const Shape& shape, std::span<const Subscript> subscripts);

Expr Select(LoweringContext& context,
            Expr array,
            std::span<const Subscript> subscripts);

Value Select(LoweringContext& context,
             const Value& value,
             std::span<const Subscript> subscripts);

/// The elements of an array of records, row-major; a single record is its only
/// element.
std::vector<Value> ElementsOf(LoweringContext& context, const Value& records);

/// An element of an array of Strings as the text, once it is known which one it
/// is; other values as they are.
Value Resolved(LoweringContext& context, Value value);

}  // namespace orrery::modelica::internal
