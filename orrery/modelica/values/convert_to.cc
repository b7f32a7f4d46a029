#include "orrery/modelica/values/convert_to.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

// A record with its fields in the order of `type`; null if a field is missing.
std::shared_ptr<const RecordValue> WithFieldsOf(const ClassNode& type,
                                                const RecordValue& given) {
  auto record = std::make_shared<RecordValue>();
  record->type = given.type;
  record->shape = given.shape;
  for (const Value& element : given.elements) {
    auto own = WithFieldsOf(type, *element.record);
    if (own == nullptr) {
      return nullptr;
    }
    record->elements.push_back({.record = std::move(own)});
  }
  if (!given.elements.empty()) {
    return record;
  }
  for (const Member& member : type.members) {
    if (member.clause == nullptr) {
      continue;
    }
    const Value* const field = given.Find(member.name);
    if (field == nullptr) {
      return nullptr;
    }
    record->fields.emplace_back(member.name, *field);
  }
  return record;
}

// A hint for a value whose size conflicts with set parameters, if there are
// any.
std::string HintOfShaping(const std::set<std::string>& shaping) {
  if (shaping.empty()) {
    return "";
  }
  std::string names;
  for (const std::string& name : shaping) {
    names += (names.empty() ? "'" : "', '") + name;
  }
  return names +
         "' is set: where that changes this size, set all of its elements, "
         "too, or write a value for any size, as by fill()";
}

bool IsOfPredefined(const ClassNode& type, const Value& value) {
  return type.built_in == BuiltIn::kString
             ? IsText(value) || AreTexts(value)
             : value.is_number() && IsNumberOf(type, value);
}

// The predefined type that a class extends, or the class's own name.
std::string WrittenType(ClassTree& tree, const ClassNode& type) {
  const BuiltIn built_in = type.built_in;
  return built_in == BuiltIn::kNone || built_in == BuiltIn::kEnumeration
             ? type.name
             : tree.predefined(built_in)->name;
}

}  // namespace

Value ConvertTo(LoweringContext& context,
                Value value,
                ClassNode* type,
                const Shape* shape,
                const ast::Span& span,
                const std::string& what) {
  const BuiltIn wanted = type->built_in;
  const auto has_other_shape = [&] {
    return shape != nullptr && value.shape() != *shape;
  };
  const auto fail = [&]() {
    context.Fail(
        span,
        what + " is " + WrittenType(context.session.tree, *type) +
            (shape != nullptr ? Describe(*shape) : "") + ", its value " +
            Describe(value),
        has_other_shape() ? HintOfShaping(context.session.shaping) : "");
  };
  if (value.is_empty_array && wanted != BuiltIn::kNone) {
    Shape empty = shape != nullptr ? *shape : Shape{0};
    if (CountElements(empty, kMaxArraySize) != 0) {
      fail();
    }
    const bool is_text = wanted == BuiltIn::kString;
    return NumberValue(
        EmptyArray(context.session.graph, empty, ToValueType(wanted)),
        is_text ? context.session.tree.predefined(wanted) : nullptr);
  }
  if (value.is_empty_array && shape != nullptr &&
      CountElements(*shape, kMaxArraySize) == 0) {
    return NoElements(context.session, type, *shape);
  }
  bool fits = false;
  if (wanted == BuiltIn::kNone) {
    auto record =
        value.record != nullptr ? WithFieldsOf(*type, *value.record) : nullptr;
    fits = record != nullptr;
    if (fits) {
      value.record = std::move(record);
    }
  } else {
    fits = IsOfPredefined(*type, value);
  }
  if (!fits || has_other_shape()) {
    fail();
  }
  if (wanted == BuiltIn::kReal && value.expr.is_constant() &&
      value.expr.type() == ValueType::kInteger) {
    value.expr = context.session.graph.Constant(value.expr.value());
  }
  return value;
}

}  // namespace orrery::modelica::internal
