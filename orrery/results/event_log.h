#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/containers/large_pages.h"

namespace orrery {

/// The causes of an event.
enum class EventDirection : std::uint8_t {
  kRising,   ///< A function rose through zero; a condition became true.
  kFalling,  ///< A function fell through zero; a condition became false.
  kTick,     ///< A clock ticked.
  kSet,      ///< Somebody outside has set a value, while the run went on.
  kJump,     ///< The solution of an algebraic loop ended; another one holds.
};

/// "rising", "falling", "tick", "set" or "jump".
[[nodiscard]] constexpr std::string_view Describe(
    EventDirection direction) noexcept {
  switch (direction) {
    case EventDirection::kRising:
      return "rising";
    case EventDirection::kFalling:
      return "falling";
    case EventDirection::kTick:
      return "tick";
    case EventDirection::kSet:
      return "set";
    case EventDirection::kJump:
      return "jump";
  }
  return "";
}

/// The events of a run in the order in which they took place. Plain data.
class EventLog {
 public:
  struct Entry {
    double t = 0;  ///< s
    std::uint32_t name = 0;
    EventDirection direction = EventDirection::kRising;
  };

  using Entries = std::vector<Entry, LargePageAllocator<Entry>>;

  EventLog() = default;

  /// @param names the names to which entries refer by number.
  EventLog(std::vector<std::string> names, Entries entries)
      : names_(std::move(names)), entries_(std::move(entries)) {}

  [[nodiscard]] const Entries& entries() const noexcept { return entries_; }

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  /// The name of an event. For one declared in C++ it is its full name; for a
  /// Modelica model the relation or the sample() that caused it; for a set
  /// value `name = value`; for a loop its members.
  [[nodiscard]] const std::string& NameOf(const Entry& entry) const {
    return names_.at(entry.name);
  }

  /// The times of the events called `name`; may be none.
  [[nodiscard]] std::vector<double> TimesOf(std::string_view name) const {
    std::vector<double> times;
    for (const Entry& entry : entries_) {
      if (names_[entry.name] == name) {
        times.push_back(entry.t);
      }
    }
    return times;
  }

 private:
  std::vector<std::string> names_;
  Entries entries_;
};

}  // namespace orrery
