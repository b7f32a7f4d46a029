#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orrery/modelica/internal/lowering.h"

namespace orrery::modelica::internal {
namespace {

// Values of a reduction or comprehension that is written out at most.
constexpr std::int64_t kMaxWrittenOut = 1'000'000;

// The field of that name of each record.
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

// The formulas of values, checked to be of one type and size.
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
    if (value.enumeration != first.enumeration ||
        (value.expr.type() == ValueType::kBoolean) !=
            (first.expr.type() == ValueType::kBoolean)) {
      lowering.Fail(spans[i],
                    "an array has elements of one type, not " +
                        Describe(first) + " and " + Describe(value));
    }
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

// One row of parts, `a, b` in [a, b; c], as vectors of one height.
struct Columns {
  std::vector<Expr> vectors;
  std::int64_t height = -1;  // Unknown while there is none.
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

Columns LowerColumns(Lowering& lowering,
                     ExprGraph& graph,
                     const ast::Expressions& row) {
  Columns result;
  for (const ast::Expression* const element : row) {
    const Expr part = lowering.Numbers(*element);
    const Shape& shape = part.shape();
    if (shape.size() > 2) {
      lowering.Fail(element->span,
                    "[...] makes matrices, not arrays of " +
                        std::to_string(shape.size()) + " dimensions");
    }
    const std::int64_t height = shape.empty() ? 1 : shape[0];
    if (result.height >= 0 && height != result.height) {
      lowering.Fail(element->span,
                    "this part has " + std::to_string(height) +
                        " rows, the parts before it " +
                        std::to_string(result.height));
    }
    result.height = height;
    const std::int64_t width = shape.size() == 2 ? shape[1] : 1;
    for (std::int64_t c = 1; c <= width; ++c) {
      result.vectors.push_back(ColumnOf(graph, part, c));
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
  for (const Expr column : columns.vectors) {
    cells.push_back(NumberValue(graph.Index(column, at)));
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

// As in i2, for the second dimension.
std::string IteratorName(std::size_t dimension) {
  return "i" + std::to_string(dimension + 1);
}

Expr BuildArray(ExprGraph& graph,
                const Shape& shape,
                const std::function<Expr(std::span<const Expr>)>& body) {
  std::vector<Expr> iterators;
  iterators.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    iterators.push_back(graph.Iterator(IteratorName(i), {.count = shape[i]}));
  }
  Expr result = body(iterators);
  for (std::size_t i = shape.size(); i-- > 0;) {
    result = graph.Loop(Op::kBuild, iterators[i], result);
  }
  return result;
}

// Construction --------------------------------------------------------------

Value Lowering::LowerArray(const ast::ArrayConstructor& array,
                           const ast::Span& span) {
  if (!array.iterators.empty()) {
    return LowerComprehension(
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
  if (first.record != nullptr) {
    auto record = std::make_shared<RecordValue>();
    record->type = first.record->type;
    record->shape = first.record->shape;
    record->shape.insert(record->shape.begin(),
                         static_cast<std::int64_t>(values.size()));
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
  for (std::size_t dimension = shape.size(); dimension-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[dimension]);
    std::vector<Value> rows;
    for (std::size_t i = 0; i < elements.size(); i += extent) {
      rows.push_back(Stack(std::span(elements).subspan(i, extent),
                           std::span(spans).subspan(i, extent)));
    }
    elements = std::move(rows);
  }
  return elements.front();
}

Value Lowering::LowerMatrix(const ast::MatrixConstructor& matrix,
                            const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  std::vector<Value> rows;
  std::vector<ast::Span> spans;
  std::int64_t width = -1;
  for (const ast::Expressions& row : matrix.rows) {
    const Columns columns = LowerColumns(*this, graph, row);
    const auto own_width = static_cast<std::int64_t>(columns.vectors.size());
    if (width >= 0 && own_width != width) {
      Fail(row.front()->span,
           "this row has " + std::to_string(own_width) +
               " columns, the rows before it " + std::to_string(width));
    }
    width = own_width;
    for (std::int64_t r = 1; r <= columns.height; ++r) {
      const std::vector<Value> cells = CellsOfRow(graph, columns, r);
      const std::vector<ast::Span> cell_spans(cells.size(), row.front()->span);
      rows.push_back(Stack(cells, cell_spans));
      spans.push_back(row.front()->span);
    }
  }
  if (rows.empty()) {
    Fail(span, "a matrix without elements has no size here");
  }
  const bool is_constant = std::ranges::all_of(rows, [](const Value& row) {
    return row.expr.op() == Op::kArrayConstant;
  });
  return is_constant ? NumberValue(ConstantMatrix(graph, rows, width))
                     : Stack(rows, spans);
}

// Ranges and iterators ------------------------------------------------------

std::optional<orrery::Range> Lowering::IntegerRange(const ast::Range& range,
                                                    const ast::Span& span) {
  const auto part = [&](const ast::Expression& expression) {
    const Expr expr = Numbers(expression);
    if (!expr.is_scalar()) {
      Fail(expression.span, "the bounds of a range are scalars");
    }
    return expr;
  };
  const Expr start = part(*range.start);
  const Expr stop = part(*range.stop);
  const Expr step = range.step != nullptr
                        ? part(*range.step)
                        : session_.graph.Constant(1, ValueType::kInteger);
  for (const Expr bound : {start, stop, step}) {
    if (bound.type() != ValueType::kInteger) {
      return std::nullopt;
    }
  }
  const double first = Constant(start, range.start->span, "a range")[0];
  const double last = Constant(stop, range.stop->span, "a range")[0];
  const double by = Constant(step, span, "a range")[0];
  if (by == 0) {
    Fail(span, "the step of a range is zero");
  }
  constexpr double kLargest = 1e15;
  if (!(std::abs(first) < kLargest && std::abs(last) < kLargest &&
        std::abs(by) < kLargest)) {
    Fail(span, "this range is too large");
  }
  const double count = std::max(0.0, std::floor((last - first) / by) + 1);
  if (count > static_cast<double>(kMaxArraySize)) {
    Fail(span,
         "this range has more than " + std::to_string(kMaxArraySize) +
             " values");
  }
  return orrery::Range{.start = static_cast<std::int64_t>(first),
                       .step = static_cast<std::int64_t>(by),
                       .count = static_cast<std::int64_t>(count)};
}

Value Lowering::LowerRange(const ast::Range& range, const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  if (const auto integers = IntegerRange(range, span)) {
    const Expr iterator = graph.Iterator("i", *integers);
    return NumberValue(graph.Loop(Op::kBuild, iterator, iterator));
  }
  const Expr start = Scalar(*range.start, ValueType::kReal);
  const Expr stop = Scalar(*range.stop, ValueType::kReal);
  const Expr step = range.step != nullptr
                        ? Scalar(*range.step, ValueType::kReal)
                        : graph.Constant(1);
  const double first = Constant(start, span, "a range")[0];
  const double last = Constant(stop, span, "a range")[0];
  const double by = Constant(step, span, "a range")[0];
  const double count = std::floor((last - first) / by * kUpToRounding) + 1;
  if (!(count < static_cast<double>(kMaxArraySize))) {
    Fail(span, "this range has no end, or too many values");
  }
  const Expr iterator = graph.Iterator(
      "i",
      {.start = 0, .count = static_cast<std::int64_t>(std::max(0.0, count))});
  return NumberValue(graph.Loop(Op::kBuild, iterator, start + iterator * step));
}

void Lowering::Bind(std::string_view name, Value value) {
  locals_.push_back({.name = name, .value = std::move(value)});
}

void Lowering::Unbind(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (locals_.back().iterator) {
      iterators_.pop_back();
    }
    locals_.pop_back();
  }
}

void Lowering::Restore(const Mark& mark) {
  locals_.resize(mark.locals);
  ends_.resize(mark.ends);
  iterators_.resize(mark.iterators);
  depth_ = mark.depth;
  fixes_parameters_ = mark.fixes_parameters;
}

Lowering::Iteration Lowering::Bind(const ast::ForIndex& index) {
  std::optional<orrery::Range> integers;
  if (index.range == nullptr) {
    integers = orrery::Range{.count = ImpliedSize(index)};
  } else if (const auto* range = std::get_if<ast::Range>(&index.range->node)) {
    integers = IntegerRange(*range, index.range->span);
  }
  return integers ? Bind(index.name.text, *integers)
                  : Bind(index, ValuesOf(index));
}

Lowering::Iteration Lowering::Bind(std::string_view name,
                                   const orrery::Range& range) {
  const Expr iterator = session_.graph.Iterator(std::string(name), range);
  iterators_.push_back(iterator);
  Bind(name, NumberValue(iterator));
  locals_.back().iterator = iterator;
  return {.iterator = iterator, .value = locals_.back().value};
}

// The size of all dimensions that the iterator is a subscript in.
std::int64_t Lowering::ImpliedSize(const ast::ForIndex& index) {
  const std::string range =
      "the range of '" + std::string(index.name.text) + "'";
  const std::string hint =
      "write '" + std::string(index.name.text) + " in 1:size(...)'";
  if (index.sizes.empty()) {
    Fail(index.span,
         range + " is not known: it is no array's subscript in its loop",
         hint);
  }
  const auto name_of = [](const ast::Expression* size) {
    const auto& call = std::get<ast::Call>(size->node);
    return ast::ToString(
        std::get<ast::ComponentReference>(call.arguments[0].value->node));
  };
  const ast::Expression* const first = index.sizes[0];
  const std::int64_t count = ConstantInteger(*first, range);
  for (const ast::Expression* const other : index.sizes) {
    const std::int64_t size = ConstantInteger(*other, range);
    if (size != count) {
      Fail(index.span,
           range + " is not known: as a subscript of '" + name_of(first) +
               "' it goes to " + std::to_string(count) + ", of '" +
               name_of(other) + "' to " + std::to_string(size),
           hint);
    }
  }
  return count;
}

Value Lowering::ValuesOf(const ast::ForIndex& index) {
  Value values;
  if (const auto* reference =
          std::get_if<ast::ComponentReference>(&index.range->node)) {
    const ClassNode* type = FindType(*reference);
    if (type != nullptr && (type->built_in == BuiltIn::kEnumeration ||
                            type->built_in == BuiltIn::kBoolean)) {
      const bool is_boolean = type->built_in == BuiltIn::kBoolean;
      std::vector<double> numbers;
      const std::size_t count = is_boolean ? 2 : type->literals.size();
      for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<double>(is_boolean ? i : i + 1));
      }
      values = NumberValue(
          session_.graph.ArrayConstant(numbers,
                                       {static_cast<std::int64_t>(count)},
                                       ToValueType(type->built_in)),
          type->enumeration);
    }
  }
  if (!values.is_number()) {
    values = Lower(*index.range);
  }
  if (values.is_empty_array || !values.is_number() ||
      values.shape().size() != 1) {
    Fail(index.range->span,
         "an iterator takes its values from a vector, not from " +
             Describe(values));
  }
  return values;
}

Lowering::Iteration Lowering::Bind(const ast::ForIndex& index,
                                   const Value& values) {
  ExprGraph& graph = session_.graph;
  const Expr iterator = graph.Iterator(std::string(index.name.text),
                                       {.count = values.shape()[0]});
  iterators_.push_back(iterator);
  Bind(index.name.text,
       NumberValue(graph.Index(values.expr, std::array{iterator}),
                   values.enumeration));
  locals_.back().iterator = iterator;
  return {.iterator = iterator, .value = locals_.back().value};
}

std::vector<Value> Lowering::Unrolled(const ast::ForIndex& index) {
  const Iteration iteration = Bind(index);
  Unbind();
  return Unrolled(index, iteration);
}

std::vector<Value> Lowering::Unrolled(const ast::ForIndex& index,
                                      const Iteration& iteration) {
  const orrery::Range range = session_.graph.IteratorRange(iteration.iterator);
  session_.unrolled += range.count;
  if (range.count > kMaxWrittenOut || session_.unrolled > kMaxUnrolled) {
    Fail(index.span,
         "this loop must be written out, which is limited to " +
             std::to_string(kMaxWrittenOut) + " passes");
  }
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(range.count));
  const bool is_plain = iteration.value.expr == iteration.iterator;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const Expr number = IntegerOf(session_.graph, range.start + i * range.step);
    values.push_back(is_plain ? NumberValue(number)
                              : NumberValue(session_.graph.Index(
                                                iteration.value.expr.operand(0),
                                                std::array{number}),
                                            iteration.value.enumeration));
  }
  return values;
}

// The last iterator is the outermost.
Value Lowering::LowerReduction(const ast::Expression& body,
                               const ast::List<ast::ForIndex>& iterators,
                               std::size_t count,
                               Op op,
                               const ast::Span& span) {
  if (count == 0) {
    return Lower(body);
  }
  const ast::ForIndex& index = iterators[count - 1];
  if (op != Op::kBuild && IsOfRun(index)) {
    return ReduceInRun(body, iterators, count, op, span);
  }
  const Mark mark = Save();
  try {
    const Iteration iteration = Bind(index);
    const Value value = LowerReduction(body, iterators, count - 1, op, span);
    Unbind();
    if (value.is_number()) {
      return NumberValue(
          session_.graph.Loop(op, iteration.iterator, value.expr),
          value.enumeration);
    }
    Fail(span, "an array of " + Describe(value) + " is not supported here");
  } catch (const NeedsUnrolling&) {
    Restore(mark);
  }
  std::vector<Value> values;
  for (const Value& value : Unrolled(index)) {
    Bind(index.name.text, value);
    values.push_back(LowerReduction(body, iterators, count - 1, op, span));
    Unbind();
  }
  if (op != Op::kBuild) {
    return Join(values, JoiningOf(op), span);
  }
  if (values.empty()) {
    return {.is_empty_array = true};
  }
  const std::vector<ast::Span> spans(values.size(), span);
  return Stack(values, spans);
}

Value Lowering::Join(std::span<const Value> values,
                     const Joining& joining,
                     const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  if (values.empty()) {
    const bool is_integer = std::abs(joining.start) <= kMaxInteger;
    return NumberValue(graph.Constant(
        joining.start, is_integer ? ValueType::kInteger : ValueType::kReal));
  }
  Expr result;
  for (const Value& value : values) {
    if (!value.is_number() || value.expr.type() == ValueType::kBoolean) {
      Fail(span, Describe(value) + " cannot be reduced");
    }
    result = result ? graph.Binary(joining.op, result, value.expr) : value.expr;
  }
  return NumberValue(result, values.front().enumeration);
}

Value Lowering::LowerComprehension(const ast::Expression& body,
                                   const ast::List<ast::ForIndex>& iterators,
                                   Op op,
                                   const ast::Span& span) {
  return LowerReduction(body, iterators, iterators.size(), op, span);
}

}  // namespace orrery::modelica::internal
