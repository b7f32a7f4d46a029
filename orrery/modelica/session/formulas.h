#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/class_ast.h"

/// Helpers to build formulas for Modelica's expressions.
namespace orrery::modelica::internal {

struct Session;

/// `array[i, j, ...]` as `body(i, j, ...)` for all elements of `shape`.
Expr BuildArray(ExprGraph& graph,
                const Shape& shape,
                const std::function<Expr(std::span<const Expr>)>& body);

/// A range of Reals includes its bound up to this factor of rounding.
inline constexpr double kUpToRounding = 1 + 1e-15;

/// The name of a made-up iterator over a dimension, from 0.
[[nodiscard]] std::string IteratorName(std::size_t dimension);

/// The concatenation of `parts` along a dimension, from 1; their other sizes
/// are equal. Empty if no element is left.
Expr Concatenated(ExprGraph& graph,
                  std::int64_t dimension,
                  std::vector<Expr> parts);

/// `array` with more dimensions behind its own, of size 1.
Expr Promoted(ExprGraph& graph, Expr array, std::size_t rank);

/// Converts true to 1 and false to 0, and back.
Expr AsNumber(ExprGraph& graph, Expr boolean);
Expr AsBoolean(ExprGraph& graph, Expr number);

/// An array without elements, which the graph's MakeArray does not accept.
Expr EmptyArray(ExprGraph& graph, const Shape& shape, ValueType type);

/// The operation that joins two values of a reduction, and its neutral element.
struct Joining {
  Op op;
  double start;
};

[[nodiscard]] Joining JoiningOf(Op reduction);

/// The names of a reference's parts.
[[nodiscard]] std::vector<ast::Identifier> NamesOf(
    const ast::ComponentReference& reference);

/// True if a variable of a predefined type other than String can take the
/// value.
[[nodiscard]] bool IsNumberOf(const ClassNode& type, const Value& number);

/// The graph's value type of a predefined type.
[[nodiscard]] ValueType ToValueType(BuiltIn built_in) noexcept;

/// An Integer constant, as for subscripts.
[[nodiscard]] Expr IntegerOf(ExprGraph& graph, std::int64_t number);

/// True if a formula contains one of the iterators.
[[nodiscard]] bool HasIterator(Expr expr, std::span<const Expr> iterators);

/// A formula for a constant of these numbers.
Expr ConstantOf(ExprGraph& graph,
                std::span<const double> numbers,
                const Shape& shape,
                ValueType type);

/// The greatest Integer that is not above `x`, for each element of it.
[[nodiscard]] Expr IntegerBelow(Session& session, Expr x);

}  // namespace orrery::modelica::internal
