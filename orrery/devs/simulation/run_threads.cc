// Microsteps of parallel DEVS on threads. Functions of the moving models are
// called concurrently, in any order. All further work is done in the order of a
// single thread, so that the results are the same.

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>

#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {
namespace {

// The least number of models in a share: smaller ones cost more than they gain.
constexpr std::size_t kLeastShare = 8;

// More than one share per thread, as some models take longer than others.
constexpr std::size_t kSharesPerThread = 4;

}  // namespace

bool Run::TakesThreads(std::size_t num_models) const {
  return options_.executor != nullptr && options_.executor->concurrency() > 1 &&
         num_models >= 2 * kLeastShare;
}

// Calls `function(lane, i)` for each `i` below `count`; records failures and
// goes on.
template <typename Function>
Run::Failures Run::ShareOut(std::size_t count, Function function) {
  const std::size_t num_shares = std::min(
      kSharesPerThread * options_.executor->concurrency(), count / kLeastShare);
  while (lanes_.size() < num_shares) {
    lanes_.push_back(std::make_unique<Lane>(*this));
  }
  failures_.assign(num_shares, {});
  options_.executor->ForEach(num_shares, [&](std::size_t share) {
    DoAll(
        count * share / num_shares,
        count * (share + 1) / num_shares,
        [&](std::size_t i) { function(*lanes_[share], i); },
        [&](std::size_t i) {
          failures_[share].push_back(
              {.at = i, .error = std::current_exception()});
        });
  });
  for (const auto& lane : lanes_) {
    std::ranges::copy(lane->outbox.sent, std::back_inserter(lane_.outbox.sent));
    std::ranges::move(lane->changes, std::back_inserter(lane_.changes));
    lane->outbox.sent.clear();
    lane->changes.clear();
  }
  Failures all;
  for (Failures& failures : failures_) {
    std::ranges::move(failures, std::back_inserter(all));
    failures.clear();
  }
  return all;
}

void Run::RethrowIfAt(std::size_t i, const Failures& failures) {
  const auto found = std::ranges::find(failures, i, &Failure::at);
  if (found != failures.end()) {
    std::rethrow_exception(found->error);
  }
}

void Run::SendOnThreads() {
  const Failures failures = ShareOut(
      imminent_.size(),
      [this](Lane& lane, std::size_t i) { CallOutput(lane, imminent_[i]); });
  DoForAll(imminent_, [&](std::size_t i) {
    RethrowIfAt(i, failures);
    if (marks_[imminent_[i]].is_observed) {
      ShowOutput(imminent_[i]);
    }
  });
}

void Run::MoveOnThreads(std::span<const std::uint32_t> models,
                        Transition without_input,
                        Transition with_input) {
  const auto transition_of = [&](std::uint32_t model) {
    return marks_[model].has_input ? with_input : without_input;
  };
  advances_.resize(models.size());
  const Failures failures =
      ShareOut(models.size(), [&](Lane& lane, std::size_t i) {
        advances_[i] = Call(lane, models[i], transition_of(models[i]));
      });
  DoForAll(models, [&](std::size_t i) {
    const Transition transition = transition_of(models[i]);
    Announce(models[i], transition);
    RethrowIfAt(i, failures);
    Settle(models[i], transition, advances_[i]);
  });
}

}  // namespace orrery::devs::internal
