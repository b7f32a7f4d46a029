#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/library_texts/libraries.h"

namespace orrery {

/// The library that a dotted name of a class begins with: "Modelica" of
/// "Modelica.Blocks.Examples.PID_Controller". Empty if `name` has no dot or is
/// no name of a class, for example one of a file.
[[nodiscard]] std::string LibraryOf(std::string_view name);

/// The file from which LoadFile takes the class with that dotted name: that of
/// its library, which is looked for in `folders`, in order; none if it is not
/// there. Whether the library has the class is told by LoadFile.
[[nodiscard]] std::optional<std::string> FileOfClass(
    std::string_view name, const std::vector<std::string>& folders);

}  // namespace orrery
