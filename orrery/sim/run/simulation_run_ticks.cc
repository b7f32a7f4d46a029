// The course of a run in which only clocks make events and nothing moves
// between their ticks.

#include <algorithm>
#include <cstddef>

#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {
namespace {

// Limit on reserved numbers in rows, and on notes.
constexpr std::size_t kMostReserved = 10'000'000;

}  // namespace

// After the event of the start. Most ticks have a note, and two rows for their
// limits.
void SimulationRun::PrepareTicks() {
  has_only_ticks_ = !moves_ && sensitivities_ == nullptr &&
                    inputs_.driven().empty() && !bends_.AreFollowed() &&
                    events_.HasOnlyTicks();
  if (has_only_ticks_) {
    const std::size_t ticks = events_.CountTicks(options_.stop);
    const std::size_t width = recorder_.layout().table->columns() + 1;
    events_.ReserveNotes(std::min(ticks, kMostReserved));
    recorder_.Reserve(std::min(2 * ticks, kMostReserved / width) + 2);
  }
}

// Passes the next tick, as `AdvanceTo` would.
bool SimulationRun::PassTick() {
  t_ = events_.next_time();
  machine_.set_t(t_);
  is_settled_ = false;
  has_relation_changed_ = false;
  recorder_.Keep(machine_.memory());
  const EventOutcome outcome = events_.RunTicks(t_);
  const bool is_done =
      Take(outcome) &&
      (outcome.leaves_finite || !recorder_.FindNotFinite(machine_.memory()) ||
       Evaluate(t_, x_, LoopStart::kMemory));
  if (is_done) {
    recorder_.Fetch(machine_.memory());
  }
  if (last_row_ != t_ && (!is_done || recorder_.DiffersFromKept())) {
    recorder_.AppendKept(t_);
    last_row_ = t_;
  }
  if (!is_done) {
    return false;
  }
  if (last_row_ != t_ || recorder_.DiffersFromKept()) {
    recorder_.AppendFetched(t_);
    last_row_ = t_;
  }
  grid_.SkipTo(t_);
  return true;
}

}  // namespace orrery::internal
