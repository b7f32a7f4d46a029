#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

/// Numbers by node id, or by any other key if neighbouring keys are looked up
/// one after the other. Pages of sixteen keys are found by a hash table: time
/// and memory grow with the content, not with the largest key, and a pass over
/// the ids of a large graph stays in one place of memory. An empty index costs
/// nothing.
class NodeIndex {
 public:
  using Key = std::uint64_t;

  /// No number; cannot be stored.
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// @returns true if `key` is new; else its number stays.
  bool Insert(Key key, std::uint32_t number) {
    std::uint32_t& known = At(key);
    if (known != kNone) {
      return false;
    }
    known = number;
    return true;
  }

  /// Sets the number of `key`, new or not.
  void Set(Key key, std::uint32_t number) { At(key) = number; }

  /// Returns kNone if there is no such key.
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
    Key number = 0;              // Number of the page: its keys over kPageSize.
    std::uint32_t page = kNone;  // kNone: the entry is free.
  };

  [[nodiscard]] std::uint32_t& At(Key key) {
    if (latest_.page == kNone || latest_.number != key / kPageSize) {
      latest_ = EntryOf(key / kPageSize);
    }
    return pages_[latest_.page][key % kPageSize];
  }

  // Returns the entry of a page; adds the page if it is new.
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

  // Returns the slot of the page, or the free slot for it.
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
  Entry latest_;  // The entry that was written to last.
};

}  // namespace orrery
