#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/experiment/measures/measured_signal.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::experiment::internal {

/// The slot of a tape that takes the values of a signal.
struct SignalSlot {
  MeasuredSignal signal;
  std::uint32_t slot = 0;
};

/// An argument of a function that oscillates, jumps or has a pole: it makes a
/// formula vary faster than its signals. Between two samples of the formula it
/// must not move by more than 1 or, if `is_relative`, by more than its
/// magnitude.
template <typename Place>
struct SwiftArgument {
  Place place;
  bool is_relative = false;
  Interval range = Interval::Entire();  ///< The function is constant outside of
                                        ///< it.
};

[[nodiscard]] std::vector<SwiftArgument<Expr>> SwiftArguments(Expr formula);

/// The sides of the relations in a condition.
[[nodiscard]] std::vector<std::pair<Expr, Expr>> RelationsIn(Expr condition);

/// A compiled formula. One section of a tape computes its value in
/// `result_slot` and, for a condition, the sides of its relations. Another
/// section computes its swift arguments.
struct FormulaCode {
  std::size_t section = 0;
  std::uint32_t time_slot = 0;
  std::uint32_t result_slot = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> relations;
  std::size_t swift_section = 0;
  std::vector<SwiftArgument<std::uint32_t>> swift_arguments;
};

}  // namespace orrery::experiment::internal
