#pragma once

#include <optional>
#include <string>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Statement of a package on a library that a class in it uses:
/// `annotation(uses(Modelica(version="4.1.0")))` (specification 3.6, section
/// 18.8.2).
struct LibraryUse {
  std::string package;  ///< The package at the top.
  std::string path;     ///< Path of its text.
  std::string library;
  std::string version;
};

/// Statement due at the package at the top of a class once the class uses
/// `type`; none if nothing is to be said: the type is of no other library, the
/// library tells no version, the package names it already, or there is no
/// package.
/// @param type as it is written in that class.
[[nodiscard]] std::optional<LibraryUse> UseOf(Workspace& workspace,
                                              const Document& document,
                                              const std::string& class_name,
                                              const std::string& type);

}  // namespace orrery::modelica
