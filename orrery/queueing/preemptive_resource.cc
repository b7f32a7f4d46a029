#include "orrery/queueing/preemptive_resource.h"

#include <exception>
#include <utility>

#include "orrery/base/duration.h"

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

void PreemptibleHolding::TakeFrom(PreemptibleHolding& other) noexcept {
  resource_ = std::exchange(other.resource_, nullptr);
  if (resource_ == nullptr) {
    return;
  }
  units_ = other.units_;
  priority_ = other.priority_;
  turn_ = other.turn_;
  since_ = other.since_;
  process::Handle<> mover = resource_->task_at_work();
  owner_ = std::exchange(other.owner_, {});
  if (mover.reference().node() != nullptr) {
    owner_ = std::move(mover);
  }
  resource_->holdings_.Remove(other);
  resource_->holdings_.Add(*this);
}

void PreemptibleHolding::Release() noexcept {
  if (resource_ != nullptr) {
    std::exchange(resource_, nullptr)->GiveBack(*this);
  }
}

// Holdings of another run are void.
void PreemptiveResource::Reset() {
  Lender::Reset();
  while (PreemptibleHolding* holding = holdings_.first()) {
    holdings_.Remove(*holding);
    holding->resource_ = nullptr;
  }
}

void PreemptiveResource::OnRequested(process::Request& request) {
  auto& asking = static_cast<Acquiring&>(request);
  asking.state_ = Acquiring::State::kWaiting;
  asking.asked_ = now();
  line_.Add(asking);
  CountRequest();
}

void PreemptiveResource::Settle() {
  for (Acquiring* first = line_.first(); first != nullptr;
       first = line_.first()) {
    if (!first->is_waiting()) {
      line_.Remove(*first);
      first->state_ = Acquiring::State::kNew;
      CountWithdrawal();
      continue;
    }
    if (!Fits(first->request_.units) && !MakeRoom(*first)) {
      break;
    }
    line_.Remove(*first);
    first->state_ = Acquiring::State::kGranted;
    first->granted_ = now();
    Lend(first->request_.units, now() - first->asked_);
    first->Wake();
  }
  Show(line_.size());
}

bool PreemptiveResource::MakeRoom(const Acquiring& asking) {
  std::int64_t missing = asking.request_.units;
  for (const PreemptibleHolding* at = holdings_.first(); at != nullptr;
       at = at->next) {
    missing -= at->priority_ > asking.priority ? at->units_ : 0;
  }
  if (!asking.request_.preempts || !Fits(missing)) {
    return false;
  }
  while (!Fits(asking.request_.units)) {
    PreemptibleHolding* victim = Victim(asking.priority);
    holdings_.Remove(*victim);
    victim->resource_ = nullptr;
    TakeAway(victim->units_);
    Throw(std::exchange(victim->owner_, {}),
          std::make_exception_ptr(
              Preempted(Path(), asking.TaskText(), victim->since_, now())));
  }
  return true;
}

// Whose units are to be taken next for a request of that priority.
PreemptibleHolding* PreemptiveResource::Victim(double priority) const {
  PreemptibleHolding* victim = nullptr;
  for (PreemptibleHolding* at = holdings_.first(); at != nullptr;
       at = at->next) {
    const bool is_later =
        victim == nullptr || at->priority_ > victim->priority_ ||
        (at->priority_ == victim->priority_ && at->turn_ > victim->turn_);
    if (at->priority_ > priority && is_later) {
      victim = at;
    }
  }
  return victim;
}

void PreemptiveResource::Abandon(Acquiring& asking) {
  if (asking.state_ == Acquiring::State::kGranted) {
    PostRelease(asking.request_.units);
  } else {
    line_.Remove(asking);
    PostWithdrawal();
  }
}

PreemptibleHolding PreemptiveResource::Take(const Acquiring& asking) {
  PreemptibleHolding holding;
  holding.resource_ = this;
  holding.units_ = asking.request_.units;
  holding.priority_ = asking.priority;
  holding.turn_ = asking.turn;
  holding.since_ = asking.granted_;
  holding.owner_ = task_at_work();
  holdings_.Add(holding);
  return holding;
}

void PreemptiveResource::GiveBack(PreemptibleHolding& holding) noexcept {
  holdings_.Remove(holding);
  if (is_in_run()) {
    PostRelease(holding.units_);
  }
}

}  // namespace orrery::queueing
