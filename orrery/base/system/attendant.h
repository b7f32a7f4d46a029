#pragma once

#include <functional>

namespace orrery {

/// Looks after work that may take long. An engine that gains from one takes it;
/// who calls the engine makes it. Any thread may call it.
class Attendant {
 public:
  Attendant() = default;
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;
  virtual ~Attendant() = default;

  /// Whether the work is to go on. Once it is not, it never is again. A call
  /// takes as long as reading a number.
  [[nodiscard]] virtual bool goes_on() const noexcept = 0;

  /// Carries out `task` beside its callers: one task after the other, in the
  /// order in which they were given. A task owns all that it refers to, and may
  /// never be carried out where the work is not to go on.
  virtual void Post(std::function<void()> task) = 0;

  /// Waits until all tasks that were given before are done.
  /// @returns false, without waiting any longer, if the work is not to go on.
  [[nodiscard]] virtual bool Await() = 0;
};

}  // namespace orrery
