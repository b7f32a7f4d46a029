#pragma once

#include <string>

namespace orrery {

/// "did you mean 'a/b.mo'?" for the file beside that at `path`, which is not
/// there, whose name is the nearest (see Nearest); empty if none is.
[[nodiscard]] std::string SuggestFile(const std::string& path);

}  // namespace orrery
