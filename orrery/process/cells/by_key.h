#pragma once

#include <map>
#include <utility>

namespace orrery::process::internal {

/// Joins two maps; `join(here, there)` is the value of a key in both. Takes as
/// many steps as the smaller map has keys.
/// @param join symmetric if `a` and `b` may be swapped.
template <typename Key, typename Change, typename Join>
std::map<Key, Change> JoinedByKey(std::map<Key, Change> a,
                                  std::map<Key, Change> b,
                                  Join join) {
  const bool swapped = a.size() < b.size();
  if (swapped) {
    a.swap(b);
  }
  while (!b.empty()) {
    const auto inserted = a.insert(b.extract(b.begin()));
    if (!inserted.inserted) {
      Change& here = inserted.position->second;
      Change& there = inserted.node.mapped();
      here = swapped ? join(std::move(there), std::move(here))
                     : join(std::move(here), std::move(there));
    }
  }
  return a;
}

}  // namespace orrery::process::internal
