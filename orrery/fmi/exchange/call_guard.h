#pragma once

#include <optional>

#include "orrery/fmi/message_log.h"

namespace orrery::fmi {

/// Carries out the calls of an instance until one fails for good. After a
/// failure that is no kDiscard, each further call throws it again.
class CallGuard {
 public:
  /// @throws CallFailure of `act`, or the one that is kept.
  template <typename Act>
  void Run(const Act& act) {
    if (failure_) {
      throw CallFailure(*failure_);
    }
    try {
      act();
    } catch (const CallFailure& failure) {
      if (failure.status() != CallStatus::kDiscard) {
        failure_ = failure;
      }
      throw;
    }
  }

  /// The failure that is kept, if there is one.
  [[nodiscard]] const std::optional<CallFailure>& failure() const noexcept {
    return failure_;
  }

  /// Lets calls be carried out again: another instance begins.
  void Reset() noexcept { failure_.reset(); }

 private:
  std::optional<CallFailure> failure_;
};

}  // namespace orrery::fmi
