#include "orrery/experiment/internal/nats_library.h"

#include <type_traits>

#include "orrery/base/dynamic_library.h"

namespace orrery::internal {

const NatsLibrary& Nats() {
  static const NatsLibrary functions = [] {
    const DynamicLibrary library(ORRERY_NATS, "use a NATS server");
    NatsLibrary found{};
#define ORRERY_FIND(name) \
  found.name = library.Find<std::remove_pointer_t<decltype(found.name)>>(#name);
    ORRERY_NATS_FUNCTIONS(ORRERY_FIND)
#undef ORRERY_FIND
    return found;
  }();
  return functions;
}

}  // namespace orrery::internal
