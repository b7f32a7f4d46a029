#include "orrery/modelica/expressions/operator_record_arrays.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/operator_functions.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

[[noreturn]] void FailSizesOfRecords(LoweringContext& context,
                                     std::string_view op,
                                     const Value& a,
                                     const Value& b,
                                     const ast::Span& span) {
  const bool may_be_elementwise =
      a.shape().empty() != b.shape().empty() || a.shape() == b.shape();
  context.Fail(span,
               QuotedOperator(op) + " takes operands of one size, not " +
                   OperandType(a) + " and " + OperandType(b),
               may_be_elementwise
                   ? "write '." + std::string(op) + "' to take each element"
                   : "");
}

bool IsArray(const Value& value) {
  return !value.shape().empty();
}

Value ArrangedRecords(LoweringContext& context,
                      std::vector<Value> elements,
                      const Shape& shape,
                      ClassNode* type,
                      const ast::Span& span) {
  return elements.empty() ? NoElements(context.session, type, shape)
                          : Arrange(context, std::move(elements), shape, span);
}

Value ApplyElementwise(LoweringContext& context,
                       std::string_view op,
                       const Value& a,
                       const Value& b,
                       const ast::Span& span) {
  if (IsArray(a) && IsArray(b) && a.shape() != b.shape()) {
    FailSizesOfRecords(context, op, a, b, span);
  }
  const std::vector<Value> left = ElementsOf(context, a);
  const std::vector<Value> right = ElementsOf(context, b);
  const Shape& shape = IsArray(a) ? a.shape() : b.shape();
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < NumElements(shape); ++i) {
    const auto at = static_cast<std::size_t>(i);
    elements.push_back(ApplyRecordOperator(
        context,
        op,
        std::array{left[IsArray(a) ? at : 0], right[IsArray(b) ? at : 0]},
        span));
  }
  return ArrangedRecords(context,
                         std::move(elements),
                         shape,
                         a.record != nullptr ? a.record->type : b.record->type,
                         span);
}

// The product of vectors and matrices: sums of products (section 10.6.5).
Value ProductOfRecordArrays(LoweringContext& context,
                            const Value& a,
                            const Value& b,
                            const ast::Span& span) {
  const Shape& left = a.shape();
  const Shape& right = b.shape();
  if (left.size() > 2 || right.size() > 2 || left.back() != right.front()) {
    FailSizesOfRecords(context, "*", a, b, span);
  }
  const std::vector<Value> of_a = ElementsOf(context, a);
  const std::vector<Value> of_b = ElementsOf(context, b);
  const auto count = static_cast<std::size_t>(left.back());
  const auto rows =
      left.size() == 2 ? static_cast<std::size_t>(left.front()) : 1;
  const auto columns =
      right.size() == 2 ? static_cast<std::size_t>(right.back()) : 1;
  ClassNode* const type = a.record != nullptr ? a.record->type : b.record->type;
  std::vector<Value> elements;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<Value> products;
      for (std::size_t k = 0; k < count; ++k) {
        products.push_back(ApplyRecordOperator(
            context,
            "*",
            std::array{of_a[i * count + k], of_b[k * columns + j]},
            span));
      }
      elements.push_back(
          products.empty()
              ? SumOfRecords(
                    context, NoElements(context.session, type, {0}), span)
              : SumOfRecords(context, products, span));
    }
  }
  Shape shape(left.begin(), left.end() - 1);
  shape.insert(shape.end(), right.begin() + 1, right.end());
  return ArrangedRecords(context, std::move(elements), shape, type, span);
}

}  // namespace

Value ApplyUnaryToRecords(LoweringContext& context,
                          std::string_view op,
                          const Value& a,
                          const ast::Span& span) {
  const std::span operands(&a, 1);
  if (auto value = ApplyWholeRecordOperator(context, op, operands, span)) {
    return *std::move(value);
  }
  if (!IsArray(a)) {
    FailNoOperator(context, op, operands, span);
  }
  std::vector<Value> elements;
  for (const Value& element : ElementsOf(context, a)) {
    elements.push_back(ApplyUnaryToRecords(context, op, element, span));
  }
  return ArrangedRecords(
      context, std::move(elements), a.shape(), a.record->type, span);
}

Value ApplyBinaryToRecords(LoweringContext& context,
                           ast::BinaryOperator op,
                           const Value& a,
                           const Value& b,
                           const ast::Span& span) {
  std::string_view plain = ast::Spelling(op);
  const bool is_elementwise = plain.starts_with('.');
  plain.remove_prefix(is_elementwise ? 1 : 0);
  const std::array operands = {a, b};
  if (!IsArray(a) && !IsArray(b)) {
    return ApplyRecordOperator(context, plain, operands, span);
  }
  if (is_elementwise) {
    return ApplyElementwise(context, plain, a, b, span);
  }
  if (auto value = ApplyWholeRecordOperator(context, plain, operands, span)) {
    return *std::move(value);
  }
  const bool are_arrays = IsArray(a) && IsArray(b);
  switch (op) {
    case ast::BinaryOperator::kAdd:
    case ast::BinaryOperator::kSubtract:
      if (!are_arrays) {
        FailSizesOfRecords(context, plain, a, b, span);
      }
      return ApplyElementwise(context, plain, a, b, span);
    case ast::BinaryOperator::kMultiply:
      return are_arrays ? ProductOfRecordArrays(context, a, b, span)
                        : ApplyElementwise(context, plain, a, b, span);
    case ast::BinaryOperator::kDivide:
      if (IsArray(b)) {
        FailSizesOfRecords(context, plain, a, b, span);
      }
      return ApplyElementwise(context, plain, a, b, span);
    default:
      FailNoOperator(context, plain, operands, span);
  }
}

Value SumOfRecords(LoweringContext& context,
                   const Value& records,
                   const ast::Span& span) {
  const std::vector<Value> elements = ElementsOf(context, records);
  if (!elements.empty()) {
    return SumOfRecords(context, elements, span);
  }
  ClassNode* const type =
      OperatorRecordOf(context.session, records.record->type);
  const std::vector<ClassNode*> zeros =
      type == nullptr ? std::vector<ClassNode*>()
                      : OperatorFunctionsOf(context, type, "0");
  if (zeros.size() != 1) {
    context.Fail(span,
                 "a sum without elements has no value: " +
                     records.record->type->name + " has no operator '0'",
                 "give it an 'encapsulated operator function '0''");
  }
  return CallCandidate(
      context, {.function = zeros.front(), .arguments = {}}, span);
}

Value SumOfRecords(LoweringContext& context,
                   std::span<const Value> records,
                   const ast::Span& span) {
  Value sum = records.front();
  for (const Value& record : records.subspan(1)) {
    sum = ApplyBinaryToRecords(
        context, ast::BinaryOperator::kAdd, sum, record, span);
  }
  return sum;
}

}  // namespace orrery::modelica::internal
