#include "orrery/queueing/preemptive_resource.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery::queueing {

Preempted::Preempted(const std::string& resource,
                     std::string by,
                     Duration since,
                     Duration now)
    : Interrupted("'" + resource + "' was taken by '" + by + "' after " +
                  ToText(now - since)),
      by_(std::move(by)),
      since_(since),
      usage_(now - since) {}

PreemptibleHolding::PreemptibleHolding(PreemptibleHolding&& other) noexcept {
  TakeFrom(other);
}

PreemptibleHolding& PreemptibleHolding::operator=(
    PreemptibleHolding&& other) noexcept {
  if (this != &other) {
    Release();
    TakeFrom(other);
  }
  return *this;
}

PreemptibleHolding::PreemptibleHolding(const Memory& memory)
    : made_of_(memory) {
  if (made_of_.resource != nullptr) {
    owner_ = made_of_.resource->task_at_work();
    moment_ = made_of_.resource->moment();
    made_of_.resource->holdings_.Add(*this);
  }
}

void PreemptibleHolding::TakeFrom(PreemptibleHolding& other) noexcept {
  made_of_ = std::exchange(other.made_of_, {});
  is_taken_ = std::exchange(other.is_taken_, false);
  told_ = std::exchange(other.told_, nullptr);
  owner_ = other.owner_;
  moment_ = other.moment_;
  PreemptiveResource* const resource = made_of_.resource;
  if (resource == nullptr || is_taken_) {
    return;
  }
  if (const process::TaskId mover = resource->task_at_work()) {
    owner_ = mover;
  }
  resource->holdings_.Remove(other);
  resource->holdings_.Add(*this);
}

PreemptibleHolding::~PreemptibleHolding() {
  if (made_of_.resource != nullptr && !is_taken_) {
    made_of_.resource->WarnIfAtOnce(made_of_.units, moment_);
  }
  Release();
}

void PreemptibleHolding::Release() noexcept {
  PreemptiveResource* const resource =
      std::exchange(made_of_.resource, nullptr);
  if (resource == nullptr) {
    return;
  }
  if (!std::exchange(is_taken_, false)) {
    resource->GiveBack(*this);
  } else if (told_ != nullptr) {
    resource->Unthrow(std::exchange(told_, nullptr));
  }
}

PreemptibleHolding::operator bool() const {
  return made_of_.resource != nullptr && !made_of_.resource->IsTaken(*this);
}

// Makes holdings of earlier runs void.
void PreemptiveResource::Reset() {
  Lender::Reset();
  while (PreemptibleHolding* holding = holdings_.first()) {
    holdings_.Remove(*holding);
    holding->made_of_ = {};
  }
}

std::shared_ptr<const void> PreemptiveResource::Save() const {
  Saved saved{.state = state(), .held = {}};
  for (const PreemptibleHolding* holding : holdings_.all()) {
    saved.held.push_back(holding->made_of_.order);
  }
  std::ranges::sort(saved.held);
  return std::make_shared<const Saved>(std::move(saved));
}

// Replayed tasks also have holdings that were preempted before the snapshot;
// these are removed again.
void PreemptiveResource::Restore(const void* saved) {
  const auto& from = *static_cast<const Saved*>(saved);
  Lender::Restore(&from.state);
  const std::vector<PreemptibleHolding*> holdings(holdings_.all().begin(),
                                                  holdings_.all().end());
  for (PreemptibleHolding* holding : holdings) {
    if (!std::ranges::binary_search(from.held, holding->made_of_.order)) {
      holdings_.Remove(*holding);
      holding->is_taken_ = true;
    }
  }
  if (holdings_.size() != from.held.size()) {
    throw Error(
        ErrorCode::kInvalidModel,
        "cannot restore a snapshot: of " + std::to_string(from.held.size()) +
            " holdings of '" + Path() + "' tasks have " +
            std::to_string(holdings_.size()) + "; keep holdings in tasks");
  }
}

void PreemptiveResource::OnRequested(process::Request& request) {
  auto& asking = static_cast<Acquiring&>(request);
  asking.state_ = Acquiring::State::kWaiting;
  queue_.Add(asking);
  CountRequest();
}

void PreemptiveResource::OnReprioritised(std::uint64_t number) {
  if (number == kTakesNow) {
    takes_now_ = true;
    return;
  }
  const auto [task, priority] = reprioritised_[number];
  if (Acquiring* const asking = FindOf(task, queue_.all())) {
    queue_.Remove(*asking);
    asking->priority = priority;
    queue_.Add(*asking);
  }
}

void PreemptiveResource::Settle() {
  TakeCapacity();
  reprioritised_.clear();
  if (std::exchange(takes_now_, false)) {
    while (!Fits(0) && holdings_.first() != nullptr) {
      PreemptibleHolding& next = *holdings_.first();
      holdings_.Remove(next);
      Preempt(next, "SetCapacity");
    }
  }
  for (Acquiring* first = queue_.first(); first != nullptr;
       first = queue_.first()) {
    if (!first->is_waiting()) {
      queue_.Remove(*first);
      first->state_ = Acquiring::State::kNew;
      CountWithdrawal();
      continue;
    }
    const Room room =
        Fits(first->request_.units) ? Room::kMade : MakeRoom(*first);
    if (room == Room::kOwn) {
      RefuseOwn(*first);
      continue;
    }
    if (room == Room::kNone) {
      break;
    }
    queue_.Remove(*first);
    first->state_ = Acquiring::State::kGranted;
    first->granted_ = now();
    Lend(first->request_.units, now() - first->asked());
    first->Wake();
  }
  Show(queue_.size());
}

PreemptiveResource::Room PreemptiveResource::MakeRoom(const Acquiring& asking) {
  std::vector<PreemptibleHolding*> victims;
  std::vector<PreemptibleHolding*> own;
  std::int64_t missing = asking.request_.units;
  std::int64_t missing_beside_own = missing;
  while (!Fits(missing) && asking.request_.preempts) {
    PreemptibleHolding* const next = holdings_.first();
    if (next == nullptr || next->made_of_.priority <= asking.priority) {
      break;
    }
    holdings_.Remove(*next);
    missing_beside_own -= next->made_of_.units;
    if (IsOf(next->owner_, asking)) {
      own.push_back(next);
    } else {
      victims.push_back(next);
      missing -= next->made_of_.units;
    }
  }
  const bool is_made = Fits(missing);
  for (PreemptibleHolding* spared : own) {
    holdings_.Add(*spared);
  }
  for (PreemptibleHolding* victim : victims) {
    if (!is_made) {
      holdings_.Add(*victim);
      continue;
    }
    Preempt(*victim, asking.TaskText());
  }
  if (is_made) {
    return Room::kMade;
  }
  return !own.empty() && Fits(missing_beside_own) ? Room::kOwn : Room::kNone;
}

// Preempts a holding that is no longer in the line of holdings.
void PreemptiveResource::Preempt(PreemptibleHolding& holding,
                                 const std::string& by) {
  holding.is_taken_ = true;
  TakeAway(holding.made_of_.units);
  const std::exception_ptr exception = std::make_exception_ptr(
      Preempted(Path(), by, holding.made_of_.since, now()));
  // A holding whose task is over has nobody to tell, and no exception to
  // withdraw when it goes, perhaps after the resource.
  if (Throw(holding.owner_, exception)) {
    holding.told_ = exception;
  }
}

void PreemptiveResource::RefuseOwn(Acquiring& asking) {
  queue_.Remove(asking);
  asking.state_ = Acquiring::State::kNew;
  CountWithdrawal();
  asking.Fail(std::make_exception_ptr(
      Error(ErrorCode::kInvalidArgument,
            "cannot acquire " + Wanted(asking.request_.units) + ": '" +
                asking.TaskText() +
                "' would take units from itself, which it holds by a less "
                "urgent request; release these before, or ask for all by one "
                "request")));
}

void PreemptiveResource::Abandon(Acquiring& asking) {
  if (asking.state_ == Acquiring::State::kGranted) {
    PostRelease(asking.request_.units);
  } else {
    queue_.Remove(asking);
    PostWithdrawal();
  }
}

PreemptibleHolding PreemptiveResource::Take(const Acquiring& asking) {
  return PreemptibleHolding({.resource = this,
                             .units = asking.request_.units,
                             .priority = asking.priority,
                             .order = asking.order(),
                             .since = asking.granted_});
}

void PreemptiveResource::GiveBack(PreemptibleHolding& holding) noexcept {
  holdings_.Remove(holding);
  if (is_in_run()) {
    PostRelease(holding.made_of_.units);
  }
}

}  // namespace orrery::queueing
