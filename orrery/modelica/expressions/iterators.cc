#include "orrery/modelica/expressions/iterators.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/ranges.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {
namespace {

// Passes of one loop that is written out at most.
constexpr std::int64_t kMaxWrittenOut = 1'000'000;

// The size of all dimensions that the iterator is a subscript in.
std::int64_t ImpliedSize(LoweringContext& context, const ast::ForIndex& index) {
  const std::string range =
      "the range of '" + std::string(index.name.text) + "'";
  const std::string hint =
      "write '" + std::string(index.name.text) + " in 1:size(...)'";
  if (index.sizes.empty()) {
    context.Fail(
        index.span,
        range + " is not known: it is no array's subscript in its loop",
        hint);
  }
  const auto name_of = [](const ast::Expression* size) {
    const auto& call = std::get<ast::Call>(size->node);
    return ast::ToString(
        std::get<ast::ComponentReference>(call.arguments[0].value->node));
  };
  const ast::Expression* const first = index.sizes[0];
  const std::int64_t count = LowerConstantInteger(context, *first, range);
  for (const ast::Expression* const other : index.sizes) {
    const std::int64_t size = LowerConstantInteger(context, *other, range);
    if (size != count) {
      context.Fail(index.span,
                   range + " is not known: as a subscript of '" +
                       name_of(first) + "' it goes to " +
                       std::to_string(count) + ", of '" + name_of(other) +
                       "' to " + std::to_string(size),
                   hint);
    }
  }
  return count;
}

}  // namespace

void Bind(LoweringContext& context, std::string_view name, Value value) {
  context.locals.push_back({.name = name, .value = std::move(value)});
}

void Unbind(LoweringContext& context, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (context.locals.back().iterator) {
      context.iterators.pop_back();
    }
    context.locals.pop_back();
  }
}

Iteration Bind(LoweringContext& context, const ast::ForIndex& index) {
  std::optional<orrery::Range> integers;
  if (index.range == nullptr) {
    integers = orrery::Range{.count = ImpliedSize(context, index)};
  } else if (const auto* range = std::get_if<ast::Range>(&index.range->node)) {
    integers = LowerIntegerRange(context, *range, index.range->span);
  }
  return integers ? Bind(context, index, *integers)
                  : Bind(context, index, ValuesOf(context, index));
}

Iteration Bind(LoweringContext& context,
               const ast::ForIndex& index,
               const orrery::Range& range) {
  const ClassNode* const enumeration = EnumerationOf(context, index);
  Iteration iteration = Bind(context, index.name.text, range);
  iteration.value.enumeration = enumeration;
  context.locals.back().value = iteration.value;
  return iteration;
}

const ClassNode* EnumerationOf(LoweringContext& context,
                               const ast::ForIndex& index) {
  const auto* const range = index.range == nullptr
                                ? nullptr
                                : std::get_if<ast::Range>(&index.range->node);
  return range == nullptr ? nullptr
                          : EnumerationOf(context, *range, index.range->span);
}

Iteration Bind(LoweringContext& context,
               std::string_view name,
               const orrery::Range& range) {
  const Expr iterator =
      context.session.graph.Iterator(std::string(name), range);
  context.iterators.push_back(iterator);
  Bind(context, name, NumberValue(iterator));
  context.locals.back().iterator = iterator;
  return {.iterator = iterator, .value = context.locals.back().value};
}

Value ValuesOf(LoweringContext& context, const ast::ForIndex& index) {
  Value values;
  if (const auto* reference =
          std::get_if<ast::ComponentReference>(&index.range->node)) {
    const ClassNode* type = FindType(context, *reference);
    if (type != nullptr && (type->built_in == BuiltIn::kEnumeration ||
                            type->built_in == BuiltIn::kBoolean)) {
      const bool is_boolean = type->built_in == BuiltIn::kBoolean;
      std::vector<double> numbers;
      const std::size_t count = is_boolean ? 2 : type->literals.size();
      for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<double>(is_boolean ? i : i + 1));
      }
      values = NumberValue(context.session.graph.ArrayConstant(
                               numbers,
                               {static_cast<std::int64_t>(count)},
                               ToValueType(type->built_in)),
                           type->enumeration);
    }
  }
  if (!values.is_number()) {
    values = LowerExpression(context, *index.range);
  }
  if (values.is_empty_array || !values.is_number() ||
      values.shape().size() != 1) {
    context.Fail(index.range->span,
                 "an iterator takes its values from a vector, not from " +
                     Describe(values));
  }
  return values;
}

Iteration Bind(LoweringContext& context,
               const ast::ForIndex& index,
               const Value& values) {
  ExprGraph& graph = context.session.graph;
  const Expr iterator = graph.Iterator(std::string(index.name.text),
                                       {.count = values.shape()[0]});
  context.iterators.push_back(iterator);
  Bind(context,
       index.name.text,
       NumberValue(graph.Index(values.expr, std::array{iterator}),
                   values.enumeration));
  context.locals.back().iterator = iterator;
  return {.iterator = iterator, .value = context.locals.back().value};
}

std::vector<Value> Unrolled(LoweringContext& context,
                            const ast::ForIndex& index) {
  const Iteration iteration = Bind(context, index);
  Unbind(context);
  return Unrolled(context, index, iteration);
}

std::vector<Value> Unrolled(LoweringContext& context,
                            const ast::ForIndex& index,
                            const Iteration& iteration) {
  const orrery::Range range =
      context.session.graph.IteratorRange(iteration.iterator);
  context.session.unrolled += range.count;
  if (range.count > kMaxWrittenOut || context.session.unrolled > kMaxUnrolled) {
    context.Fail(index.span,
                 "this loop must be written out, which is limited to " +
                     std::to_string(kMaxWrittenOut) + " passes");
  }
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(range.count));
  const bool is_plain = iteration.value.expr == iteration.iterator;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const Expr number =
        IntegerOf(context.session.graph, range.start + i * range.step);
    values.push_back(is_plain ? NumberValue(number, iteration.value.enumeration)
                              : NumberValue(context.session.graph.Index(
                                                iteration.value.expr.operand(0),
                                                std::array{number}),
                                            iteration.value.enumeration));
  }
  return values;
}

}  // namespace orrery::modelica::internal
