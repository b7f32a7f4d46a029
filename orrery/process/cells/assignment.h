#pragma once

#include <optional>
#include <utility>

namespace orrery::process::internal {

/// The assignments of tasks to one variable: none, a value, or a contradiction.
///
/// In sequence the later value counts. Concurrently, no assignment is the unit,
/// equal values agree, and all others contradict each other: a flat lattice. A
/// contradiction keeps the old value; a later value clears it.
template <typename T>
struct Assignment {
  std::optional<T> value;
  bool conflict = false;

  [[nodiscard]] bool empty() const { return !value && !conflict; }

  static Assignment Sequentially(Assignment first, Assignment second) {
    second.conflict =
        second.conflict || (first.conflict && !second.value.has_value());
    if (!second.value) {
      second.value = std::move(first.value);
    }
    return second;
  }

  static Assignment Concurrently(Assignment a, Assignment b) {
    if (a.empty()) {
      return b;
    }
    if (b.empty() || a == b) {
      return a;
    }
    return {.value = std::nullopt, .conflict = true};
  }

  friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace orrery::process::internal
