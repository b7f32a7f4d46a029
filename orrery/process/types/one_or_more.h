#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace orrery::process::internal {

/// A vector that needs no memory beside its own for one element.
template <typename T>
class OneOrMore {
 public:
  [[nodiscard]] std::size_t size() const noexcept {
    return first_ ? 1 + more_.size() : 0;
  }

  T& operator[](std::size_t i) { return i == 0 ? *first_ : more_[i - 1]; }

  const T& operator[](std::size_t i) const {
    return i == 0 ? *first_ : more_[i - 1];
  }

  void Add(T value) {
    if (first_) {
      more_.push_back(std::move(value));
    } else {
      first_.emplace(std::move(value));
    }
  }

  /// Keeps the first `size` of them.
  void Truncate(std::size_t size) {
    if (size == 0) {
      first_.reset();
    }
    if (!more_.empty()) {
      more_.erase(more_.begin() + static_cast<std::ptrdiff_t>(
                                      std::max<std::size_t>(size, 1) - 1),
                  more_.end());
    }
  }

  void DropFirst(std::size_t count) {
    for (std::size_t i = count; i < size(); ++i) {
      (*this)[i - count] = std::move((*this)[i]);
    }
    Truncate(size() - count);
  }

 private:
  std::optional<T> first_;
  std::vector<T> more_;
};

}  // namespace orrery::process::internal
