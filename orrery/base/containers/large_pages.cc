#include "orrery/base/containers/large_pages.h"

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace orrery::base::internal {
namespace {

// The size on x86-64 and AArch64.
constexpr std::size_t kLargePage = std::size_t{1} << 21U;
constexpr std::align_val_t kAlignment{kLargePage};

}  // namespace

void* AllocateInLargePages(std::size_t bytes) {
  if (bytes < kLargePage) {
    return ::operator new(bytes);
  }
  void* const memory = ::operator new(bytes, kAlignment);
  // The remainder would need a whole page. If the call fails, pages are small.
  ::madvise(memory, bytes & ~(kLargePage - 1), MADV_HUGEPAGE);
  return memory;
}

void FreeInLargePages(void* memory, std::size_t bytes) noexcept {
  if (bytes < kLargePage) {
    ::operator delete(memory);
  } else {
    ::operator delete(memory, kAlignment);
  }
}

}  // namespace orrery::base::internal
