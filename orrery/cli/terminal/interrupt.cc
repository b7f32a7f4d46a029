#include "orrery/cli/terminal/interrupt.h"

#include "orrery/base/system/stop_request.h"

namespace orrery::cli {
namespace {

extern "C" void HandleInterrupt(int /*signal*/) {
  RequestStop();
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
  return !IsStopRequested();
}

}  // namespace orrery::cli
