#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace orrery::devs::internal {

/// Finds entries of a vector by their hash, without a copy of them: some 8
/// bytes an entry. Open addressing with linear probing.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();

  /// The number of the entry with that hash for which `is_equal(number)`, or
  /// kNone.
  template <typename IsEqual>
  [[nodiscard]] std::uint32_t Find(std::size_t hash, IsEqual is_equal) const {
    if (slots_.empty()) {
      return kNone;
    }
    for (std::size_t at = hash & mask(); slots_[at] != kNone;
         at = (at + 1) & mask()) {
      if (is_equal(slots_[at])) {
        return slots_[at];
      }
    }
    return kNone;
  }

  /// Adds entry number `size()`; `hash_of(number)` gives the hash of any.
  template <typename HashOf>
  void Add(HashOf hash_of) {
    if (slots_.size() < 2 * (size_ + 1)) {
      slots_.assign(slots_.empty() ? 8 : 2 * slots_.size(), kNone);
      for (std::uint32_t i = 0; i < size_; ++i) {
        Put(hash_of(i), i);
      }
    }
    Put(hash_of(size_), size_);
    ++size_;
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

 private:
  [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }

  void Put(std::size_t hash, std::uint32_t number) {
    std::size_t at = hash & mask();
    while (slots_[at] != kNone) {
      at = (at + 1) & mask();
    }
    slots_[at] = number;
  }

  std::vector<std::uint32_t> slots_;  // A power of two, half of it free.
  std::uint32_t size_ = 0;
};

}  // namespace orrery::devs::internal
