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

/// What an expression means: numbers (a formula), a text, a record or, as an
/// argument, a function.
struct Value {
  Expr expr;                               ///< Of numbers.
  const ClassNode* enumeration = nullptr;  ///< Whose literals they number.
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const RunText> run_text;  ///< That only the run knows.
  std::shared_ptr<const RecordValue> record;
  std::shared_ptr<const FunctionValue> function;
  /// Not the empty array {}: an array without elements, of no type yet.
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
  /// Of an array whose elements have fields of different sizes: each by itself,
  /// row-major. It has no fields then.
  std::vector<Value> elements;

  [[nodiscard]] const Value* Find(std::string_view name) const;
};

/// A function that is given to another, with some of its own inputs:
/// `function f(k = 2)`.
struct FunctionValue {
  ClassNode* node = nullptr;
  Instance* around = nullptr;  ///< As of a Callee.
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
