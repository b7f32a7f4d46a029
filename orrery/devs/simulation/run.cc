#include "orrery/devs/simulation/run.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/simulation/check_injection.h"

namespace orrery::devs::internal {
namespace {

// The number of microsteps before the bound whose models are remembered, for
// the message.
constexpr std::int64_t kWatchedMicrosteps = 64;

// The number of models whose memory stays in cache.
constexpr std::size_t kFewModels = 4096;

}  // namespace

Run::Run(const Coupled& root, Coupled* changeable, Options options)
    : network_(root), changeable_(changeable), options_(std::move(options)) {
  CheckOptions();
  LayOut();
  Guard([&] { MakeStates(); });
}

// Time ------------------------------------------------------------------------

std::int64_t Run::NextTime() {
  if (!due_.empty() || !imminent_.empty()) {
    return now_;
  }
  while (next_.empty() && events_.NextTime() != kNever) {
    next_time_ = events_.NextTime();
    if (slots_.size() > kFewModels) {
      PrefetchNear();
    }
    events_.Pop(next_time_, next_);
    std::erase_if(next_, [&](std::uint32_t model) {
      return slots_[model].next != next_time_;
    });
  }
  const std::int64_t injected =
      injections_.empty() ? kNever : injections_.top().time;
  return next_.empty() ? injected : std::min(injected, next_time_);
}

void Run::RunUntil(std::int64_t end) {
  RefuseAfterFailure();
  for (std::int64_t next = NextTime(); next <= end && next != kNever;
       next = NextTime()) {
    RunInstant(next);
  }
  if (end != kNever) {
    now_ = std::max(now_, end);
  }
}

void Run::RunInstant(std::int64_t time) {
  BeginInstant(time);
  TakeNext();
  Guard([&] {
    do {
      Microstep();
    } while (!due_.empty() || !imminent_.empty());
  });
}

void Run::RunMicrostep(std::int64_t time) {
  if (time > now_) {
    BeginInstant(time);
  }
  RefuseAfterFailure();
  TakeNext();
  Guard([&] { Microstep(); });
}

void Run::BeginInstant(std::int64_t time) {
  RefuseAfterFailure();
  DropIgnored();
  now_ = time;
  microsteps_here_ = 0;
  lately_.clear();
}

void Run::Microstep() {
  CollectImminent();
  if (options_.formalism == Formalism::kParallel) {
    RunParallel();
  } else {
    RunClassic();
  }
  if (due_.empty() && imminent_.empty() && !lane_.changes.empty()) {
    MakeChanges();
  }
}

// With many models the next ones are seldom in cache. Their slots are
// prefetched when they enter the near part of the list, and the memory these
// point to one event ahead.
void Run::PrefetchNear() {
  const auto near = events_.near();
  if (std::exchange(num_refills_, events_.num_refills()) !=
      events_.num_refills()) {
    for (const EventList::Entry& entry : near) {
      __builtin_prefetch(&slots_[entry.id]);
    }
  }
  if (!near.empty()) {
    const Slot& next = slots_[near.front().id];
    __builtin_prefetch(next.state);
    __builtin_prefetch(next.model);
    __builtin_prefetch(mail_.outputs.data() + next.first_output);
  }
}

// Makes the models of next_ due now, each model once, unless an injection comes
// before them.
void Run::TakeNext() {
  if (next_time_ != now_) {
    for (const std::uint32_t model : next_) {
      events_.Add(next_time_, model);
    }
  } else if (next_.size() == 1 && due_.empty()) {
    due_.swap(next_);
  } else {
    due_.insert(due_.end(), next_.begin(), next_.end());
    std::erase_if(due_, [&](std::uint32_t model) {
      return std::exchange(marks_[model].is_imminent, true);
    });
    for (const std::uint32_t model : due_) {
      marks_[model].is_imminent = false;
    }
  }
  next_.clear();
}

// Makes due models imminent. In parallel DEVS a model moves once in a
// microstep, and so is due once.
void Run::CollectImminent() {
  if (options_.formalism == Formalism::kParallel) {
    imminent_.swap(due_);
    return;
  }
  for (const std::uint32_t model : due_) {
    if (slots_[model].next == now_ && !marks_[model].is_imminent) {
      marks_[model].is_imminent = true;
      imminent_.push_back(model);
      if (by_rank_) {
        std::ranges::push_heap(imminent_, LaterRank());
      }
    }
  }
  due_.clear();
}

void Run::Schedule(std::uint32_t model, Slot& slot, Duration advance) {
  const std::int64_t ticks = advance.count();
  if (ticks < 0) {
    Fail("the time advance of " + slot.model->Path() + " is " +
         ToText(advance) + "; a time advance is not negative");
  }
  slot.last = now_;
  const std::int64_t next = ticks < kNever - now_ ? now_ + ticks : kNever;
  if (next == now_) {
    live_ += slot.next == kNever ? 1U : 0U;
    slot.next = next;
    due_.push_back(model);
    return;
  }
  if (next == slot.next) {
    return;  // It is in the list already.
  }
  if (next == kNever) {
    --live_;
    slot.next = kNever;
    return;
  }
  live_ += slot.next == kNever ? 1U : 0U;
  slot.next = next;
  events_.Add(next, model);
  if (events_.size() > 2 * live_ + 64) {
    events_.Sweep([&](const EventList::Entry& entry) {
      return slots_[entry.id].next == entry.time;
    });
  }
}

// Parallel DEVS ---------------------------------------------------------------

void Run::RunParallel() {
  if (!watchers_.empty()) {
    std::ranges::sort(imminent_);
  }
  CountMicrostep(imminent_);
  SendAll();
  RethrowFailure();
  SendInjected();
  Deliver();
  ShowExits();
  MoveImminent();
  MoveReceivers();
  Forget();
  RethrowFailure();
}

void Run::SendAll() {
  if (TakesThreads(imminent_.size())) {
    SendOnThreads();
    return;
  }
  DoForAll(imminent_, [this](std::size_t i) {
    CallOutput(lane_, imminent_[i]);
    if (marks_[imminent_[i]].is_observed) {
      ShowOutput(imminent_[i]);
    }
  });
}

void Run::MoveImminent() {
  if (TakesThreads(imminent_.size())) {
    MoveOnThreads(imminent_, Transition::kInternal, Transition::kConfluent);
  } else {
    DoForAll(imminent_, [this](std::size_t i) {
      const std::uint32_t model = imminent_[i];
      if (marks_[model].has_input) {
        Move(model, Transition::kConfluent);
      } else {
        Move(model, Transition::kInternal);
      }
    });
  }
  imminent_.clear();
}

// Moves receivers that have not moved with the imminent models.
void Run::MoveReceivers() {
  if (!watchers_.empty()) {
    std::ranges::sort(receivers_);
  }
  if (options_.executor != nullptr) {
    std::erase_if(receivers_, [&](std::uint32_t model) {
      return !marks_[model].has_input;
    });
  }
  if (TakesThreads(receivers_.size())) {
    MoveOnThreads(receivers_, Transition::kExternal, Transition::kExternal);
    return;
  }
  DoForAll(receivers_, [this](std::size_t i) {
    if (marks_[receivers_[i]].has_input) {
      Move(receivers_[i], Transition::kExternal);
    }
  });
}

// Messages --------------------------------------------------------------------

void Run::CallOutput(Lane& lane, std::uint32_t model) {
  const Slot& slot = slots_[model];
  lane.model = model;
  Bag y(*slot.model,
        &lane.outbox,
        mail_.outputs.data() + slot.first_output,
        slot.first_output);
  slot.ops->output(*slot.model, slot.state, y);
}

void Run::ShowOutput(std::uint32_t model) {
  const Slot& slot = slots_[model];
  const Bag y(*slot.model,
              &lane_.outbox,
              mail_.outputs.data() + slot.first_output,
              slot.first_output);
  ForEachObserver(model, [&](Observer& observer) {
    observer.OnOutput(Duration(now_), *slot.model, y);
  });
}

void Run::SendInjected() {
  const std::uint32_t entry = network_.first_output(network_.atomics().size());
  lane_.model = Lane::kNone;
  while (!injections_.empty() && injections_.top().time == now_) {
    Bag y(network_.root(), &lane_.outbox, mail_.outputs.data() + entry, entry);
    injections_.top().send(y);
    injections_.pop();
  }
}

void Run::Deliver() {
  for (const std::uint32_t output : lane_.outbox.sent) {
    const Segment sent = mail_.outputs[output];
    Reach(output, sent.count);
    for (const Network::Place place : network_.places(output)) {
      Append(place, sent);
    }
  }
  for (std::size_t level = 1; level < filled_.size(); ++level) {
    SortLists();
    for (const std::uint32_t number : filled_[level]) {
      DeliverList(number);
    }
  }
  SortLists();
}

void Run::DeliverList(std::uint32_t number) {
  const SegmentList list = mail_.lists[number];
  const std::uint32_t source = network_.num_outputs() + number;
  Reach(source, list.num_messages);
  for (const Network::Place place : network_.places(source)) {
    // Appending may move segments.
    for (std::uint32_t i = 0; i < list.count; ++i) {
      Append(place, mail_.segments[list.first + i]);
    }
  }
}

// Notes the receivers of messages of a source.
void Run::Reach(std::uint32_t source, std::uint32_t num_messages) {
  const auto receivers = network_.receivers(source);
  statistics_.messages +=
      static_cast<std::int64_t>(receivers.size() * num_messages);
  for (const std::uint32_t receiver : receivers) {
    Receive(receiver);
  }
}

void Run::Receive(std::uint32_t model) {
  if (!marks_[model].has_input) {
    marks_[model].has_input = true;
    receivers_.push_back(model);
  }
}

void Run::Append(Network::Place place, Segment segment) {
  SegmentList& list = mail_.lists[place.list];
  if (list.count == 0) {
    filled_[network_.level_of_list(place.list)].push_back(place.list);
  } else if (mail_.SegmentsOf(list).back().capacity > place.position) {
    unsorted_.push_back(place.list);
  }
  if (place.receiver != Network::kNothing) {
    statistics_.messages += segment.count;
    Receive(place.receiver);
  }
  segment.capacity = place.position;
  mail_.Append(list, segment);
}

// Sorts by place, and keeps the order of messages from one place.
// (std::stable_sort allocates.)
void Run::SortLists() {
  std::ranges::sort(unsorted_);
  unsorted_.erase(std::unique(unsorted_.begin(), unsorted_.end()),
                  unsorted_.end());
  for (const std::uint32_t list : unsorted_) {
    const std::span<Segment> segments = mail_.SegmentsOf(mail_.lists[list]);
    sorted_.clear();
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      sorted_.emplace_back(i, segments[i]);
    }
    std::ranges::sort(sorted_, {}, [](const auto& entry) {
      return std::pair(entry.second.capacity, entry.first);
    });
    for (std::size_t i = 0; i < segments.size(); ++i) {
      segments[i] = sorted_[i].second;
    }
  }
  unsorted_.clear();
}

void Run::Forget() {
  receivers_.clear();
  for (auto& lists : filled_) {
    for (const std::uint32_t list : lists) {
      mail_.lists[list].count = 0;
      mail_.lists[list].num_messages = 0;
    }
    lists.clear();
  }
  lane_.outbox.DestroyMessages();
  for (const auto& lane : lanes_) {
    lane->outbox.DestroyMessages();
    lane->outbox.Clear();
  }
  for (const std::uint32_t output : lane_.outbox.sent) {
    mail_.outputs[output] = {};
  }
  lane_.outbox.Clear();
}

void Run::Inject(const Port& port,
                 std::int64_t at,
                 std::function<void(Bag&)> send) {
  CheckInjection(network_.root(), port, Duration(at), Duration(now_));
  injections_.push(
      {.time = at, .number = num_injections_++, .send = std::move(send)});
}

// Transitions -----------------------------------------------------------------

void Run::Move(std::uint32_t model, Transition transition) {
  Announce(model, transition);
  Settle(model, transition, Call(lane_, model, transition));
}

void Run::Announce(std::uint32_t model, Transition transition) {
  switch (transition) {
    case Transition::kStart:
      return;
    case Transition::kInternal:
      ++statistics_.internal;
      return;
    case Transition::kExternal:
      ++statistics_.external;
      break;
    case Transition::kConfluent:
      ++statistics_.confluent;
      break;
  }
  if (marks_[model].is_observed) {
    ShowInput(model, Received(slots_[model]));
  }
}

Duration Run::Call(Lane& lane, std::uint32_t model, Transition transition) {
  const Slot& slot = slots_[model];
  lane.model = model;
  switch (transition) {
    case Transition::kStart:
      break;
    case Transition::kInternal:
      return slot.ops->internal(*slot.model, slot.state, lane);
    case Transition::kExternal:
      return slot.ops->external(*slot.model,
                                slot.state,
                                Duration(now_ - slot.last),
                                Received(slot),
                                lane);
    case Transition::kConfluent:
      return slot.ops->confluent(*slot.model, slot.state, Received(slot), lane);
  }
  return slot.ops->advance(*slot.model, slot.state);
}

void Run::Settle(std::uint32_t model, Transition transition, Duration advance) {
  Slot& slot = slots_[model];
  marks_[model].has_input = false;
  if (marks_[model].is_observed) {
    ShowState(model, transition);
  }
  Schedule(model, slot, advance);
}

// Errors ----------------------------------------------------------------------

template <typename Function>
void Run::Guard(Function function) {
  try {
    function();
  } catch (...) {
    FailByException();
  }
}

void Run::CountMicrostep(std::span<const std::uint32_t> moving) {
  ++statistics_.microsteps;
  ++microsteps_here_;
  if (microsteps_here_ > options_.max_microsteps - kWatchedMicrosteps) {
    lately_.insert(lately_.end(), moving.begin(), moving.end());
  }
  if (microsteps_here_ > options_.max_microsteps) {
    FailEndless();
  }
}

}  // namespace orrery::devs::internal
