#include "orrery/modelica/expressions/arrays.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/reductions.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

// One row of parts, `a, b` in [a, b; c], as column vectors of equal height.
struct Columns {
  std::vector<Value> vectors;
  std::int64_t height = -1;  // Unknown without columns.
};

// Column `c`, from 1, of a part: scalars are 1 by 1, vectors columns.
Expr ColumnOf(ExprGraph& graph, Expr part, std::int64_t c) {
  const Shape& shape = part.shape();
  if (shape.empty()) {
    return graph.MakeArray(std::array{part});
  }
  if (shape.size() == 1) {
    return part;
  }
  return BuildArray(graph, {shape[0]}, [&](auto at) {
    return graph.Index(part, std::array{at[0], IntegerOf(graph, c)});
  });
}

Columns ColumnsOf(LoweringContext& lowering,
                  ExprGraph& graph,
                  std::span<const Value> parts,
                  const ast::Expressions& row) {
  Columns result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Value& part = parts[i];
    const Shape& shape = part.shape();
    const std::int64_t height = shape.empty() ? 1 : shape[0];
    if (result.height >= 0 && height != result.height) {
      lowering.Fail(row[i]->span,
                    "this part has " + std::to_string(height) +
                        " rows, the parts before it " +
                        std::to_string(result.height));
    }
    result.height = height;
    const std::int64_t width = shape.size() == 2 ? shape[1] : 1;
    for (std::int64_t c = 1; c <= width; ++c) {
      result.vectors.push_back(
          NumberValue(ColumnOf(graph, part.expr, c), part.enumeration));
    }
  }
  return result;
}

// Row `r`, from 1.
std::vector<Value> CellsOfRow(ExprGraph& graph,
                              const Columns& columns,
                              std::int64_t r) {
  const std::array at = {IntegerOf(graph, r)};
  std::vector<Value> cells;
  cells.reserve(columns.vectors.size());
  for (const Value& column : columns.vectors) {
    cells.push_back(
        NumberValue(graph.Index(column.expr, at), column.enumeration));
  }
  return cells;
}

// A matrix of rows that are constant arrays of `width` numbers.
Expr ConstantMatrix(ExprGraph& graph,
                    std::span<const Value> rows,
                    std::int64_t width) {
  std::vector<double> numbers;
  ValueType type = rows.front().expr.type();
  for (const Value& row : rows) {
    const auto values = graph.ArrayValues(row.expr);
    numbers.insert(numbers.end(), values.begin(), values.end());
    type = row.expr.type() == type ? type : ValueType::kReal;
  }
  return graph.ArrayConstant(
      numbers, {static_cast<std::int64_t>(rows.size()), width}, type);
}

// Arrays one after the other in a dimension, from 1.
Expr JoinParts(LoweringContext& context,
               std::int64_t dimension,
               std::vector<Expr> parts,
               const ast::Span& span) {
  if (parts.size() == 1) {
    return parts.front();
  }
  constexpr std::int64_t kMaxJoined = 1'000'000;
  const auto at = static_cast<std::size_t>(dimension) - 1;
  std::int64_t size = 0;
  for (const Expr part : parts) {
    Shape own = part.shape();
    own[at] = parts.front().shape()[at];
    if (own != parts.front().shape()) {
      context.Fail(span,
                   "[...] cannot join " + Describe(NumberValue(parts.front())) +
                       " and " + Describe(NumberValue(part)));
    }
    size += NumElements(part.shape());
  }
  if (size > kMaxJoined) {
    context.Fail(span,
                 "[...] of arrays of " +
                     std::to_string(parts.front().shape().size()) +
                     " dimensions takes at most " + std::to_string(kMaxJoined) +
                     " elements, not " + std::to_string(size));
  }
  if (size == 0) {
    Shape shape = parts.front().shape();
    shape[at] = 0;
    for (const Expr part : parts) {
      shape[at] += part.shape()[at];
    }
    return EmptyArray(context.session.graph, shape, parts.front().type());
  }
  return Concatenated(context.session.graph, dimension, std::move(parts));
}

// If a part has more than two dimensions, all parts are promoted to its rank
// (specification 3.6, section 10.4.2.1).
Value JoinRows(LoweringContext& context,
               std::span<const std::vector<Value>> rows,
               const ast::MatrixConstructor& matrix,
               std::size_t rank) {
  const Value& first = rows.front().front();
  std::vector<Expr> joined;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ast::Expressions& row = matrix.rows[r];
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      CheckOneType(context, first, rows[r][i], row[i]->span);
      parts.push_back(Promoted(context.session.graph, rows[r][i].expr, rank));
    }
    joined.push_back(
        JoinParts(context, 2, std::move(parts), row.front()->span));
  }
  return NumberValue(
      JoinParts(
          context, 1, std::move(joined), matrix.rows.back().front()->span),
      first.enumeration);
}

}  // namespace

Value LowerArray(LoweringContext& context,
                 const ast::ArrayConstructor& array,
                 const ast::Span& span) {
  if (!array.iterators.empty()) {
    return LowerReduction(
        context, *array.elements.front(), array.iterators, Op::kBuild, span);
  }
  if (array.elements.empty()) {
    return {.is_empty_array = true};
  }
  std::vector<Value> values;
  std::vector<ast::Span> spans;
  values.reserve(array.elements.size());
  for (const ast::Expression* const element : array.elements) {
    values.push_back(LowerExpression(context, *element));
    spans.push_back(element->span);
  }
  return Stack(context, values, spans);
}

Value LowerMatrix(LoweringContext& context,
                  const ast::MatrixConstructor& matrix,
                  const ast::Span& /*span*/) {
  ExprGraph& graph = context.session.graph;
  std::size_t rank = 0;
  std::vector<std::vector<Value>> parts;
  for (const ast::Expressions& row : matrix.rows) {
    parts.emplace_back();
    for (const ast::Expression* const element : row) {
      Value part = AsElement(
          context.session,
          KnownText(
              context, LowerExpression(context, *element), element->span));
      if (part.is_empty_array) {
        part = NumberValue(EmptyArray(graph, {0}, ValueType::kInteger));
      }
      if (!part.is_number()) {
        context.Fail(element->span,
                     "a number, Boolean or String is expected here, not " +
                         Describe(part));
      }
      rank = std::max(rank, part.shape().size());
      parts.back().push_back(part);
    }
  }
  if (rank > 2) {
    return JoinRows(context, parts, matrix, rank);
  }
  std::vector<Value> rows;
  std::vector<ast::Span> spans;
  std::int64_t height = 0;
  std::int64_t width = -1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ast::Expressions& row = matrix.rows[i];
    const Columns columns = ColumnsOf(context, graph, parts[i], row);
    const auto own_width = static_cast<std::int64_t>(columns.vectors.size());
    if (width >= 0 && own_width != width) {
      context.Fail(row.front()->span,
                   "this row has " + std::to_string(own_width) +
                       " columns, the rows before it " + std::to_string(width));
    }
    width = own_width;
    height += columns.height;
    for (std::int64_t r = 1; width > 0 && r <= columns.height; ++r) {
      const std::vector<Value> cells = CellsOfRow(graph, columns, r);
      const std::vector<ast::Span> cell_spans(cells.size(), row.front()->span);
      rows.push_back(Stack(context, cells, cell_spans));
      CheckOneType(context, rows.front(), rows.back(), row.front()->span);
      spans.push_back(row.front()->span);
    }
  }
  if (rows.empty()) {
    const Value& first = parts.front().front();
    return NumberValue(EmptyArray(graph, {height, width}, first.expr.type()),
                       first.enumeration);
  }
  const bool is_constant = std::ranges::all_of(rows, [](const Value& row) {
    return row.expr.op() == Op::kArrayConstant;
  });
  return is_constant ? NumberValue(ConstantMatrix(graph, rows, width),
                                   rows.front().enumeration)
                     : Stack(context, rows, spans);
}

}  // namespace orrery::modelica::internal
