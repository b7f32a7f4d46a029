#pragma once

#include <csignal>

namespace orrery::cli {

/// While it lives, the first interrupt from the keyboard is noted; a second one
/// ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] static bool is_interrupted();

 private:
  struct sigaction before_ {};
};

}  // namespace orrery::cli
