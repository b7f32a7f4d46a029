#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "orrery/base/values/enumeration.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Session;

/// Numbers texts, each once. Arrays of Strings are arrays of these numbers, as
/// if String were an enumeration of all texts.
class TextNumbers {
 public:
  std::int64_t NumberOf(const std::string& text);
  [[nodiscard]] const std::string& At(double number) const;

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string, std::int64_t> numbers_;
};

/// True for an array of Strings, or an element that is not known yet.
[[nodiscard]] bool AreTexts(const Value& value);

/// A text as the number that it has in arrays; other values as they are.
[[nodiscard]] Value AsElement(Session& session, const Value& value);

/// The text that has this number.
[[nodiscard]] Value TextAt(const Session& session, double number);

}  // namespace orrery::modelica::internal
