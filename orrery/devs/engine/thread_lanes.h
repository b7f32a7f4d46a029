#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/lane.h"

namespace orrery::devs::internal {

/// Calls functions of models on threads, each in a lane of its own. What they
/// send and ask for is then collected in one lane, in the order of a single
/// thread, so that the results are the same.
class ThreadLanes {
 public:
  /// An exception of a model, with its index among those that move.
  struct Failure {
    std::size_t at = 0;
    std::exception_ptr error;
  };

  /// In the order of indices.
  using Failures = std::vector<Failure>;

  /// @param executor null: there are no threads.
  explicit ThreadLanes(Executor* executor) noexcept : executor_(executor) {}

  [[nodiscard]] bool has_threads() const noexcept {
    return executor_ != nullptr;
  }

  /// True if so many models are worth the threads.
  [[nodiscard]] bool Takes(std::size_t num_models) const {
    return executor_ != nullptr && executor_->concurrency() > 1 &&
           num_models >= 2 * kLeastShare;
  }

  /// Calls `function(lane, i)` for each `i` below `count`, concurrently;
  /// collects failures and goes on.
  /// @param lane receives what the lanes have collected.
  template <typename Function>
  Failures ShareOut(Run& run,
                    Lane& lane,
                    std::size_t count,
                    Function function) {
    const std::size_t num_shares = std::min(
        kSharesPerThread * executor_->concurrency(), count / kLeastShare);
    while (lanes_.size() < num_shares) {
      lanes_.push_back(std::make_unique<Lane>(run));
    }
    failures_.assign(num_shares, {});
    executor_->ForEach(num_shares, [&](std::size_t share) {
      DoAll(
          count * share / num_shares,
          count * (share + 1) / num_shares,
          [&](std::size_t i) { function(*lanes_[share], i); },
          [&](std::size_t i) {
            failures_[share].push_back(
                {.at = i, .error = std::current_exception()});
          });
    });
    CollectIn(lane);
    Failures all;
    for (Failures& failures : failures_) {
      std::ranges::move(failures, std::back_inserter(all));
      failures.clear();
    }
    return all;
  }

  /// Throws the failure of this index, if there is one.
  static void RethrowIfAt(std::size_t i, const Failures& failures) {
    const auto found = std::ranges::find(failures, i, &Failure::at);
    if (found != failures.end()) {
      std::rethrow_exception(found->error);
    }
  }

  /// Destroys the messages of all lanes.
  void DestroyMessages() {
    for (const auto& lane : lanes_) {
      lane->outbox.DestroyMessages();
      lane->outbox.Clear();
    }
  }

 private:
  // The least number of models in a share: smaller ones cost more than they
  // gain.
  static constexpr std::size_t kLeastShare = 8;
  // More than one share per thread, as some models take longer than others.
  static constexpr std::size_t kSharesPerThread = 4;

  void CollectIn(Lane& all) {
    for (const auto& lane : lanes_) {
      std::ranges::copy(lane->outbox.sent, std::back_inserter(all.outbox.sent));
      std::ranges::move(lane->changes, std::back_inserter(all.changes));
      lane->outbox.sent.clear();
      lane->changes.clear();
    }
  }

  Executor* executor_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Failures> failures_;  // By share.
};

}  // namespace orrery::devs::internal
