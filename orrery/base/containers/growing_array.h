#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace orrery {

/// An array of trivially copyable elements that grows at its end. A large one
/// grows by moving its pages instead of copying them, if the system can: its
/// memory is written once, that of a growing std::vector twice.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] const T* data() const noexcept { return memory_.get(); }

  [[nodiscard]] T& operator[](std::size_t index) noexcept {
    return memory_.get()[index];
  }

  [[nodiscard]] const T& operator[](std::size_t index) const noexcept {
    return memory_.get()[index];
  }

  void push_back(const T& value) {
    const T copy = value;  // It may be an element of the array.
    Reserve(size_ + 1);
    memory_.get()[size_++] = copy;
  }

  /// @param values must not be elements of the array.
  void Append(std::span<const T> values) {
    Reserve(size_ + values.size());
    std::ranges::copy(values, memory_.get() + size_);
    size_ += values.size();
  }

  /// Appends copies of `value` until there are `size` elements, which must not
  /// be fewer than now.
  void GrowTo(std::size_t size, const T& value) {
    Reserve(size);
    std::fill(memory_.get() + size_, memory_.get() + size, value);
    size_ = size;
  }

 private:
  struct Free {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };

  void Reserve(std::size_t size) {
    if (size <= capacity_) {
      return;
    }
    constexpr std::size_t kLeast = 16;
    const std::size_t capacity = std::max({size, 2 * capacity_, kLeast});
    void* const moved = std::realloc(memory_.get(), capacity * sizeof(T));
    if (moved == nullptr) {
      throw std::bad_alloc();
    }
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
  }

  std::unique_ptr<T, Free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace orrery
