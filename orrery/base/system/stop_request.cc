#include "orrery/base/system/stop_request.h"

#include <atomic>

namespace orrery {
namespace {

// A signal handler can reach nothing else.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> requested = false;

static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void RequestStop() noexcept {
  requested.store(true, std::memory_order_relaxed);
}

bool IsStopRequested() noexcept {
  return requested.load(std::memory_order_relaxed);
}

}  // namespace orrery
