#pragma once

#include <cstddef>

namespace orrery {

namespace base::internal {

/// @returns memory of this size, in large pages if there are many bytes.
[[nodiscard]] void* AllocateInLargePages(std::size_t bytes);
void FreeInLargePages(void* memory, std::size_t bytes) noexcept;

}  // namespace base::internal

/// Allocates like std::allocator, but large amounts in large pages, if the
/// system has them. The first write to memory, as in logs, then costs a
/// fraction.
template <typename T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;

  template <typename U>
  // NOLINTNEXTLINE(google-explicit-constructor): as that of std::allocator.
  LargePageAllocator(const LargePageAllocator<U>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t size) {
    return static_cast<T*>(
        base::internal::AllocateInLargePages(size * sizeof(T)));
  }

  void deallocate(T* memory, std::size_t size) noexcept {
    base::internal::FreeInLargePages(memory, size * sizeof(T));
  }

  friend bool operator==(const LargePageAllocator&,
                         const LargePageAllocator&) = default;
};

}  // namespace orrery
