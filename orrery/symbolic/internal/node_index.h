#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::internal {

/// Numbers by node id. Its size is proportional to what it holds, not to the
/// graph.
class NodeIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  NodeIndex() : table_(64) {}

  /// Whether `id` was not there before; if it was, its number stays.
  bool Insert(std::uint32_t id, std::uint32_t number) {
    if (2 * count_ >= table_.size()) {
      Grow();
    }
    Entry& entry = table_[SlotOf(id)];
    if (entry.key != 0) {
      return false;
    }
    entry = {.key = id + 1, .number = number};
    ++count_;
    return true;
  }

  /// kNone for an id that is not there.
  [[nodiscard]] std::uint32_t Find(std::uint32_t id) const noexcept {
    const Entry& entry = table_[SlotOf(id)];
    return entry.key == 0 ? kNone : entry.number;
  }

 private:
  struct Entry {
    std::uint32_t key = 0;  // 0 is empty, else id + 1.
    std::uint32_t number = 0;
  };

  // Where `id` is or would be.
  [[nodiscard]] std::size_t SlotOf(std::uint32_t id) const noexcept {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (id * 0x9e3779b97f4a7c15ULL >> 32U) & mask;
    while (table_[slot].key != 0 && table_[slot].key != id + 1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void Grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.key != 0) {
        table_[SlotOf(entry.key - 1)] = entry;
      }
    }
  }

  std::vector<Entry> table_;
  std::size_t count_ = 0;
};

}  // namespace orrery::internal
