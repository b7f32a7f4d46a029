#pragma once

#include <concepts>
#include <memory>

namespace orrery {

/// A value that copies share until one of them is changed; a default value
/// takes no memory. Many threads may read copies.
template <typename T>
class Shared {
 public:
  /// True if it has never been changed from T{}.
  [[nodiscard]] bool is_default() const noexcept { return value_ == nullptr; }

  [[nodiscard]] const T& operator*() const noexcept {
    static const T none;
    return value_ == nullptr ? none : *value_;
  }

  [[nodiscard]] const T* operator->() const noexcept { return &**this; }

  /// Returns the value for changes, after separating it from other copies.
  [[nodiscard]] T& Edit() {
    if (value_ == nullptr) {
      value_ = std::make_shared<T>();
    } else if (value_.use_count() > 1) {
      value_ = std::make_shared<T>(*value_);
    }
    return *value_;
  }

  friend bool operator==(const Shared& a,
                         const Shared& b) requires std::equality_comparable<T> {
    return *a == *b;
  }

 private:
  std::shared_ptr<T> value_;  // Null: T{}.
};

}  // namespace orrery
