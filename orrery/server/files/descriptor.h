#pragma once

#include <unistd.h>

#include <utility>

namespace orrery::server {

/// A file descriptor, closed at its end.
class Descriptor {
 public:
  Descriptor() = default;

  explicit Descriptor(int number) : number_(number) {}

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  Descriptor(Descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}

  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }

  ~Descriptor() { Close(); }

  /// -1 if it is none.
  [[nodiscard]] int number() const noexcept { return number_; }

  explicit operator bool() const noexcept { return number_ >= 0; }

  void Close() noexcept {
    if (number_ >= 0) {
      close(number_);
      number_ = -1;
    }
  }

 private:
  int number_ = -1;
};

}  // namespace orrery::server
