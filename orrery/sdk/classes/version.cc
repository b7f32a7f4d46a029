#include "orrery/sdk/classes/version.h"

namespace orrery {

static_assert(std::string_view(kVersion) == ORRERY_VERSION,
              "version.h and the top CMakeLists.txt name two versions");

std::string_view Version() noexcept {
  return kVersion;
}

}  // namespace orrery
