#include "orrery/devs/simulation/check_injection.h"

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery::devs::internal {

void CheckEntry(const Coupled& root, const Port& port, Duration at) {
  if (&port.owner() != &root) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot inject into " + port.Path() +
                    ": it is no input of the outermost model " + root.Path() +
                    "; inject into one and couple it to this");
  }
  if (at == kPassive) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot inject into " + port.Path() +
                    " at kPassive: that time never comes; give another");
  }
}

void CheckInjection(const Coupled& root,
                    const Port& port,
                    Duration at,
                    Duration now) {
  CheckEntry(root, port, at);
  if (at < now) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot inject into " + port.Path() + " at t = " + ToText(at) +
                    ": the run is at t = " + ToText(now) +
                    "; what has passed takes no input");
  }
}

}  // namespace orrery::devs::internal
