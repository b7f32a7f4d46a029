#pragma once

#include "orrery/base/system/attendant.h"

namespace orrery {

/// Leaves work that its user wants to end; see StopScope. It is no
/// std::exception, so that nobody takes it for an error.
struct Stopped {};

/// Watches long work of its thread, such as the translation of a model: while
/// it exists, ThrowIfStopped() asks its attendant. Of several scopes in one
/// another, the innermost counts.
class StopScope {
 public:
  /// @param attendant must outlive the scope.
  explicit StopScope(const Attendant& attendant) noexcept;
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const Attendant* outer_;
};

/// True if the attendant of this thread's scope says that the work is to stop;
/// false without a scope.
[[nodiscard]] bool IsToStop() noexcept;

/// Is called by such work every few milliseconds. What the work has shared with
/// others by then must be whole.
/// @throws Stopped if IsToStop().
void ThrowIfStopped();

}  // namespace orrery
