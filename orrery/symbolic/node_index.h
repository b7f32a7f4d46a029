#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

/// Numbers by node id, or by any other key of which near ones are asked for one
/// after the other. Keys lie in pages of sixteen that are found by a hash
/// table: time and memory grow with what is held, not with the largest key, and
/// a pass over the ids of a large graph stays in one place of memory. Costs
/// nothing as long as it is empty.
class NodeIndex {
 public:
  using Key = std::uint64_t;

  /// No number; cannot be held.
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Whether `key` was not there before; if it was, its number stays.
  bool Insert(Key key, std::uint32_t number) {
    std::uint32_t& known = At(key);
    if (known != kNone) {
      return false;
    }
    known = number;
    return true;
  }

  /// Whatever was there before.
  void Set(Key key, std::uint32_t number) { At(key) = number; }

  /// kNone for a key that is not there.
  [[nodiscard]] std::uint32_t Find(Key key) const noexcept {
    if (table_.empty()) {
      return kNone;
    }
    const Entry& entry = table_[SlotOf(key / kPageSize)];
    return entry.page == kNone ? kNone : pages_[entry.page][key % kPageSize];
  }

  /// Forgets all keys, keeps the memory.
  void Clear() noexcept {
    pages_.clear();
    table_.assign(table_.size(), {});
    latest_ = {};
  }

 private:
  static constexpr Key kPageSize = 16;
  static constexpr std::size_t kFirstTableSize = 8;  // A power of two.

  using Page = std::array<std::uint32_t, kPageSize>;

  struct Entry {
    Key number = 0;              // Of the page: its keys over kPageSize.
    std::uint32_t page = kNone;  // kNone: the entry is free.
  };

  [[nodiscard]] std::uint32_t& At(Key key) {
    if (latest_.page == kNone || latest_.number != key / kPageSize) {
      latest_ = EntryOf(key / kPageSize);
    }
    return pages_[latest_.page][key % kPageSize];
  }

  // With a page if it had none.
  [[nodiscard]] Entry EntryOf(Key number) {
    if (2 * pages_.size() >= table_.size()) {
      Grow();
    }
    Entry& entry = table_[SlotOf(number)];
    if (entry.page == kNone) {
      entry = {.number = number,
               .page = static_cast<std::uint32_t>(pages_.size())};
      pages_.emplace_back().fill(kNone);
    }
    return entry;
  }

  // Where the page is or would be.
  [[nodiscard]] std::size_t SlotOf(Key number) const noexcept {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (number * 0x9e3779b97f4a7c15ULL >> 32U) & mask;
    while (table_[slot].page != kNone && table_[slot].number != number) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void Grow() {
    std::vector<Entry> old(table_.empty() ? kFirstTableSize
                                          : 2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.page != kNone) {
        table_[SlotOf(entry.number)] = entry;
      }
    }
  }

  std::vector<Entry> table_;
  std::vector<Page> pages_;
  Entry latest_;  // That was written to.
};

}  // namespace orrery
