#pragma once

#include <string>

namespace orrery {

/// Returns "did you mean 'a/b.mo'?" for the file next to the missing one at
/// `path` that has the nearest name (see Nearest); empty if there is none.
[[nodiscard]] std::string SuggestFile(const std::string& path);

}  // namespace orrery
