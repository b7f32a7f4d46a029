#pragma once

#include <memory>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/member.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

/// A member that changes in a run and is no cell: a snapshot of the run keeps
/// what it is then. A base for classes.
///
/// When a run is restored, it first is as it is when a run begins; then tasks
/// do again what they did, which may change it; then `Restore` is called.
class Stateful : public Member {
 protected:
  using Member::Member;

  /// What is read of it: `value` or, where a task does again what it did, what
  /// it read then.
  template <typename T>
  [[nodiscard]] T Told(T value) const {
    if (run_ == nullptr) {
      return value;
    }
    return run_->LoggedResult<T>([&] { return std::move(value); });
  }

  /// The time of the run; zero without one.
  [[nodiscard]] Duration now() const noexcept {
    return run_ == nullptr ? Duration(0) : run_->now();
  }

  [[nodiscard]] bool is_in_run() const noexcept { return run_ != nullptr; }

 private:
  friend class internal::Run;
  friend class Facility;

  /// The state in which a run begins.
  virtual void Reset() = 0;

  /// A copy of its state, between two instants; null if there can be none, and
  /// so no snapshot.
  [[nodiscard]] virtual std::shared_ptr<const void> Save() const {
    return nullptr;
  }

  /// @param saved as Save gave it.
  virtual void Restore(const void* /*saved*/) {}

  void Bind(internal::Run& run) override;

  void Unbind() noexcept override { run_ = nullptr; }

  internal::Run* run_ = nullptr;
};

}  // namespace orrery::process
