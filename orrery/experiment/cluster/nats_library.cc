#include "orrery/experiment/cluster/nats_library.h"

namespace orrery::experiment::internal {

const NatsLibrary& Nats() {
  static const NatsLibrary functions(
      DynamicLibrary(ORRERY_NATS, "use a NATS server"));
  return functions;
}

}  // namespace orrery::experiment::internal
