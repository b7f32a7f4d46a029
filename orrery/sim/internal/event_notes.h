#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/setting.h"
#include "orrery/program/program.h"
#include "orrery/results/event_log.h"
#include "orrery/sim/simulation.h"

namespace orrery::internal {

/// Notes which events take place in a run and when.
class EventNotes {
 public:
  explicit EventNotes(const EventProgram& events);

  /// Entry `number` of the program's list of this kind, at `t`.
  void AddNamed(std::size_t number, double t);
  void AddRelation(std::size_t number, bool holds, double t);
  void AddThreshold(std::size_t number, double t);
  void AddTick(std::size_t number, double t);

  /// A loop of equations, by `name`, took another solution.
  void AddJump(std::string name, double t);

  /// A value that somebody outside has set.
  void AddSetting(const Setting& setting, double t);

  /// Makes room for so many.
  void Reserve(std::size_t count) { entries_.reserve(count); }

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  /// What was noted since this was called last; all at the first call, and
  /// again where some that were given have been forgotten.
  [[nodiscard]] NewEvents TakeNew();

  /// Keeps the first `size` only.
  void Forget(std::size_t size);

  [[nodiscard]] EventLog Log() const;

  /// The same, for good.
  [[nodiscard]] EventLog TakeLog();

 private:
  enum class Kind : std::uint8_t {
    kNamed,
    kRelation,
    kThreshold,
    kTick,
    kSetting,
    kJump
  };

  static constexpr std::uint32_t kNone = 0xffffffff;

  // What has a name in the log, in the order of the first notes.
  struct Named {
    Kind kind = Kind::kNamed;
    std::uint32_t number = 0;
    std::size_t first = 0;  // Its entry.
  };

  // By number of one kind: the number of its name, or kNone.
  [[nodiscard]] std::vector<std::uint32_t>& NamesOf(Kind kind) {
    return name_of_[static_cast<std::size_t>(kind)];
  }

  void Add(Kind kind, std::size_t number, EventDirection direction, double t);
  [[nodiscard]] std::string NameOf(const Named& named) const;
  [[nodiscard]] std::vector<std::string> Names() const;

  const EventProgram& events_;
  EventLog::Entries entries_;
  std::optional<std::size_t> given_;  // Of the entries; none: all are new.
  std::vector<Named> named_;
  std::array<std::vector<std::uint32_t>, 6> name_of_;
  std::vector<Setting> settings_;
  std::vector<std::string> jumps_;  // Names, each once.
};

}  // namespace orrery::internal
