#pragma once

#include <string_view>
#include <unordered_map>

#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// The operation of a predefined function of numbers.
struct Elementary {
  Op op;
  bool is_binary;
};

/// By name; min and max, which take arrays as well, are not among them.
const std::unordered_map<std::string_view, Elementary>& ElementaryFunctions();

/// `a op b` of a relation. Precondition: two scalars that can be compared.
Expr Relation(ast::BinaryOperator op, Expr a, Expr b);

}  // namespace orrery::modelica::internal
