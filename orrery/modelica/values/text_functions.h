#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery::modelica::internal {

/// A function of Modelica.Utilities.Strings for known arguments. The Modelica
/// Standard Library implements it in C.
struct TextFunction {
  /// Arguments in the order of the function's inputs, those that are Strings
  /// and the others by themselves; Booleans are 0 or 1.
  struct Arguments {
    std::vector<std::string> texts;
    std::vector<double> numbers;
  };

  using Result = std::variant<std::string, double>;

  std::string_view name;
  std::size_t num_texts;
  std::size_t num_numbers;
  Result (*run)(const Arguments& arguments);
};

/// The function of that full name; null if there is none.
[[nodiscard]] const TextFunction* FindTextFunction(std::string_view name);

}  // namespace orrery::modelica::internal
