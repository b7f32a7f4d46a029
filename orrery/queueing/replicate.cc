#include "orrery/queueing/replicate.h"

#include <string>

#include "orrery/base/error.h"
#include "orrery/base/random.h"

namespace orrery::queueing {

std::uint64_t ReplicationSeed(std::uint64_t seed, std::int64_t number) {
  if (number == 0) {
    return seed;
  }
  RandomStream stream(seed, "replications");
  stream.Seek(static_cast<std::uint64_t>(number));
  return stream.Next();
}

namespace internal {

void CheckReplications(const Replications& replications) {
  if (replications.count < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make " + std::to_string(replications.count) +
                    " runs; give a count of 0 or more");
  }
}

void RethrowFirst(std::span<const std::exception_ptr> errors) {
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace internal
}  // namespace orrery::queueing
