#include "orrery/sim/internal/event_notes.h"

#include <array>
#include <utility>

#include "orrery/base/number_text.h"
#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

constexpr std::size_t kMaxFormula = 80;
constexpr std::size_t kSome = 16;

EventDirection Towards(bool is_rising) {
  return is_rising ? EventDirection::kRising : EventDirection::kFalling;
}

}  // namespace

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
  Add(Kind::kSetting, settings_.size() - 1, EventDirection::kSet, t);
}

void EventNotes::Add(Kind kind,
                     std::size_t number,
                     EventDirection direction,
                     double t) {
  if (notes_.empty()) {
    notes_.reserve(kSome);
  }
  notes_.push_back({.t = t,
                    .number = static_cast<std::uint32_t>(number),
                    .kind = kind,
                    .direction = direction});
}

std::string EventNotes::NameOf(const Note& note) const {
  switch (note.kind) {
    case Kind::kNamed:
      return events_.named[note.number].name;
    case Kind::kRelation:
      return ToText(events_.relations[note.number].formula, kMaxFormula);
    case Kind::kThreshold:
      return ToText(events_.thresholds[note.number].formula, kMaxFormula);
    case Kind::kTick:
      return events_.ticks[note.number].name;
    case Kind::kSetting:
      return settings_[note.number].name + " = " +
             ShortestText(settings_[note.number].value);
  }
  return {};
}

EventLog EventNotes::Log() const {
  if (notes_.empty()) {
    return {};
  }
  constexpr std::uint32_t kNone = 0xffffffff;
  std::array<std::vector<std::uint32_t>, 5> name_of = {
      std::vector(events_.named.size(), kNone),
      std::vector(events_.relations.size(), kNone),
      std::vector(events_.thresholds.size(), kNone),
      std::vector(events_.ticks.size(), kNone),
      std::vector(settings_.size(), kNone)};
  std::vector<std::string> names;
  std::vector<EventLog::Entry> entries;
  entries.reserve(notes_.size());
  for (const Note& note : notes_) {
    std::uint32_t& name =
        name_of.at(static_cast<std::size_t>(note.kind))[note.number];
    if (name == kNone) {
      name = static_cast<std::uint32_t>(names.size());
      names.push_back(NameOf(note));
    }
    entries.push_back({.t = note.t, .name = name, .direction = note.direction});
  }
  return {std::move(names), std::move(entries)};
}

}  // namespace orrery::internal
