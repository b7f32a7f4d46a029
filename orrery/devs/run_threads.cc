// Microsteps of parallel DEVS on threads. The functions of the models that move
// are called in any order and at once; all that follows is done in the order in
// which one thread does it, so that the results are the same.

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>

#include "orrery/devs/internal/run.h"

namespace orrery::devs::internal {
namespace {

// What one lane takes at least: to share out fewer costs more than it gains.
constexpr std::size_t kLeastShare = 8;

// More than one, for models that take longer than others.
constexpr std::size_t kSharesPerThread = 4;

}  // namespace

bool Run::TakesThreads(std::size_t num_models) const {
  return options_.executor != nullptr && options_.executor->concurrency() > 1 &&
         num_models >= 2 * kLeastShare;
}

// Calls `function(lane, i)` for each `i` below `count`, up to the first of a
// lane that throws.
template <typename Function>
Run::Failure Run::ShareOut(std::size_t count, Function function) {
  const std::size_t num_shares = std::min(
      kSharesPerThread * options_.executor->concurrency(), count / kLeastShare);
  while (lanes_.size() < num_shares) {
    lanes_.push_back(std::make_unique<Lane>(*this));
  }
  failures_.assign(num_shares, {});
  options_.executor->ForEach(num_shares, [&](std::size_t share) {
    const std::size_t end = count * (share + 1) / num_shares;
    std::size_t i = count * share / num_shares;
    try {
      for (; i < end; ++i) {
        function(*lanes_[share], i);
      }
    } catch (...) {
      failures_[share] = {.at = i, .error = std::current_exception()};
    }
  });
  for (const auto& lane : lanes_) {
    std::ranges::copy(lane->outbox.sent, std::back_inserter(lane_.outbox.sent));
    std::ranges::move(lane->changes, std::back_inserter(lane_.changes));
    lane->outbox.sent.clear();
    lane->changes.clear();
  }
  const auto first = std::ranges::find_if(
      failures_,
      [](const Failure& failure) { return failure.error != nullptr; });
  return first == failures_.end() ? Failure{} : *first;
}

void Run::Failure::RethrowAt(std::size_t i) const {
  if (i == at) {
    std::rethrow_exception(error);
  }
}

void Run::SendOnThreads() {
  const Failure failure = ShareOut(
      imminent_.size(),
      [this](Lane& lane, std::size_t i) { CallOutput(lane, imminent_[i]); });
  for (std::size_t i = 0; i < imminent_.size(); ++i) {
    lane_.model = imminent_[i];
    failure.RethrowAt(i);
    if (marks_[imminent_[i]].is_observed) {
      ShowOutput(imminent_[i]);
    }
  }
}

void Run::MoveOnThreads(std::span<const std::uint32_t> models,
                        Transition without_input,
                        Transition with_input) {
  const auto transition_of = [&](std::uint32_t model) {
    return marks_[model].has_input ? with_input : without_input;
  };
  advances_.resize(models.size());
  const Failure failure =
      ShareOut(models.size(), [&](Lane& lane, std::size_t i) {
        advances_[i] = Call(lane, models[i], transition_of(models[i]));
      });
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Transition transition = transition_of(models[i]);
    Announce(models[i], transition);
    lane_.model = models[i];
    failure.RethrowAt(i);
    Settle(models[i], transition, advances_[i]);
  }
}

}  // namespace orrery::devs::internal
