#include "orrery/sim/events/event_notes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "orrery/base/text/number_text.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMaxFormula = 80;
constexpr std::size_t kSome = 16;

EventDirection Towards(bool is_rising) {
  return is_rising ? EventDirection::kRising : EventDirection::kFalling;
}

}  // namespace

EventNotes::EventNotes(const EventProgram& events)
    : events_(events),
      name_of_({std::vector(events.named.size(), kNone),
                std::vector(events.relations.size(), kNone),
                std::vector(events.thresholds.size(), kNone),
                std::vector(events.ticks.size(), kNone),
                {},
                {}}) {}

void EventNotes::AddNamed(std::size_t number, double t) {
  Add(Kind::kNamed, number, Towards(events_.named[number].is_rising), t);
}

void EventNotes::AddRelation(std::size_t number, bool holds, double t) {
  Add(Kind::kRelation, number, Towards(holds), t);
}

void EventNotes::AddThreshold(std::size_t number, double t) {
  Add(Kind::kThreshold,
      number,
      Towards(events_.thresholds[number].is_rising),
      t);
}

void EventNotes::AddTick(std::size_t number, double t) {
  Add(Kind::kTick, number, EventDirection::kTick, t);
}

void EventNotes::AddSetting(const Setting& setting, double t) {
  settings_.push_back(setting);
  NamesOf(Kind::kSetting).push_back(kNone);
  Add(Kind::kSetting, settings_.size() - 1, EventDirection::kSet, t);
}

void EventNotes::AddJump(std::string name, double t) {
  auto known = std::ranges::find(jumps_, name);
  if (known == jumps_.end()) {
    known = jumps_.insert(known, std::move(name));
    NamesOf(Kind::kJump).push_back(kNone);
  }
  Add(Kind::kJump,
      static_cast<std::size_t>(known - jumps_.begin()),
      EventDirection::kJump,
      t);
}

void EventNotes::Add(Kind kind,
                     std::size_t number,
                     EventDirection direction,
                     double t) {
  std::uint32_t& name = NamesOf(kind)[number];
  if (name == kNone) {
    if (entries_.empty()) {
      entries_.reserve(std::max(entries_.capacity(), kSome));
    }
    name = static_cast<std::uint32_t>(named_.size());
    named_.push_back({.kind = kind,
                      .number = static_cast<std::uint32_t>(number),
                      .first = entries_.size()});
  }
  entries_.push_back({.t = t, .name = name, .direction = direction});
}

void EventNotes::Forget(std::size_t size) {
  entries_.resize(size);
  if (given_ && *given_ > size) {
    given_.reset();
  }
  while (!named_.empty() && named_.back().first >= size) {
    NamesOf(named_.back().kind)[named_.back().number] = kNone;
    named_.pop_back();
  }
}

std::string EventNotes::NameOf(const Named& named) const {
  switch (named.kind) {
    case Kind::kNamed:
      return events_.named[named.number].name;
    case Kind::kRelation:
      return ToText(events_.relations[named.number].formula, kMaxFormula);
    case Kind::kThreshold:
      return ToText(events_.thresholds[named.number].formula, kMaxFormula);
    case Kind::kTick:
      return events_.ticks[named.number].name;
    case Kind::kSetting:
      return settings_[named.number].name + " = " +
             ShortestText(settings_[named.number].value);
    case Kind::kJump:
      return jumps_[named.number];
  }
  return {};
}

std::vector<std::string> EventNotes::Names() const {
  std::vector<std::string> names;
  names.reserve(named_.size());
  for (const Named& named : named_) {
    names.push_back(NameOf(named));
  }
  return names;
}

NewEvents EventNotes::TakeNew() {
  const std::size_t begin = given_.value_or(0);
  NewEvents result{.events = {}, .are_all = !given_};
  given_ = entries_.size();
  if (begin == entries_.size()) {
    return result;
  }
  std::vector<std::string> names;
  std::vector<std::uint32_t> numbers(named_.size(), kNone);
  EventLog::Entries entries(
      entries_.begin() + static_cast<std::ptrdiff_t>(begin), entries_.end());
  for (EventLog::Entry& entry : entries) {
    std::uint32_t& number = numbers[entry.name];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(names.size());
      names.push_back(NameOf(named_[entry.name]));
    }
    entry.name = number;
  }
  result.events = {std::move(names), std::move(entries)};
  return result;
}

EventLog EventNotes::Log() const {
  return {Names(), entries_};
}

EventLog EventNotes::TakeLog() {
  return {Names(), std::move(entries_)};
}

}  // namespace orrery::sim::internal
