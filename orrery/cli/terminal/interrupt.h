#pragma once

#include <csignal>

namespace orrery::cli {

/// During its lifetime, the first interrupt from the keyboard, or the first
/// request of the system to end, is recorded. A second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  /// True if nobody has requested the end.
  [[nodiscard]] static bool goes_on();

 private:
  struct sigaction interrupt_before_ {};

  struct sigaction end_before_ {};
};

}  // namespace orrery::cli
