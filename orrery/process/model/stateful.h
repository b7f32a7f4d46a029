#pragma once

#include <memory>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/member.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

/// A base for members other than cells whose state changes in a run, and is
/// part of its snapshots.
///
/// When a run is restored, the member is first reset. Then tasks are replayed,
/// which may change it. Then `Restore` is called.
class Stateful : public Member {
 protected:
  using Member::Member;

  /// Returns `value` or, when the task at work is replayed, the value that it
  /// read then. To be used wherever tasks read the state.
  template <typename T>
  [[nodiscard]] T Told(T value) const {
    if (run_ == nullptr) {
      return value;
    }
    return run_->step.LoggedResult<T>([&] { return std::move(value); });
  }

  /// The time of the run; zero without one.
  [[nodiscard]] Duration now() const noexcept {
    return run_ == nullptr ? Duration(0) : run_->now();
  }

  [[nodiscard]] bool is_in_run() const noexcept { return run_ != nullptr; }

 private:
  friend class internal::RunMembers;
  friend class Facility;

  /// Sets the state in which a run begins.
  virtual void Reset() = 0;

  /// A copy of its state, between two instants; null if there can be no
  /// snapshot.
  [[nodiscard]] virtual std::shared_ptr<const void> Save() const {
    return nullptr;
  }

  /// @param saved the result of Save.
  virtual void Restore(const void* /*saved*/) {}

  void Bind(internal::Run& run) override;

  void Unbind() noexcept override { run_ = nullptr; }

  internal::Run* run_ = nullptr;
};

}  // namespace orrery::process
