#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"

namespace orrery::sim::internal {

/// The course of an event in which certain clocks tick and nothing else is due,
/// known beforehand: for all values it is the same.
struct TickPlan {
  struct Constant {
    std::uint32_t slot = 0;
    double value = 0;
  };

  /// memory[to] = memory[previous] = sign * memory[from]
  struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t previous = 0;  ///< `to`, if the next stage takes none of it.
    double sign = 1;
  };

  /// A handler. Its assignments are made as moves, in order; without moves, as
  /// those of any handler.
  struct Action {
    std::size_t handler = 0;
    std::vector<Move> moves;
  };

  /// A microstep. Its parts follow each other as they stand here.
  struct Stage {
    std::vector<PreValues> pre;  ///< Those that have to be taken.
    bool runs_schedule = false;
    /// All that the schedule would change, if it does not run.
    std::vector<Constant> constants;
    std::vector<std::size_t> named;  ///< Events that take place.
    std::vector<Action> actions;
  };

  std::vector<Stage> stages;  ///< Ticks become false at the end of the first.
  int num_microsteps = 0;     ///< Handlers that are due together count once.
  bool only_moves = false;    ///< No variable changes but by moves.
};

/// The plan of the ticks with these numbers, if their event has one.
/// Precondition: the program is one for `EventEngine::RunTicks`.
[[nodiscard]] std::optional<TickPlan> PlanTicks(
    const Program& program, std::span<const std::size_t> ticking);

}  // namespace orrery::sim::internal
