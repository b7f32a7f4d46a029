#pragma once

#include "orrery/process/model/member.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

/// What lies outside of a run of tasks and changes by itself, as the state of
/// another engine does: conditions and resources that looked at it are computed
/// again when it says that it has changed. A base for classes.
class Outside : public Member {
 public:
  /// Something of it.
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

    /// Whether anybody will be told of a change.
    [[nodiscard]] bool is_observed() const noexcept {
      return dependents_ != nullptr;
    }

   private:
    friend class Outside;

    internal::Link* dependents_ = nullptr;
  };

 protected:
  using Member::Member;

  /// From a condition or resource that is computed: it depends on `signal`.
  void Observe(Signal& signal) const;

  /// From a condition that is computed: what it looks at is about to be set, in
  /// the next microstep. Who has just begun to wait for it waits for that.
  void ObserveEarly() const;

  /// Between microsteps: `signal` has changed.
  void Change(const Signal& signal);

  /// Whether a condition or resource is computed now.
  [[nodiscard]] bool is_evaluated() const noexcept {
    return run_ != nullptr && run_->is_evaluating();
  }

 private:
  void Bind(internal::Run& run) final { run_ = &run; }

  void Unbind() noexcept final { run_ = nullptr; }

  internal::Run* run_ = nullptr;
};

}  // namespace orrery::process
