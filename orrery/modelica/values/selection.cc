#include "orrery/modelica/values/selection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

// Selects from records whose fields differ in size: the selection must be
// known.
Value SelectRecords(LoweringContext& context,
                    const RecordValue& records,
                    std::span<const Subscript> subscripts) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < records.elements.size(); ++i) {
    numbers.push_back(static_cast<double>(i));
  }
  const Expr picked = Select(context,
                             context.session.graph.ArrayConstant(
                                 numbers, records.shape, ValueType::kInteger),
                             subscripts);
  auto selected = std::make_shared<RecordValue>();
  selected->type = records.type;
  selected->shape = picked.shape();
  for (const double number :
       EvaluateOrUnroll(context,
                        picked,
                        {},
                        "a subscript of an array of " + records.type->name +
                            " whose elements differ in size")) {
    selected->elements.push_back(
        records.elements[static_cast<std::size_t>(number)]);
  }
  if (selected->shape.empty()) {
    return selected->elements.front();
  }
  return selected->elements.empty()
             ? NoElements(context.session, records.type, selected->shape)
             : Value{.record = selected};
}

}  // namespace

Value Resolved(LoweringContext& context, Value value) {
  if (!AreTexts(value) || !value.expr.is_scalar()) {
    return value;
  }
  const auto number = TryEvaluate(context.session, value.expr);
  if (number) {
    return TextAt(
        context.session,
        Evaluate(context.session, value.expr, context.where, {}, "")[0]);
  }
  if (!context.iterators.empty()) {
    throw NeedsUnrolling{};
  }
  return value;
}

Shape SelectedShape(const Shape& shape, std::span<const Subscript> subscripts) {
  Shape selected;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i >= subscripts.size()) {
      selected.push_back(shape[i]);
    } else if (subscripts[i].range) {
      selected.push_back(subscripts[i].range->count);
    } else if (subscripts[i].vector) {
      selected.push_back(subscripts[i].vector.shape()[0]);
    }
  }
  return selected;
}

Expr Select(LoweringContext& context,
            Expr array,
            std::span<const Subscript> subscripts) {
  ExprGraph& graph = context.session.graph;
  const Shape shape = array.shape();
  std::vector<Expr> at;
  std::vector<Expr> loops;
  bool is_whole = true;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const Subscript& subscript = subscripts[i];
    if (subscript.scalar) {
      at.push_back(subscript.scalar);
      is_whole = false;
      continue;
    }
    const std::string name = IteratorName(i);
    if (subscript.range) {
      loops.push_back(graph.Iterator(name, *subscript.range));
      at.push_back(loops.back());
      is_whole =
          is_whole && *subscript.range == orrery::Range{.count = shape[i]};
    } else {
      loops.push_back(
          graph.Iterator(name, {.count = subscript.vector.shape()[0]}));
      at.push_back(graph.Index(subscript.vector, std::array{loops.back()}));
      is_whole = false;
    }
  }
  if (is_whole) {
    return array;
  }
  if (loops.empty()) {
    return graph.Index(array, at);
  }
  Expr result = graph.Index(array, at);
  for (std::size_t i = loops.size(); i-- > 0;) {
    result = graph.Loop(Op::kBuild, loops[i], result);
  }
  return result;
}

Value Select(LoweringContext& context,
             const Value& value,
             std::span<const Subscript> subscripts) {
  if (subscripts.empty()) {
    return value;
  }
  if (value.record != nullptr && !value.record->elements.empty()) {
    return SelectRecords(context, *value.record, subscripts);
  }
  if (value.record != nullptr) {
    auto record = std::make_shared<RecordValue>();
    record->type = value.record->type;
    record->shape = SelectedShape(value.record->shape, subscripts);
    for (const auto& [name, field] : value.record->fields) {
      record->fields.emplace_back(name, Select(context, field, subscripts));
    }
    return {.record = record};
  }
  if (!value.is_number()) {
    return value;
  }
  return Resolved(
      context,
      NumberValue(Select(context, value.expr, subscripts), value.enumeration));
}

std::vector<Value> ElementsOf(LoweringContext& context, const Value& records) {
  const Shape& shape = records.shape();
  if (records.record != nullptr && !records.record->elements.empty()) {
    return records.record->elements;
  }
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < NumElements(shape); ++i) {
    std::vector<Subscript> at;
    for (const std::int64_t number : SubscriptsOf(shape, i)) {
      at.push_back({.scalar = IntegerOf(context.session.graph, number)});
    }
    elements.push_back(Select(context, records, at));
  }
  return elements;
}

}  // namespace orrery::modelica::internal
