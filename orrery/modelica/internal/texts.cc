#include "orrery/modelica/internal/texts.h"

#include <memory>
#include <utility>

#include "orrery/modelica/internal/lowering.h"
#include "orrery/modelica/internal/session.h"

namespace orrery::modelica::internal {

std::int64_t TextNumbers::NumberOf(const std::string& text) {
  const auto [found, is_new] =
      numbers_.try_emplace(text, static_cast<std::int64_t>(texts_.size()) + 1);
  if (is_new) {
    texts_.push_back(text);
  }
  return found->second;
}

const std::string& TextNumbers::At(double number) const {
  return texts_.at(static_cast<std::size_t>(number) - 1);
}

bool AreTexts(const Value& value) {
  return value.is_number() && value.enumeration != nullptr &&
         value.enumeration->built_in == BuiltIn::kString;
}

Value AsElement(Session& session, const Value& value) {
  if (value.text == nullptr) {
    return value;
  }
  return NumberValue(
      IntegerOf(session.graph, session.text_numbers.NumberOf(*value.text)),
      session.tree.predefined(BuiltIn::kString));
}

Value TextAt(const Session& session, double number) {
  return {.text = std::make_shared<const std::string>(
              session.text_numbers.At(number))};
}

// An element of an array of Strings is the text, once it is known which it is.
Value Lowering::Settled(Value value) {
  if (!AreTexts(value) || !value.expr.is_scalar()) {
    return value;
  }
  const auto number = TryEvaluate(session_, value.expr);
  if (number) {
    return TextAt(session_,
                  Evaluate(session_, value.expr, context_, {}, "")[0]);
  }
  if (!iterators_.empty()) {
    throw NeedsUnrolling{};
  }
  return value;
}

}  // namespace orrery::modelica::internal
