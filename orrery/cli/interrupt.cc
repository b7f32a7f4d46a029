#include "orrery/cli/internal/interrupt.h"

namespace orrery::cli {
namespace {

// A signal handler can reach nothing else.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interrupted = 0;

extern "C" void HandleInterrupt(int /*signal*/) {
  interrupted = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};

  action.sa_handler = HandleInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &end_before_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &end_before_, nullptr);
}

bool InterruptGuard::goes_on() {
  return interrupted == 0;
}

}  // namespace orrery::cli
