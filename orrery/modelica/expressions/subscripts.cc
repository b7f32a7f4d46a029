#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {
namespace {

// The index type of dimension `i` of `indexed`, which may be null; none if it
// is not known.
std::optional<const ClassNode*> IndexTypeOf(const Component* indexed,
                                            std::size_t i) {
  return indexed == nullptr || i >= indexed->index_types.size()
             ? std::nullopt
             : indexed->index_types[i];
}

// True if a Boolean or enumeration literal subscripts a dimension declared with
// its type (specification 3.6, section 10.5.1).
bool FitsDimension(const Value& subscript, const ClassNode* type) {
  if (subscript.enumeration != nullptr) {
    return type != nullptr && type->enumeration == subscript.enumeration;
  }
  return subscript.expr.type() != ValueType::kBoolean ||
         (type != nullptr && type->built_in == BuiltIn::kBoolean);
}

// A subscript's formula, as a number or numbers; false is 1, true 2.
Expr IntegerSubscript(Lowering& lowering,
                      ExprGraph& graph,
                      const ast::Expression& subscript,
                      std::optional<const ClassNode*> type) {
  const Value value = lowering.Lower(subscript);
  if (!value.is_number()) {
    lowering.Fail(
        subscript.span,
        "a number or Boolean is expected here, not " + Describe(value));
  }
  if (type && !FitsDimension(value, *type)) {
    lowering.Fail(
        subscript.span,
        Describe(value) + " is no subscript of this dimension, " +
            (*type == nullptr ? "which is indexed by numbers"
                              : "which is indexed by " + (*type)->name) +
            " (specification 3.6, section 10.5.1)");
  }
  const Expr expr = value.expr;
  if (expr.type() == ValueType::kReal || expr.shape().size() > 1) {
    lowering.Fail(subscript.span,
                  "a subscript is Integer, not " + Describe(NumberValue(expr)));
  }
  if (expr.type() == ValueType::kBoolean) {
    return graph.Select(expr,
                        graph.Constant(2, ValueType::kInteger),
                        graph.Constant(1, ValueType::kInteger));
  }
  return expr;
}

// Checks the known part of a subscript of a dimension with `size` elements.
void CheckBounds(Session& session,
                 const Context& context,
                 const Lowering::Subscript& subscript,
                 std::int64_t size,
                 bool is_reached,
                 const ast::Span& span) {
  const auto check = [&](std::int64_t at) {
    if (at < 1 || at > size) {
      if (!is_reached) {
        throw NeverReached{};
      }
      session.FailOf(context,
                     span,
                     "subscript " + std::to_string(at) +
                         " is out of bounds: the dimension has " +
                         std::to_string(size) + " elements");
    }
  };
  const auto check_ends = [&](const orrery::Range& range) {
    if (range.count > 0) {
      check(range.start);
      check(range.last());
    }
  };
  const Expr scalar = subscript.scalar;
  if (subscript.range) {
    check_ends(*subscript.range);
  } else if (scalar && scalar.is_constant()) {
    check(static_cast<std::int64_t>(scalar.value()));
  } else if (scalar && scalar.op() == Op::kIterator) {
    check_ends(session.graph.IteratorRange(scalar));
  }
}

}  // namespace

std::vector<Lowering::Subscript> Lowering::Subscripts(
    const ast::Expressions& subscripts,
    const Shape& shape,
    const ast::Span& span,
    const Component* indexed) {
  if (subscripts.size() > shape.size()) {
    Fail(span,
         shape.empty()
             ? "a scalar cannot have subscripts"
             : "too many subscripts: " + std::to_string(subscripts.size()) +
                   " for " + std::to_string(shape.size()) +
                   (shape.size() == 1 ? " dimension" : " dimensions"));
  }
  std::vector<Subscript> result;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const ast::Expression& subscript = *subscripts[i];
    if (std::holds_alternative<ast::Colon>(subscript.node)) {
      result.push_back({.range = orrery::Range{.count = shape[i]}});
      continue;
    }
    ends_.push_back(shape[i]);
    Subscript read;
    if (const auto* range = std::get_if<ast::Range>(&subscript.node)) {
      read.vector = SliceInRun(*range, shape[i]);
      if (!read.vector) {
        read.range = IntegerRange(*range, subscript.span);
      }
    }
    if (!read.range && !read.vector) {
      const Expr expr = IntegerSubscript(
          *this, session_.graph, subscript, IndexTypeOf(indexed, i));
      (expr.is_scalar() ? read.scalar : read.vector) = expr;
    }
    ends_.pop_back();
    CheckBounds(
        session_, context_, read, shape[i], IsReached(), subscript.span);
    result.push_back(read);
  }
  return result;
}

Shape Lowering::SelectedShape(const Shape& shape,
                              std::span<const Subscript> subscripts) {
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

Expr Lowering::Select(Expr array, std::span<const Subscript> subscripts) {
  ExprGraph& graph = session_.graph;
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

Value Lowering::Select(const Value& value,
                       std::span<const Subscript> subscripts) {
  if (subscripts.empty()) {
    return value;
  }
  if (value.record != nullptr && !value.record->elements.empty()) {
    return SelectRecords(*value.record, subscripts);
  }
  if (value.record != nullptr) {
    auto record = std::make_shared<RecordValue>();
    record->type = value.record->type;
    record->shape = SelectedShape(value.record->shape, subscripts);
    for (const auto& [name, field] : value.record->fields) {
      record->fields.emplace_back(name, Select(field, subscripts));
    }
    return {.record = record};
  }
  if (!value.is_number()) {
    return value;
  }
  return Settled(
      NumberValue(Select(value.expr, subscripts), value.enumeration));
}

// Selects from records whose fields differ in size: the selection must be
// known.
Value Lowering::SelectRecords(const RecordValue& records,
                              std::span<const Subscript> subscripts) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < records.elements.size(); ++i) {
    numbers.push_back(static_cast<double>(i));
  }
  const Expr picked = Select(
      session_.graph.ArrayConstant(numbers, records.shape, ValueType::kInteger),
      subscripts);
  auto selected = std::make_shared<RecordValue>();
  selected->type = records.type;
  selected->shape = picked.shape();
  for (const double number :
       Constant(picked,
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
             ? NoElements(session_, records.type, selected->shape)
             : Value{.record = selected};
}

std::vector<Value> Lowering::ElementsOf(const Value& records) {
  const Shape& shape = records.shape();
  if (records.record != nullptr && !records.record->elements.empty()) {
    return records.record->elements;
  }
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < NumElements(shape); ++i) {
    std::vector<Subscript> at;
    for (const std::int64_t number : SubscriptsOf(shape, i)) {
      at.push_back({.scalar = IntegerOf(session_.graph, number)});
    }
    elements.push_back(Select(records, at));
  }
  return elements;
}

}  // namespace orrery::modelica::internal
