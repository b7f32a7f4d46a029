#pragma once

#include <any>
#include <bit>
#include <cstddef>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/containers/large_pages.h"

namespace orrery::process::internal {

/// A growing record of a run: a vector that does not move its elements. A new
/// chunk has as much room as all chunks before it together.
template <typename T>
class Column {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  T& operator[](std::size_t i) {
    const std::size_t chunk = ChunkOf(i);
    return chunks_[chunk][i - BeginOf(chunk)];
  }

  const T& operator[](std::size_t i) const {
    const std::size_t chunk = ChunkOf(i);
    return chunks_[chunk][i - BeginOf(chunk)];
  }

  void Add(T value) {
    if (size_ == end_) {
      end_ = BeginOf(chunks_.size() + 1);
      chunks_.emplace_back().reserve(end_ - size_);
    }
    chunks_.back().push_back(std::move(value));
    ++size_;
  }

  /// Keeps the first `size` elements.
  void Truncate(std::size_t size) {
    for (; size_ > size; --size_) {
      if (chunks_.back().empty()) {
        chunks_.pop_back();
      }
      chunks_.back().pop_back();
    }
    end_ = BeginOf(chunks_.size());
  }

 private:
  static constexpr std::size_t kFirst = 1024;

  static std::size_t ChunkOf(std::size_t i) noexcept {
    return std::bit_width(i / kFirst);
  }

  static std::size_t BeginOf(std::size_t chunk) noexcept {
    return chunk == 0 ? 0 : kFirst << (chunk - 1);
  }

  std::vector<std::vector<T, LargePageAllocator<T>>> chunks_;
  std::size_t size_ = 0;
  std::size_t end_ = 0;  // End of the room in chunks.
};

/// A Column for each type of effects.
using LoggedEffectsByType = std::unordered_map<std::type_index, std::any>;

}  // namespace orrery::process::internal
