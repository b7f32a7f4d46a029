#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The field with that name in each record.
std::vector<Value> FieldOfAll(Lowering& lowering,
                              std::string_view name,
                              std::span<const Value> records,
                              std::span<const ast::Span> spans) {
  std::vector<Value> fields;
  fields.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Value* const field =
        records[i].record != nullptr ? records[i].record->Find(name) : nullptr;
    if (field == nullptr) {
      lowering.Fail(spans[i],
                    "an array has elements of one type, not " +
                        Describe(records.front()) + " and " +
                        Describe(records[i]));
    }
    fields.push_back(*field);
  }
  return fields;
}

// True if fields of two records of one type, also nested ones, differ in size.
bool AreOfDifferentSizes(const Value& a, const Value& b) {
  if (a.record == nullptr || b.record == nullptr) {
    return a.shape() != b.shape();
  }
  return !a.record->elements.empty() || !b.record->elements.empty() ||
         std::ranges::any_of(a.record->fields, [&b](const auto& field) {
           const Value* const other = b.record->Find(field.first);
           return other != nullptr && AreOfDifferentSizes(field.second, *other);
         });
}

void CheckOneType(Lowering& lowering,
                  const Value& first,
                  const Value& other,
                  const ast::Span& span) {
  if (other.enumeration != first.enumeration ||
      (other.expr.type() == ValueType::kBoolean) !=
          (first.expr.type() == ValueType::kBoolean)) {
    lowering.Fail(span,
                  "an array has elements of one type, not " + Describe(first) +
                      " and " + Describe(other));
  }
}

// The formulas of values, after a check that they have one type and size.
std::vector<Expr> ElementsOfOneKind(Lowering& lowering,
                                    std::span<const Value> values,
                                    std::span<const ast::Span> spans) {
  const Value& first = values.front();
  std::vector<Expr> elements;
  elements.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    if (!value.is_number()) {
      lowering.Fail(spans[i],
                    "arrays of " + Describe(value) + " are not supported yet");
    }
    CheckOneType(lowering, first, value, spans[i]);
    if (value.shape() != first.shape()) {
      lowering.Fail(spans[i],
                    "an array has elements of one size, not " +
                        Describe(first) + " and " + Describe(value));
    }
    elements.push_back(value.expr);
  }
  return elements;
}

Expr StackExprs(ExprGraph& graph, std::span<const Expr> elements) {
  const bool is_constant =
      std::ranges::all_of(elements, [](Expr e) { return e.is_constant(); });
  if (!is_constant || elements.size() < 2) {
    return graph.MakeArray(elements);
  }
  std::vector<double> numbers;
  numbers.reserve(elements.size());
  ValueType type = elements.front().type();
  for (const Expr element : elements) {
    numbers.push_back(element.value());
    type = element.type() == type ? type : ValueType::kReal;
  }
  return graph.ArrayConstant(
      numbers, {static_cast<std::int64_t>(numbers.size())}, type);
}

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

Columns ColumnsOf(Lowering& lowering,
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

}  // namespace

Value Lowering::LowerArray(const ast::ArrayConstructor& array,
                           const ast::Span& span) {
  if (!array.iterators.empty()) {
    return LowerReduction(
        *array.elements.front(), array.iterators, Op::kBuild, span);
  }
  if (array.elements.empty()) {
    return {.is_empty_array = true};
  }
  std::vector<Value> values;
  std::vector<ast::Span> spans;
  values.reserve(array.elements.size());
  for (const ast::Expression* const element : array.elements) {
    values.push_back(Lower(*element));
    spans.push_back(element->span);
  }
  return Stack(values, spans);
}

Value Lowering::Stack(std::span<const Value> values,
                      std::span<const ast::Span> spans) {
  const Value& first = values.front();
  if (std::ranges::any_of(values, IsText)) {
    std::vector<Value> elements;
    elements.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      elements.push_back(AsElement(session_, KnownText(values[i], spans[i])));
    }
    return Stack(elements, spans);
  }
  if (first.record != nullptr) {
    auto record = std::make_shared<RecordValue>();
    record->type = first.record->type;
    record->shape = first.record->shape;
    record->shape.insert(record->shape.begin(),
                         static_cast<std::int64_t>(values.size()));
    if (std::ranges::any_of(values, [&first](const Value& value) {
          return value.record != nullptr && value.shape() == first.shape() &&
                 AreOfDifferentSizes(first, value);
        })) {
      for (const Value& value : values) {
        std::ranges::copy(ElementsOf(value),
                          std::back_inserter(record->elements));
      }
      return {.record = record};
    }
    for (const auto& [name, field] : first.record->fields) {
      const std::vector<Value> fields = FieldOfAll(*this, name, values, spans);
      record->fields.emplace_back(name, Stack(fields, spans));
    }
    return {.record = record};
  }
  const std::vector<Expr> elements = ElementsOfOneKind(*this, values, spans);
  return NumberValue(StackExprs(session_.graph, elements), first.enumeration);
}

Value Lowering::Arrange(std::vector<Value> elements,
                        const Shape& shape,
                        const ast::Span& span) {
  if (elements.empty()) {
    return {.is_empty_array = true};
  }
  const std::vector<ast::Span> spans(elements.size(), span);
  return StackElements(
      std::move(elements), shape, [&](std::span<const Value> row) {
        return Stack(row, std::span(spans).first(row.size()));
      });
}

// Arrays one after the other in a dimension, from 1.
Expr Lowering::JoinParts(std::int64_t dimension,
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
      Fail(span,
           "[...] cannot join " + Describe(NumberValue(parts.front())) +
               " and " + Describe(NumberValue(part)));
    }
    size += NumElements(part.shape());
  }
  if (size > kMaxJoined) {
    Fail(span,
         "[...] of arrays of " + std::to_string(parts.front().shape().size()) +
             " dimensions takes at most " + std::to_string(kMaxJoined) +
             " elements, not " + std::to_string(size));
  }
  if (size == 0) {
    Shape shape = parts.front().shape();
    shape[at] = 0;
    for (const Expr part : parts) {
      shape[at] += part.shape()[at];
    }
    return EmptyArray(session_.graph, shape, parts.front().type());
  }
  return Concatenated(session_.graph, dimension, std::move(parts));
}

// If a part has more than two dimensions, all parts are promoted to its rank
// (specification 3.6, section 10.4.2.1).
Value Lowering::JoinRows(std::span<const std::vector<Value>> rows,
                         const ast::MatrixConstructor& matrix,
                         std::size_t rank) {
  const Value& first = rows.front().front();
  std::vector<Expr> joined;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ast::Expressions& row = matrix.rows[r];
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      CheckOneType(*this, first, rows[r][i], row[i]->span);
      parts.push_back(Promoted(session_.graph, rows[r][i].expr, rank));
    }
    joined.push_back(JoinParts(2, std::move(parts), row.front()->span));
  }
  return NumberValue(
      JoinParts(1, std::move(joined), matrix.rows.back().front()->span),
      first.enumeration);
}

Value Lowering::LowerMatrix(const ast::MatrixConstructor& matrix,
                            const ast::Span& /*span*/) {
  ExprGraph& graph = session_.graph;
  std::size_t rank = 0;
  std::vector<std::vector<Value>> parts;
  for (const ast::Expressions& row : matrix.rows) {
    parts.emplace_back();
    for (const ast::Expression* const element : row) {
      Value part =
          AsElement(session_, KnownText(Lower(*element), element->span));
      if (part.is_empty_array) {
        part = NumberValue(EmptyArray(graph, {0}, ValueType::kInteger));
      }
      if (!part.is_number()) {
        Fail(element->span,
             "a number, Boolean or String is expected here, not " +
                 Describe(part));
      }
      rank = std::max(rank, part.shape().size());
      parts.back().push_back(part);
    }
  }
  if (rank > 2) {
    return JoinRows(parts, matrix, rank);
  }
  std::vector<Value> rows;
  std::vector<ast::Span> spans;
  std::int64_t height = 0;
  std::int64_t width = -1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ast::Expressions& row = matrix.rows[i];
    const Columns columns = ColumnsOf(*this, graph, parts[i], row);
    const auto own_width = static_cast<std::int64_t>(columns.vectors.size());
    if (width >= 0 && own_width != width) {
      Fail(row.front()->span,
           "this row has " + std::to_string(own_width) +
               " columns, the rows before it " + std::to_string(width));
    }
    width = own_width;
    height += columns.height;
    for (std::int64_t r = 1; width > 0 && r <= columns.height; ++r) {
      const std::vector<Value> cells = CellsOfRow(graph, columns, r);
      const std::vector<ast::Span> cell_spans(cells.size(), row.front()->span);
      rows.push_back(Stack(cells, cell_spans));
      CheckOneType(*this, rows.front(), rows.back(), row.front()->span);
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
                     : Stack(rows, spans);
}

}  // namespace orrery::modelica::internal
