#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"

/// Ranges, and the names that take their values: as iterators of a formula's
/// loops, or one value after the other where a loop is written out.
namespace orrery::modelica::internal {
namespace {

// Passes of one loop that is written out at most.
constexpr std::int64_t kMaxWrittenOut = 1'000'000;

}  // namespace

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
  EnumerationOf(range, span);
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

// The enumeration whose literals a range goes through; null if there is none.
const ClassNode* Lowering::EnumerationOf(const ast::Range& range,
                                         const ast::Span& span) {
  const Value first = Lower(*range.start);
  const Value last = Lower(*range.stop);
  if (first.enumeration != last.enumeration) {
    Fail(span,
         "a range has bounds of one type, not " + Describe(first) + " and " +
             Describe(last));
  }
  if (first.enumeration != nullptr && range.step != nullptr) {
    Fail(range.step->span, "a range of an enumeration has no step");
  }
  return first.enumeration;
}

// false:true (specification 3.6, section 10.4.3).
Value Lowering::BooleanRange(const ast::Range& range, const ast::Span& span) {
  if (range.step != nullptr) {
    Fail(range.step->span, "a range of Booleans has no step");
  }
  const double first = Constant(Condition(*range.start), span, "a range")[0];
  const double last = Constant(Condition(*range.stop), span, "a range")[0];
  std::vector<double> values;
  if (first <= last) {
    values.push_back(first);
  }
  if (first < last) {
    values.push_back(last);
  }
  const auto count = static_cast<std::int64_t>(values.size());
  return NumberValue(
      session_.graph.ArrayConstant(values, {count}, ValueType::kBoolean));
}

Value Lowering::LowerRange(const ast::Range& range, const ast::Span& span) {
  ExprGraph& graph = session_.graph;
  if (const auto integers = IntegerRange(range, span)) {
    const Expr iterator = graph.Iterator("i", *integers);
    return NumberValue(graph.Loop(Op::kBuild, iterator, iterator),
                       EnumerationOf(range, span));
  }
  if (Numbers(*range.start).type() == ValueType::kBoolean) {
    return BooleanRange(range, span);
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
  fixes_parameters_ = mark.fixes_parameters;
}

Lowering::Iteration Lowering::Bind(const ast::ForIndex& index) {
  std::optional<orrery::Range> integers;
  if (index.range == nullptr) {
    integers = orrery::Range{.count = ImpliedSize(index)};
  } else if (const auto* range = std::get_if<ast::Range>(&index.range->node)) {
    integers = IntegerRange(*range, index.range->span);
  }
  return integers ? Bind(index, *integers) : Bind(index, ValuesOf(index));
}

Lowering::Iteration Lowering::Bind(const ast::ForIndex& index,
                                   const orrery::Range& range) {
  const ClassNode* const enumeration = EnumerationOf(index);
  Iteration iteration = Bind(index.name.text, range);
  iteration.value.enumeration = enumeration;
  locals_.back().value = iteration.value;
  return iteration;
}

const ClassNode* Lowering::EnumerationOf(const ast::ForIndex& index) {
  const auto* const range = index.range == nullptr
                                ? nullptr
                                : std::get_if<ast::Range>(&index.range->node);
  return range == nullptr ? nullptr : EnumerationOf(*range, index.range->span);
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
    values.push_back(is_plain ? NumberValue(number, iteration.value.enumeration)
                              : NumberValue(session_.graph.Index(
                                                iteration.value.expr.operand(0),
                                                std::array{number}),
                                            iteration.value.enumeration));
  }
  return values;
}

}  // namespace orrery::modelica::internal
