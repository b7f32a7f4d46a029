#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"

namespace orrery {

/// What texts set in a model of equations. A value is a number, one
/// with a unit (`1 kN/m` of a quantity in N/m), `true`, `false`, a literal of
/// the quantity's enumeration (`Slow` or `Mode.Slow`), or an array of these for
/// all elements of one: `{1, 2}`, `{{1, 0}, {0, 1}}`.
///
/// Only where there is more than numbers, the model is read to see what they
/// are for.
/// @param class_name, files as LoadFile takes them.
/// @throws Error kInvalidArgument for a text that fits no quantity of its name,
///     and as LoadFile.
[[nodiscard]] std::vector<Setting> SettingsOf(
    std::span<const ParameterText> texts,
    const std::string& file,
    const std::string& class_name,
    const FileSet& files);

}  // namespace orrery
