#include "orrery/base/system/stop_scope.h"

#include <utility>

namespace orrery {
namespace {

// Translation has hundreds of functions, which need not hand it on.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local const Attendant* watching = nullptr;

}  // namespace

StopScope::StopScope(const Attendant& attendant) noexcept
    : outer_(std::exchange(watching, &attendant)) {}

StopScope::~StopScope() {
  watching = outer_;
}

bool IsToStop() noexcept {
  return watching != nullptr && !watching->goes_on();
}

void ThrowIfStopped() {
  if (IsToStop()) {
    throw Stopped();
  }
}

}  // namespace orrery
