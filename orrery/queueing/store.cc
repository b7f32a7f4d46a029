#include "orrery/queueing/store.h"

namespace orrery::queueing::internal {

void CheckCapacity(const process::Facility& store, std::int64_t capacity) {
  if (capacity < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the store '" + store.Path() +
                    "': its capacity is " + std::to_string(capacity) +
                    "; give one of 1 or more");
  }
}

void CheckIsUnlimited(const process::Facility& store, std::int64_t capacity) {
  if (capacity != kUnlimited) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot push an item into '" + store.Path() +
                    "': it may be full, with a capacity of " +
                    std::to_string(capacity) + "; co_await its Put");
  }
}

void CheckIsNotPut(const process::Facility& store, bool is_put) {
  if (is_put) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot put one item into '" + store.Path() +
                    "' twice: it is there already; make another request, as "
                    "in co_await store.Put(item)");
  }
}

}  // namespace orrery::queueing::internal
