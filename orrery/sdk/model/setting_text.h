#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/sdk/model/model.h"

namespace orrery {

/// Reads settings of a model of equations. A value is a number, a number with a
/// unit (`1 kN/m` for a quantity in N/m), `true`, `false`, a literal of the
/// quantity's enumeration (`Slow` or `Mode.Slow`), or an array of these for all
/// elements: `{1, 2}`, `{{1, 0}, {0, 1}}`.
///
/// The model is read only if there are values other than numbers.
/// @param class_name, files as LoadFile takes them.
/// @throws Error kInvalidArgument for a text that does not suit its quantity,
///     and as LoadFile.
[[nodiscard]] std::vector<Setting> SettingsOf(
    std::span<const ParameterText> texts,
    const std::string& file,
    const std::string& class_name,
    const FileSet& files);

/// Returns the texts for Strings among settings, which SettingsOf leaves out.
/// Text in double quotes stands for what is between them.
/// @throws Error as SettingsOf.
[[nodiscard]] std::vector<ParameterText> StringsIn(
    std::span<const ParameterText> texts,
    const std::string& file,
    const std::string& class_name,
    const FileSet& files);

/// Reads settings of a model that has been loaded: its arrays have the sizes
/// that they have, and its Strings their values.
/// @throws Error kInvalidArgument for a text that does not suit its quantity.
[[nodiscard]] std::vector<Setting> SettingsOf(
    std::span<const ParameterText> texts, const Model& model);

}  // namespace orrery
