#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/stacking.h"

/// Operators of operator records over arrays of them (specification 3.6,
/// sections 10.6 and 14.5): element by element, as products and as sums.
namespace orrery::modelica::internal {
namespace {

bool IsArray(const Value& value) {
  return !value.shape().empty();
}

}  // namespace

Value RecordOperators::Unary(std::string_view op, const Value& a) {
  const std::span operands(&a, 1);
  if (auto value = ApplyWhole(op, operands)) {
    return *std::move(value);
  }
  if (!IsArray(a)) {
    FailNone(op, operands);
  }
  std::vector<Value> elements;
  for (const Value& element : ElementsOf(lowering_, a)) {
    elements.push_back(Unary(op, element));
  }
  return Arranged(std::move(elements), a.shape(), a.record->type);
}

Value RecordOperators::Binary(ast::BinaryOperator op,
                              const Value& a,
                              const Value& b) {
  std::string_view plain = ast::Spelling(op);
  const bool is_elementwise = plain.starts_with('.');
  plain.remove_prefix(is_elementwise ? 1 : 0);
  const std::array operands = {a, b};
  if (!IsArray(a) && !IsArray(b)) {
    return Apply(plain, operands);
  }
  if (is_elementwise) {
    return Elementwise(plain, a, b);
  }
  if (auto value = ApplyWhole(plain, operands)) {
    return *std::move(value);
  }
  const bool are_arrays = IsArray(a) && IsArray(b);
  switch (op) {
    case ast::BinaryOperator::kAdd:
    case ast::BinaryOperator::kSubtract:
      if (!are_arrays) {
        FailSizes(plain, a, b);
      }
      return Elementwise(plain, a, b);
    case ast::BinaryOperator::kMultiply:
      return are_arrays ? ProductOfArrays(a, b) : Elementwise(plain, a, b);
    case ast::BinaryOperator::kDivide:
      if (IsArray(b)) {
        FailSizes(plain, a, b);
      }
      return Elementwise(plain, a, b);
    default:
      FailNone(plain, operands);
  }
}

Value RecordOperators::Elementwise(std::string_view op,
                                   const Value& a,
                                   const Value& b) {
  if (IsArray(a) && IsArray(b) && a.shape() != b.shape()) {
    FailSizes(op, a, b);
  }
  const std::vector<Value> left = ElementsOf(lowering_, a);
  const std::vector<Value> right = ElementsOf(lowering_, b);
  const Shape& shape = IsArray(a) ? a.shape() : b.shape();
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < NumElements(shape); ++i) {
    const auto at = static_cast<std::size_t>(i);
    elements.push_back(Apply(
        op, std::array{left[IsArray(a) ? at : 0], right[IsArray(b) ? at : 0]}));
  }
  return Arranged(std::move(elements),
                  shape,
                  a.record != nullptr ? a.record->type : b.record->type);
}

// The product of vectors and matrices: sums of products (section 10.6.5).
Value RecordOperators::ProductOfArrays(const Value& a, const Value& b) {
  const Shape& left = a.shape();
  const Shape& right = b.shape();
  if (left.size() > 2 || right.size() > 2 || left.back() != right.front()) {
    FailSizes("*", a, b);
  }
  const std::vector<Value> of_a = ElementsOf(lowering_, a);
  const std::vector<Value> of_b = ElementsOf(lowering_, b);
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
        products.push_back(
            Apply("*", std::array{of_a[i * count + k], of_b[k * columns + j]}));
      }
      elements.push_back(products.empty() ? Sum(NoElements(session_, type, {0}))
                                          : Sum(products));
    }
  }
  Shape shape(left.begin(), left.end() - 1);
  shape.insert(shape.end(), right.begin() + 1, right.end());
  return Arranged(std::move(elements), shape, type);
}

Value RecordOperators::Sum(const Value& records) {
  const std::vector<Value> elements = ElementsOf(lowering_, records);
  if (!elements.empty()) {
    return Sum(elements);
  }
  ClassNode* const type = OperatorRecordOf(session_, records.record->type);
  const std::vector<ClassNode*> zeros =
      type == nullptr ? std::vector<ClassNode*>() : FunctionsOf(type, "0");
  if (zeros.size() != 1) {
    lowering_.Fail(span_,
                   "a sum without elements has no value: " +
                       records.record->type->name + " has no operator '0'",
                   "give it an 'encapsulated operator function '0''");
  }
  return Call({.function = zeros.front(), .arguments = {}});
}

Value RecordOperators::Sum(std::span<const Value> records) {
  Value sum = records.front();
  for (const Value& record : records.subspan(1)) {
    sum = Binary(ast::BinaryOperator::kAdd, sum, record);
  }
  return sum;
}

Value RecordOperators::Arranged(std::vector<Value> elements,
                                const Shape& shape,
                                ClassNode* type) {
  return elements.empty()
             ? NoElements(session_, type, shape)
             : Arrange(lowering_, std::move(elements), shape, span_);
}

}  // namespace orrery::modelica::internal
