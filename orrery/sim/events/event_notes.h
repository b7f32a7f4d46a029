#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"
#include "orrery/results/event_log.h"
#include "orrery/sim/types/run_result.h"

namespace orrery::sim::internal {

/// Notes the events of a run and their times.
class EventNotes {
 public:
  explicit EventNotes(const EventProgram& events);

  /// Notes entry `number` of the program's list of this kind, at `t`.
  void AddNamed(std::size_t number, double t);
  void AddRelation(std::size_t number, bool holds, double t);
  void AddThreshold(std::size_t number, double t);
  void AddTick(std::size_t number, double t);

  /// Notes that the loop `name` took another solution.
  void AddJump(std::string name, double t);

  /// Notes a value that was set from outside.
  void AddSetting(const Setting& setting, double t);

  /// Makes room for this number of notes.
  void Reserve(std::size_t count) { entries_.reserve(count); }

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  /// The notes since the last call. The first call gives all; so does one after
  /// notes that were given have been forgotten.
  [[nodiscard]] NewEvents TakeNew();

  /// Keeps only the first `size` notes.
  void Forget(std::size_t size);

  [[nodiscard]] EventLog Log() const;

  /// Moves the log out.
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

  // An event with a name in the log, in the order of the first notes.
  struct Named {
    Kind kind = Kind::kNamed;
    std::uint32_t number = 0;
    std::size_t first = 0;  // Its first entry.
  };

  // By number of one kind: index of its name, or kNone.
  [[nodiscard]] std::vector<std::uint32_t>& NamesOf(Kind kind) {
    return name_of_[static_cast<std::size_t>(kind)];
  }

  void Add(Kind kind, std::size_t number, EventDirection direction, double t);
  [[nodiscard]] std::string NameOf(const Named& named) const;
  [[nodiscard]] std::vector<std::string> Names() const;

  const EventProgram& events_;
  EventLog::Entries entries_;
  std::optional<std::size_t> given_;  // Entries given out; none: all are new.
  std::vector<Named> named_;
  std::array<std::vector<std::uint32_t>, 6> name_of_;
  std::vector<Setting> settings_;
  std::vector<std::string> jumps_;  // Names, each once.
};

}  // namespace orrery::sim::internal
