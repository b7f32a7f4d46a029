#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace orrery::modelica::internal {

/// The value of an expression in an annotation; std::monostate if it is not
/// known. A literal of an enumeration is its name.
struct AnnotationValue {
  using List = std::vector<AnnotationValue>;

  std::variant<std::monostate, double, bool, std::string, List> value;

  [[nodiscard]] bool is_known() const noexcept { return value.index() > 0; }

  [[nodiscard]] const double* number() const noexcept {
    return std::get_if<double>(&value);
  }

  [[nodiscard]] const bool* truth() const noexcept {
    return std::get_if<bool>(&value);
  }

  [[nodiscard]] const std::string* text() const noexcept {
    return std::get_if<std::string>(&value);
  }

  [[nodiscard]] const List* list() const noexcept {
    return std::get_if<List>(&value);
  }
};

}  // namespace orrery::modelica::internal
