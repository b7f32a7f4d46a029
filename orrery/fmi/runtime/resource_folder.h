#pragma once

#include <string>

namespace orrery::fmi {

/// The folder of an FMU's resources.
/// @param place as the importer gives it: a path, a file URI, or null.
/// @returns the folder beside this library if `place` is null or empty.
[[nodiscard]] std::string ResourceFolder(const char* place);

}  // namespace orrery::fmi
