#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct FunctionValue;
struct Instance;
struct RecordValue;
struct RunText;

/// The value of an expression: numbers (a formula), a text, a record or, as an
/// argument, a function.
struct Value {
  Expr expr;                               ///< Numbers.
  const ClassNode* enumeration = nullptr;  ///< Type of literals.
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const RunText> run_text;  ///< A text that only the run knows.
  std::shared_ptr<const RecordValue> record;
  std::shared_ptr<const FunctionValue> function;
  /// True for an array without elements, as {}: it has no type yet.
  bool is_empty_array = false;

  [[nodiscard]] bool is_number() const noexcept {
    return static_cast<bool>(expr);
  }

  [[nodiscard]] const Shape& shape() const;
};

/// A record, or an array of records as a record of arrays: `shape` gives the
/// first dimensions of all fields.
struct RecordValue {
  ClassNode* type = nullptr;
  Shape shape;
  std::vector<std::pair<std::string_view, Value>> fields;
  /// For an array whose elements have fields of different sizes: each element,
  /// row-major. `fields` is empty then.
  std::vector<Value> elements;

  [[nodiscard]] const Value* Find(std::string_view name) const;
};

/// A function that is given to another, with some of its own inputs:
/// `function f(k = 2)`.
struct FunctionValue {
  ClassNode* node = nullptr;
  Instance* around = nullptr;  ///< See Callee.
  std::vector<std::pair<std::string_view, Value>> given;

  [[nodiscard]] const Value* Find(std::string_view input) const;
};

inline Value NumberValue(Expr expr, const ClassNode* enumeration = nullptr) {
  return {.expr = expr, .enumeration = enumeration};
}

/// "Real", "Integer[3, 2]", "record Complex", ... for messages.
[[nodiscard]] std::string Describe(const Value& value);
[[nodiscard]] std::string Describe(const Shape& shape);
[[nodiscard]] std::string_view TypeName(ValueType type) noexcept;

}  // namespace orrery::modelica::internal
