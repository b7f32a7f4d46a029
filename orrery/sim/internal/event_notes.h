#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/setting.h"
#include "orrery/program/program.h"
#include "orrery/results/event_log.h"

namespace orrery::internal {

/// Notes which events take place in a run and when.
class EventNotes {
 public:
  explicit EventNotes(const EventProgram& events) : events_(events) {}

  /// Entry `number` of the program's list of this kind, at `t`.
  void AddNamed(std::size_t number, double t);
  void AddRelation(std::size_t number, bool holds, double t);
  void AddThreshold(std::size_t number, double t);
  void AddTick(std::size_t number, double t);

  /// A value that somebody outside has set.
  void AddSetting(const Setting& setting, double t);

  [[nodiscard]] std::size_t size() const noexcept { return notes_.size(); }

  /// Keeps the first `size` only.
  void Forget(std::size_t size) { notes_.resize(size); }

  [[nodiscard]] EventLog Log() const;

 private:
  enum class Kind : std::uint8_t {
    kNamed,
    kRelation,
    kThreshold,
    kTick,
    kSetting
  };

  struct Note {
    double t = 0;
    std::uint32_t number = 0;
    Kind kind = Kind::kNamed;
    EventDirection direction = EventDirection::kTick;
  };

  void Add(Kind kind, std::size_t number, EventDirection direction, double t);
  [[nodiscard]] std::string NameOf(const Note& note) const;

  const EventProgram& events_;
  std::vector<Note> notes_;
  std::vector<Setting> settings_;
};

}  // namespace orrery::internal
