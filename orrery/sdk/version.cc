#include "orrery/sdk/version.h"

namespace orrery {

std::string_view Version() noexcept {
  return ORRERY_VERSION;
}

}  // namespace orrery
