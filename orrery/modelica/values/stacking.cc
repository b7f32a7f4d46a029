#include "orrery/modelica/values/stacking.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The field with that name in each record.
std::vector<Value> FieldOfAll(LoweringContext& lowering,
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

// The formulas of values, after a check that they have one type and size.
std::vector<Expr> ElementsOfOneKind(LoweringContext& lowering,
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

}  // namespace

void CheckOneType(LoweringContext& lowering,
                  const Value& first,
                  const Value& other,
                  const ast::Span& span) {
  if (!AreOneEnumeration(other.enumeration, first.enumeration) ||
      (other.expr.type() == ValueType::kBoolean) !=
          (first.expr.type() == ValueType::kBoolean)) {
    lowering.Fail(span,
                  "an array has elements of one type, not " + Describe(first) +
                      " and " + Describe(other));
  }
}

Value Stack(LoweringContext& context,
            std::span<const Value> values,
            std::span<const ast::Span> spans) {
  const Value& first = values.front();
  if (std::ranges::any_of(values, IsText)) {
    std::vector<Value> elements;
    elements.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      elements.push_back(
          AsElement(context.session, KnownText(context, values[i], spans[i])));
    }
    return Stack(context, elements, spans);
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
        std::ranges::copy(ElementsOf(context, value),
                          std::back_inserter(record->elements));
      }
      return {.record = record};
    }
    for (const auto& [name, field] : first.record->fields) {
      const std::vector<Value> fields =
          FieldOfAll(context, name, values, spans);
      record->fields.emplace_back(name, Stack(context, fields, spans));
    }
    return {.record = record};
  }
  const std::vector<Expr> elements = ElementsOfOneKind(context, values, spans);
  return NumberValue(StackExprs(context.session.graph, elements),
                     first.enumeration);
}

Value Arrange(LoweringContext& context,
              std::vector<Value> elements,
              const Shape& shape,
              const ast::Span& span) {
  if (elements.empty()) {
    return {.is_empty_array = true};
  }
  const std::vector<ast::Span> spans(elements.size(), span);
  return StackElements(
      std::move(elements), shape, [&](std::span<const Value> row) {
        return Stack(context, row, std::span(spans).first(row.size()));
      });
}

Value NoElements(Session& session, ClassNode* type, const Shape& shape) {
  if (type == nullptr || !session.tree.Expand(type)) {
    throw Abandoned{};
  }
  if (type->built_in != BuiltIn::kNone) {
    const ClassNode* const enumeration =
        type->built_in == BuiltIn::kString
            ? session.tree.predefined(BuiltIn::kString)
            : type->enumeration;
    return NumberValue(
        EmptyArray(session.graph, shape, ToValueType(type->built_in)),
        enumeration);
  }
  auto record = std::make_shared<RecordValue>();
  record->type = type;
  record->shape = shape;
  for (Member& member : type->members) {
    if (member.clause != nullptr) {
      record->fields.emplace_back(member.name,
                                  NoElements(session, member, shape));
    }
  }
  return {.record = record};
}

Value NoElements(Session& session, Member& member, const Shape& around) {
  ClassNode* const type = session.tree.TypeOf(member);
  if (type == nullptr || !session.tree.Expand(type)) {
    throw Abandoned{};
  }
  Shape shape = around;
  shape.resize(around.size() + DeclaredRank(member, *type), 0);
  return NoElements(session, type, shape);
}

}  // namespace orrery::modelica::internal
