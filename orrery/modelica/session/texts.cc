#include "orrery/modelica/session/texts.h"

#include <memory>
#include <utility>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"

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

}  // namespace orrery::modelica::internal
