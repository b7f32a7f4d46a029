#include "orrery/base/call_stack.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace orrery {
namespace {

// Enough for functions that a guarded function calls and that do not recurse
// deeply: texts of errors, look-ups, the unwinding of an exception.
constexpr std::size_t kMostKept = std::size_t{512} * 1024;

// Returns the address below which the calling thread's stack counts as full; 0,
// which no stack reaches, if the bounds are unknown.
std::uintptr_t LowestAddress() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return 0;
  }
  void* begin = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &begin, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_known) {
    return 0;
  }
  return reinterpret_cast<std::uintptr_t>(begin) +
         std::min(kMostKept, size / 4);
}

}  // namespace

bool IsStackNearlyFull() noexcept {
  thread_local const std::uintptr_t lowest = LowestAddress();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < lowest;
}

}  // namespace orrery
