#include "orrery/queueing/replicate.h"

#include <string>

#include "orrery/base/error.h"

namespace orrery::queueing::internal {

void CheckReplications(const Replications& replications) {
  if (replications.count < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make " + std::to_string(replications.count) +
                    " runs; give a count of 0 or more");
  }
}

}  // namespace orrery::queueing::internal
