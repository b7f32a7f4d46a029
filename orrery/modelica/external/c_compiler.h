#pragma once

#include <string>
#include <vector>

namespace orrery::modelica::internal {

/// C code of a model: a text, and the folders of the headers that it includes.
/// The source of a header stands beside it: functions declared in "name.h" are
/// defined in name.c, as in the Modelica Standard Library.
struct CCode {
  std::string text;
  std::vector<std::string> folders;
};

/// Compiles C code to a library by $CC or cc, and opens it. Keeps the library
/// in the user's cache (`orrery/external` in $XDG_CACHE_HOME or ~/.cache) under
/// a key made of the text, the compiler's name and all files that it includes
/// from its folders, so that it is compiled once. Kept libraries that were not
/// used for 90 days go.
/// @returns what dlopen returns. Opened libraries stay open.
/// @throws Error kUnsupported with the compiler's messages; kIo if there is no
///     room for temporary files.
[[nodiscard]] void* OpenCompiled(const CCode& code);

}  // namespace orrery::modelica::internal
