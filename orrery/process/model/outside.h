#pragma once

#include "orrery/process/model/member.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

/// A base for state outside of a run of tasks that changes by itself, such as
/// the state of another engine. Conditions and resources that read it are
/// computed again when it reports a change.
class Outside : public Member {
 public:
  /// A part of the state that changes by itself.
  class Signal {
   public:
    Signal() = default;
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

    ~Signal() {
      while (dependents_ != nullptr) {
        internal::Link& link = *dependents_;
        link.Remove();
      }
    }

    /// True if a condition or resource depends on it.
    [[nodiscard]] bool is_observed() const noexcept {
      return dependents_ != nullptr;
    }

   private:
    friend class Outside;

    internal::Link* dependents_ = nullptr;
  };

 protected:
  using Member::Member;

  /// Notes that the condition or resource at work depends on `signal`.
  void Observe(Signal& signal) const;

  /// Notes that the condition at work reads state that is about to be set, in
  /// the next microstep. A task that has just begun to wait for it waits until
  /// then.
  void ObserveEarly() const;

  /// Reports a change of `signal`. To be called between microsteps.
  void Change(const Signal& signal);

  /// True while a condition or resource is computed.
  [[nodiscard]] bool is_evaluated() const noexcept {
    return run_ != nullptr && run_->evaluations.is_evaluating();
  }

 private:
  void Bind(internal::Run& run) final { run_ = &run; }

  void Unbind() noexcept final { run_ = nullptr; }

  internal::Run* run_ = nullptr;
};

}  // namespace orrery::process
