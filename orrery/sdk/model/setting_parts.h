#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_model.h"

namespace orrery::sdk::internal {

/// A setting of a quantity of equations: a number, perhaps with a unit, `true`
/// or `false`.
/// @param unit of the quantity; may be empty.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] Setting ToSetting(const ParameterText& text,
                                const std::string& unit);

/// True if `name`, as people write it, is a String of the model.
[[nodiscard]] bool IsString(const FlatModel& flat, const std::string& name);

/// @param what describes the request: "set 'name' to 'b'".
/// @throws Error kInvalidArgument if `name` is a String of the model: the
///     program, which does not contain Strings, could not explain the error.
void RefuseText(const FlatModel& flat,
                const std::string& name,
                const std::string& what);

/// The same for a String that is a constant or final.
void RefuseFixedText(const FlatModel& flat,
                     const std::string& name,
                     const std::string& what);

/// Returns the text without double quotes around it.
[[nodiscard]] std::string WithoutQuotes(std::string_view text);

[[nodiscard]] std::string_view WithoutBlanks(std::string_view text);

/// Splits a text at its commas, and trims blanks; commas in double quotes and
/// in brackets do not split.
[[nodiscard]] std::vector<std::string_view> PartsBetweenCommas(
    std::string_view text);

/// Returns the variable of a setting, by its name or that of an element, as
/// people write it; null if there is none.
[[nodiscard]] const Variable* VariableOf(const FlatModel& flat,
                                         std::string_view called);

/// The names of all variables and Strings.
[[nodiscard]] std::vector<std::string> NamesIn(const FlatModel& flat);

}  // namespace orrery::sdk::internal
