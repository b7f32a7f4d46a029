#pragma once

#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Names that take the values of a range: as iterators of a formula's loops,
/// or one value after the other where a loop is written out.
namespace orrery::modelica::internal {

struct Iteration {
  Expr iterator;  ///< Empty if written out.
  Value value;    ///< The value of the loop's name.
};

/// Gives a name a value; undone by Unbind().
void Bind(LoweringContext& context, std::string_view name, Value value);

/// Binds an index to a new iterator over its range; undone by Unbind().
Iteration Bind(LoweringContext& context, const ast::ForIndex& index);

/// The same over this range.
Iteration Bind(LoweringContext& context,
               const ast::ForIndex& index,
               const orrery::Range& range);

/// Binds a name to a new iterator over a range.
Iteration Bind(LoweringContext& context,
               std::string_view name,
               const orrery::Range& range);

/// Binds an index to a new iterator over these values.
Iteration Bind(LoweringContext& context,
               const ast::ForIndex& index,
               const Value& values);

/// Forgets the names that were bound last.
void Unbind(LoweringContext& context, std::size_t count = 1);

/// The enumeration whose literals an index goes through; null if there is none.
const ClassNode* EnumerationOf(LoweringContext& context,
                               const ast::ForIndex& index);

/// The vector that an index takes its values from.
Value ValuesOf(LoweringContext& context, const ast::ForIndex& index);

/// The values of an index, one by one.
std::vector<Value> Unrolled(LoweringContext& context,
                            const ast::ForIndex& index);

/// The same of an index that was bound.
std::vector<Value> Unrolled(LoweringContext& context,
                            const ast::ForIndex& index,
                            const Iteration& iteration);

}  // namespace orrery::modelica::internal
