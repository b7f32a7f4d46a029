#pragma once

#include <functional>

namespace orrery {

/// Runs long tasks beside an engine. The caller of the engine makes it. Any
/// thread may call it.
class Attendant {
 public:
  Attendant() = default;
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;
  virtual ~Attendant() = default;

  /// Returns false if the work is to stop; it then stays false. A call takes as
  /// long as reading a number.
  [[nodiscard]] virtual bool goes_on() const noexcept = 0;

  /// Runs `task` in parallel to its caller, one task after the other, in order.
  /// A task owns all its data. It may never run if the work is to stop.
  virtual void Post(std::function<void()> task) = 0;

  /// Waits until all earlier tasks are done.
  /// @returns false, without further waiting, if the work is to stop.
  [[nodiscard]] virtual bool Await() = 0;
};

}  // namespace orrery
