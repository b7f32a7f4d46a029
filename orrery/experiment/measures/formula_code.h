#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/experiment/measures/measured_signal.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::internal {

/// Where a signal's value goes for a tape to find it.
struct SignalSlot {
  MeasuredSignal signal;
  std::uint32_t slot = 0;
};

/// What makes a formula faster than its signals: an argument of a function that
/// swings, jumps or has a pole. Between two looks at the formula it must not
/// move by more than 1 or, where its size is what counts, than that.
template <typename Place>
struct SwiftArgument {
  Place place;
  bool is_relative = false;
  Interval range = Interval::Entire();  ///< Outside of it the function rests.
};

[[nodiscard]] std::vector<SwiftArgument<Expr>> SwiftArguments(Expr formula);

/// The sides of the relations in a condition.
[[nodiscard]] std::vector<std::pair<Expr, Expr>> RelationsIn(Expr condition);

/// A formula, compiled: a section of a tape leaves its value in `result_slot`,
/// and the sides of its relations if it is a condition; another one leaves its
/// swift arguments.
struct FormulaCode {
  std::size_t section = 0;
  std::uint32_t time_slot = 0;
  std::uint32_t result_slot = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> relations;
  std::size_t swift_section = 0;
  std::vector<SwiftArgument<std::uint32_t>> swift_arguments;
};

}  // namespace orrery::internal
