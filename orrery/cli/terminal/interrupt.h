#pragma once

#include <csignal>

namespace orrery::cli {

/// While it lives, the first interrupt from the keyboard, or the first request
/// of a system to end, is noted; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  /// Whether nobody has asked for an end.
  [[nodiscard]] static bool goes_on();

 private:
  struct sigaction interrupt_before_ {};

  struct sigaction end_before_ {};
};

}  // namespace orrery::cli
