#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "orrery/program/program.h"
#include "orrery/sim/machine/loop_solver.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::internal {

/// What ended the evaluation of a schedule.
struct Failure {
  ScheduleStep step;                          ///< The one that failed.
  LoopResult loop = LoopResult::kSolved;      ///< Of a block.
  Tape::Outcome tape = Tape::Outcome::kDone;  ///< Of a section.
  std::optional<std::size_t> delay;  ///< Whose time is out of its range.
  /// What was run before it, of the same schedule.
  std::span<const ScheduleStep> before;
};

}  // namespace orrery::internal
