#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace orrery {

/// Sets of numbered members that merge: union by size with path halving.
/// Source: Tarjan and van Leeuwen, J. ACM 31 (1984) 245-281.
class DisjointSets {
 public:
  /// Adds a member in a set of its own, numbered from 0.
  std::size_t Add() {
    const std::size_t member = parents_.size();
    parents_.push_back(static_cast<std::uint32_t>(member));
    sizes_.push_back(1);
    return member;
  }

  [[nodiscard]] std::size_t size() const noexcept { return parents_.size(); }

  /// Returns the representative of the member's set, which is fixed until the
  /// set merges.
  std::size_t Find(std::size_t member) {
    while (parents_[member] != member) {
      parents_[member] = parents_[parents_[member]];
      member = parents_[member];
    }
    return member;
  }

  /// Merges the sets of two members.
  /// @returns false if they were in one set already.
  bool Merge(std::size_t a, std::size_t b) {
    a = Find(a);
    b = Find(b);
    if (a == b) {
      return false;
    }
    if (sizes_[a] < sizes_[b]) {
      std::swap(a, b);
    }
    parents_[b] = static_cast<std::uint32_t>(a);
    sizes_[a] += sizes_[b];
    return true;
  }

 private:
  std::vector<std::uint32_t> parents_;  // Large models have millions.
  std::vector<std::uint32_t> sizes_;
};

}  // namespace orrery
