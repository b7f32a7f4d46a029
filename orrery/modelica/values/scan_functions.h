#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "orrery/symbolic/op.h"

namespace orrery::modelica::internal {

/// Result of a scanning function: where the text goes on, and the token. If
/// there is none, it goes on where it began, and the token is 0 or empty.
struct Scanned {
  double next = 1;  ///< From 1.
  std::variant<double, std::string> token = 0.0;
};

/// A function of Modelica.Utilities.Strings.Advanced, which the Modelica
/// Standard Library implements in C.
struct ScanFunction {
  std::string_view name;
  bool gives_number;
  ValueType type;  ///< Type of its number.
  Scanned (*run)(const std::string& text, double start, bool is_unsigned);
};

/// The function of that full name; null if there is none.
[[nodiscard]] const ScanFunction* FindScanFunction(std::string_view name);

}  // namespace orrery::modelica::internal
