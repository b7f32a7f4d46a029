#include "orrery/modelica/session/value.h"

#include "orrery/modelica/session/run_texts.h"

namespace orrery::modelica::internal {

const Shape& Value::shape() const {
  static const Shape scalar_shape;
  static const Shape empty_shape = {0};
  if (record != nullptr) {
    return record->shape;
  }
  if (is_empty_array) {
    return empty_shape;
  }
  return is_number() ? expr.shape() : scalar_shape;
}

const Value* RecordValue::Find(std::string_view name) const {
  for (const auto& [field, value] : fields) {
    if (field == name) {
      return &value;
    }
  }
  return nullptr;
}

const Value* FunctionValue::Find(std::string_view input) const {
  for (const auto& [name, value] : given) {
    if (name == input) {
      return &value;
    }
  }
  return nullptr;
}

std::string Describe(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "[" : ", ") + std::to_string(extent);
  }
  return text.empty() ? text : text + "]";
}

std::string_view TypeName(ValueType type) noexcept {
  switch (type) {
    case ValueType::kReal:
      return "Real";
    case ValueType::kInteger:
      return "Integer";
    case ValueType::kBoolean:
      return "Boolean";
  }
  return "Real";
}

std::string Describe(const Value& value) {
  if (IsText(value)) {
    return "String";
  }
  if (value.record != nullptr) {
    return "record " + value.record->type->name + Describe(value.record->shape);
  }
  if (value.function != nullptr) {
    return "function " + value.function->node->name;
  }
  if (value.is_empty_array) {
    return "an array without elements";
  }
  if (!value.is_number()) {
    return "nothing";
  }
  const std::string type = value.enumeration != nullptr
                               ? value.enumeration->name
                               : std::string(TypeName(value.expr.type()));
  return type + Describe(value.expr.shape());
}

}  // namespace orrery::modelica::internal
