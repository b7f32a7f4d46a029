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

  [[nodiscard]] static bool is_interrupted();

 private:
  struct sigaction interrupt_before_ {};

  struct sigaction end_before_ {};
};

}  // namespace orrery::cli
