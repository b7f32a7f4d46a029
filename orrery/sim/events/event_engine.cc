#include "orrery/sim/events/event_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/sim/explain/explain.h"

namespace orrery::internal {
namespace {

// After this many ties in one event, no more microsteps follow from it.
constexpr int kMostTies = 4;

// The slots that each microstep looks at, apart from all else.
template <typename T>
std::vector<std::uint32_t> ConditionsOf(const std::vector<T>& list) {
  std::vector<std::uint32_t> slots;
  slots.reserve(list.size());
  for (const T& item : list) {
    slots.push_back(item.condition_slot);
  }
  return slots;
}

}  // namespace

EventEngine::EventEngine(Machine& machine,
                         InputSignals& inputs,
                         int max_microsteps,
                         double stop)
    : machine_(machine),
      inputs_(inputs),
      program_(machine.program()),
      events_(program_.events),
      max_microsteps_(max_microsteps),
      stop_(stop),
      notes_(events_),
      named_conditions_(ConditionsOf(events_.named)),
      handler_conditions_(ConditionsOf(events_.handlers)),
      truths_(events_.relations.size()),
      ticks_(events_.ticks.size()),
      next_time_(std::numeric_limits<double>::infinity()),
      held_(events_.held_slots.size()),
      is_due_(events_.handlers.size()),
      is_due_next_(events_.handlers.size()),
      has_warned_(events_.checks.size()) {
  if (has_relations()) {
    search_.emplace(MakeWatchList());
  }
  for (const WatchedRelation& relation : events_.relations) {
    operands_.push_back({.left = relation.left_slot,
                         .right = relation.right_slot,
                         .truth = relation.truth_slot.value_or(kNoSlot),
                         .is_strict = relation.is_strict});
  }
  for (std::size_t k = 0; k < events_.relations.size(); ++k) {
    const WatchedRelation& relation = events_.relations[k];
    if (!relation.acts) {
      watched_only_.push_back(k);
    }
    if (!relation.acts || !relation.is_kink) {
      no_kinks_.push_back(k);
    }
  }
  ignored_.reserve(2 * truths_.size());
  last_changed_.reserve(truths_.size());
  flickers_.resize(truths_.size());
  values_.reserve(events_.resets.size());
  if (!events_.handlers.empty()) {
    PrepareHandlers();
  }
}

void EventEngine::PrepareHandlers() {
  std::vector<std::uint32_t> states = program_.state_slots;
  std::ranges::sort(states);
  for (const Handler& handler : events_.handlers) {
    sets_state_.push_back(std::ranges::any_of(
        handler.assignments, [&](const Handler::Assignment& assignment) {
          return std::ranges::binary_search(states, assignment.target.slot);
        }));
  }
}

WatchList EventEngine::MakeWatchList() {
  WatchList list;
  list.runner = &machine_.sections();
  if (events_.watch_section) {
    list.sections = {*events_.watch_section};
  }
  list.evaluate = [this] {
    static_cast<void>(EvaluateOperands());
  };
  list.other_sections = SectionsOf(program_, events_.watch_schedule);
  for (const ScheduleStep& step : events_.watch_schedule) {
    if (step.kind == ScheduleStep::Kind::kBlock) {
      const auto& unknowns = program_.blocks[step.index].unknown_slots;
      list.loop_slots.insert(
          list.loop_slots.end(), unknowns.begin(), unknowns.end());
    }
  }
  list.time_slot = program_.time_slot;
  list.state_slots = program_.state_slots;
  list.inputs = program_.input_slots.empty() ? nullptr : &inputs_;
  list.input_slots = program_.input_slots;
  list.delays = machine_.delays().empty() ? nullptr : &machine_.delays();
  list.relations = events_.relations;
  return list;
}

// The start -------------------------------------------------------------------

EventOutcome EventEngine::Initialize(double t) {
  EventOutcome outcome;
  is_start_due_ = events_.start_check_section.has_value();
  const bool has_truths =
      std::ranges::any_of(program_.blocks, [](const ResidualBlock& block) {
        return block.truth_section.has_value();
      });
  if (has_truths) {
    static_cast<void>(
        machine_.Run(program_.initialization, Machine::LoopStart::kGuess));
  }
  if (!RunToAgreement(
          program_.initialization, events_.initial_iterates, outcome)) {
    return outcome;
  }
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    const EventOutcome::Kind kind = StartTicks(i, t);
    if (kind != EventOutcome::Kind::kDone) {
      return {.kind = kind, .number = i};
    }
  }
  return {};
}

// An event --------------------------------------------------------------------

EventOutcome EventEngine::Run(double t) {
  const std::span<const double> memory = machine_.memory();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    held_[i] = memory[events_.held_slots[i]];
  }
  set_slots_.clear();
  double& after = machine_.memory()[events_.after_slot];
  if (std::exchange(last_time_, t) != t) {
    after = 0;
  }
  FindDueThresholds(t);
  EventOutcome outcome;
  const bool is_done =
      RunStartChecks(outcome) && RaiseTicks(t, outcome) && Iterate(outcome);
  NoteMovedThresholds(t);
  if (is_done && after == 0 && IsThreshold(t)) {
    if (t < stop_) {
      after = 1;
      NoteThresholds(t);
      static_cast<void>(Iterate(outcome));
    } else if (!std::exchange(has_noted_end_, true)) {
      NoteThresholds(t);
    }
  }
  if (outcome.kind == EventOutcome::Kind::kAssertion ||
      outcome.kind == EventOutcome::Kind::kTerminated) {
    EventOutcome as_it_ends;
    static_cast<void>(TakeTruths(as_it_ends));  // That is an event, too.
  }
  if (!outcome.is_done()) {
    return outcome;
  }
  Release();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    outcome.changes_held =
        outcome.changes_held || held_[i] != memory[events_.held_slots[i]];
  }
  outcome.restarts = outcome.restarts || outcome.changes_held;
  FindNextTime(t);
  has_started_ = TakeTruths(outcome) || has_started_;
  return outcome;
}

bool EventEngine::Fail(const Failure& failure, EventOutcome& outcome) {
  failure_ = failure;
  return outcome.End(EventOutcome::Kind::kFailed, 0);
}

EventOutcome EventEngine::RunTerminal(double t) {
  machine_.memory()[events_.terminal_slot] = 1;
  return Run(t);
}

bool EventEngine::Iterate(EventOutcome& outcome) {
  bool goes_on = true;
  ties_in_event_ = 0;
  for (int i = 0; goes_on;) {
    i += num_due_ == 0 ? 1 : 0;  // Handlers that are due together count once.
    if (i > max_microsteps_) {
      return outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    goes_on = Microstep(outcome);
  }
  return outcome.is_done();
}

// @returns true if another microstep has to follow.
bool EventEngine::Microstep(EventOutcome& outcome) {
  TakePre(events_.pre);
  if (!RunToAgreement(events_.schedule, events_.iterates, outcome)) {
    return false;
  }
  const std::span<const double> memory = machine_.memory();
  for (std::size_t i = 0; i < named_conditions_.size(); ++i) {
    if (memory[named_conditions_[i]] != 0) {
      notes_.AddNamed(i, machine_.t());
    }
  }
  if (!events_.checks.empty() && !RunChecks(outcome)) {
    return false;
  }
  QueueHandlers();
  const bool has_reset = !events_.resets.empty() && MakeResets(outcome);
  const bool has_due = num_due_ > 0;
  if (!outcome.is_done() || (has_due && !RunHandlers(outcome))) {
    return false;
  }
  const bool had_ticks = LowerTicks();
  const bool is_decided = ties_in_event_ < kMostTies;  // Else one is as good.
  return has_reset || has_due || had_ticks ||
         (is_decided && HasChanged(events_.pre));
}

void EventEngine::TakePre(std::span<const PreValues> all) {
  for (const PreValues& pre : all) {
    machine_.Copy(pre.of_slot, pre.slot, pre.count);
  }
}

bool EventEngine::HasChanged(std::span<const PreValues> all) const {
  return std::ranges::any_of(all, [this](const PreValues& pre) {
    return pre.are_discrete &&
           machine_.Differ(pre.of_slot, pre.slot, pre.count);
  });
}

// Reads all values before the first state is reset.
// @returns true if a state is reset.
bool EventEngine::MakeResets(EventOutcome& outcome) {
  const std::span<const double> memory = std::as_const(machine_).memory();
  const std::size_t stride = machine_.NumbersRead();
  const auto for_due = [&](const auto& act) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < events_.resets.size(); ++i) {
      if (memory[events_.resets[i].condition_slot] != 0) {
        act(i, next);
        next += stride;
      }
    }
  };
  values_.resize(events_.resets.size() * stride);
  const std::span<double> values(values_);
  bool is_due = false;
  for_due([&](std::size_t i, std::size_t next) {
    machine_.Read(events_.resets[i].value_slot, values.subspan(next, stride));
    is_due = true;
  });
  if (!is_due) {
    return false;
  }
  for_due([&](std::size_t i, std::size_t next) {
    if (!std::isfinite(values[next])) {
      outcome.End(EventOutcome::Kind::kBadReset, i);
    }
  });
  if (!outcome.is_done()) {  // The inputs of that value are unchanged.
    return false;
  }
  outcome.restarts = true;
  for_due([&](std::size_t i, std::size_t next) {
    machine_.Write(events_.resets[i].state, values.subspan(next, stride));
    set_slots_.push_back(events_.resets[i].state.slot);
  });
  // The last reset of a state has won.
  for_due([&](std::size_t i, std::size_t next) {
    const double value = machine_.Value(events_.resets[i].state);
    if (value != values[next] && !std::isnan(value)) {
      outcome.kind = EventOutcome::Kind::kTwoResets;
      outcome.number = i;
      outcome.other_value = values[next];
    }
  });
  return true;
}

void EventEngine::QueueHandlers() {
  const std::span<const double> memory = machine_.memory();
  for (std::size_t i = 0; i < handler_conditions_.size(); ++i) {
    if (memory[handler_conditions_[i]] != 0 &&
        std::exchange(is_due_next_[i], std::uint8_t{1}) == 0) {
      ++num_due_next_;
    }
  }
  if (num_due_ == 0 && num_due_next_ > 0) {
    std::swap(is_due_, is_due_next_);
    std::swap(num_due_, num_due_next_);
  }
}

// Runs the handlers that are due, up to one that has to see what the others
// did.
bool EventEngine::RunHandlers(EventOutcome& outcome) {
  auto due = is_due_.begin();
  for (bool is_first = true; num_due_ > 0; is_first = false) {
    due = std::find(due, is_due_.end(), 1);
    const auto number = static_cast<std::size_t>(due - is_due_.begin());
    if (!is_first && events_.handlers[number].sees_earlier) {
      break;
    }
    *due = 0;
    --num_due_;
    if (const auto failure = RunHandler(number)) {
      return Fail(*failure, outcome);
    }
    if (sets_state_[number] != 0) {
      outcome.restarts = true;
      NoteSet(events_.handlers[number].assignments);
    }
  }
  return true;
}

void EventEngine::NoteSet(std::span<const Handler::Assignment> assignments) {
  for (const Handler::Assignment& assignment : assignments) {
    set_slots_.push_back(assignment.target.slot);
  }
}

std::optional<Failure> EventEngine::RunHandler(std::size_t number) {
  const Handler& handler = events_.handlers[number];
  if (handler.section) {
    if (auto failure = machine_.RunSection(*handler.section)) {
      return failure;
    }
  }
  machine_.Assign(handler.assignments);
  return std::nullopt;
}

// Makes the checks that contain initial(). All else is as the initialization
// has left it.
bool EventEngine::RunStartChecks(EventOutcome& outcome) {
  if (!std::exchange(is_start_due_, false)) {
    return true;
  }
  double& initial = machine_.memory()[events_.initial_slot];
  initial = 1;
  outcome.is_at_start = true;
  const std::optional<Failure> failure =
      machine_.RunSection(*events_.start_check_section);
  const bool goes_on =
      failure ? Fail(*failure, outcome)
              : std::ranges::all_of(events_.start_checks, [&](std::size_t i) {
                  return RunCheck(i, outcome);
                });
  initial = failure ? 1 : 0;  // An explanation of the failure runs it once
                              // more.
  outcome.is_at_start = !goes_on;
  return goes_on;
}

bool EventEngine::RunChecks(EventOutcome& outcome) {
  for (std::size_t i = 0; i < events_.checks.size(); ++i) {
    if (!RunCheck(i, outcome)) {
      return false;
    }
  }
  return true;
}

bool EventEngine::RunCheck(std::size_t number, EventOutcome& outcome) {
  const Check& check = events_.checks[number];
  const bool holds = machine_.memory()[check.condition_slot] != 0;
  if (check.kind == Check::Kind::kAssertion && !holds) {
    return outcome.End(EventOutcome::Kind::kAssertion, number);
  }
  if (check.kind == Check::Kind::kTermination && holds) {
    return outcome.End(EventOutcome::Kind::kTerminated, number);
  }
  if (check.kind == Check::Kind::kWarning && !holds &&
      std::exchange(has_warned_[number], std::uint8_t{1}) == 0) {
    warnings_.push_back({.check = number, .is_at_start = outcome.is_at_start});
  }
  return true;
}

}  // namespace orrery::internal
