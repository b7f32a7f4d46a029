#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace orrery::server {

/// The values that were made last, by their keys. Any thread may call it; two
/// may make the same value at once.
template <typename Value>
class Kept {
 public:
  /// @param most values.
  explicit Kept(std::size_t most) : most_(most) {}

  /// The value of the key, made by `make` if it is not kept.
  template <typename Make>
  [[nodiscard]] std::shared_ptr<const Value> Get(const std::string& key,
                                                 const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::ranges::find(entries_, key, &Entry::key);
      if (found != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, found);
        return found->value;
      }
    }
    auto value = std::make_shared<const Value>(make());
    const std::lock_guard lock(mutex_);
    entries_.push_front({.key = key, .value = value});
    if (entries_.size() > most_) {
      entries_.pop_back();
    }
    return value;
  }

  /// Forgets all values.
  void Clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Value> value;
  };

  std::size_t most_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // The last used first.
};

}  // namespace orrery::server
