#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// The names of all variables, of which messages suggest one.
[[nodiscard]] std::vector<std::string> VariableNames(
    const Description& description);

/// A variable of an FMU, or an element of one.
struct VariablePlace {
  VariableIndex variable = 0;
  std::size_t element = 0;  ///< Row by row.
  bool is_element = false;  ///< Else the whole variable.
};

/// The variable called `name`, or `x[2]` of the array `x`; none if there is no
/// such variable or element.
[[nodiscard]] std::optional<VariablePlace> FindPlace(
    const Description& description, std::string_view name);

/// The subscripts of element `element` of an array, as `[1,2]`; empty for a
/// scalar.
[[nodiscard]] std::string Subscripts(const Variable& variable,
                                     std::size_t element);

/// A value for all elements of a variable before a run.
struct FmuSetting {
  VariableIndex variable = 0;
  Values values;
};

/// Reads settings for a run, one a variable, in the order of the variables. A
/// value is a number, a number with a unit, `true`, `false`, a name of an
/// enumeration's item, a text, bytes in hexadecimal digits, or for an array a
/// list as `{1, 2}` or `{{1, 0}, {0, 1}}`.
/// @throws Error kInvalidArgument for a name that there is not, a variable that
///     cannot be set, and a value that does not fit it.
[[nodiscard]] std::vector<FmuSetting> ReadSettings(
    const Description& description, std::span<const ParameterText> texts);

}  // namespace orrery::fmi
