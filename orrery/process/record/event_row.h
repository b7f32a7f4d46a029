#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::process {

/// The causal order of two events.
enum class EventJoin : std::uint8_t {
  kFirst,         ///< Nothing is before it.
  kSequentially,  ///< One after the other.
  kConcurrently,  ///< Concurrent: neither is the cause of the other.
};

/// "", ";" or "|".
[[nodiscard]] constexpr std::string_view Symbol(EventJoin join) {
  switch (join) {
    case EventJoin::kSequentially:
      return ";";
    case EventJoin::kConcurrently:
      return "|";
    case EventJoin::kFirst:
      break;
  }
  return "";
}

/// A row of the table of a graph of events. It has one row per event, in the
/// order of the text of the graph: "a | (x; (y | z); w)" is
///
///     level  join  atom
///       0          a
///       0     |    x
///       1     ;    y
///       2     |    z
///       1     ;    w
///
/// The join relates the event to the one above; the level is the number of
/// parentheses around the join. So x is beside a; y and z, beside each other,
/// are after x, and w after both.
template <typename T>
struct EventRow {
  std::uint32_t level = 0;
  EventJoin join = EventJoin::kFirst;
  T atom;

  friend bool operator==(const EventRow&, const EventRow&) = default;
};

}  // namespace orrery::process
