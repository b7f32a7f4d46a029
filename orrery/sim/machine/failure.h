#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "orrery/program/program.h"
#include "orrery/sim/machine/loop_solver.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::sim::internal {

/// The failure of a schedule.
struct Failure {
  ScheduleStep step;                          ///< The one that failed.
  LoopResult loop = LoopResult::kSolved;      ///< If it is a block.
  Tape::Outcome tape = Tape::Outcome::kDone;  ///< If it is a section.
  std::optional<std::size_t> delay;           ///< The one out of its range.
  /// Steps of the same schedule that ran before it.
  std::span<const ScheduleStep> before;
};

}  // namespace orrery::sim::internal
