#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace orrery::process::internal {

/// What is kept of a run, one after the other: a vector that, as it grows, does
/// not move what it has.
template <typename T>
class Column {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }

  const T& operator[](std::size_t i) const {
    return chunks_[i / kChunk][i % kChunk];
  }

  void Add(T value) {
    if (size_++ % kChunk == 0) {
      chunks_.emplace_back().reserve(kChunk);
    }
    chunks_.back().push_back(std::move(value));
  }

 private:
  static constexpr std::size_t kChunk = 1024;

  std::vector<std::vector<T>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace orrery::process::internal
