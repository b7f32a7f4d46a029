// A run that is joined with other engines on one timeline.

#include <algorithm>
#include <memory>
#include <vector>

#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/ticks.h"

namespace orrery::internal {

QuantityWatch& SimulationRun::watch() {
  if (watch_ == nullptr) {
    watch_ = std::make_unique<QuantityWatch>(machine_, inputs_, [this] {
      static_cast<void>(RunAll(LoopStart::kAccepted));
    });
  }
  return *watch_;
}

// Stops after an event whose changes others have to see.
void SimulationRun::LookOutside() {
  if (watch_ != nullptr && stop_ == kNever && watch_->HasChanged()) {
    StopFor(t_);
  }
}

// Stops at the tick at which others see the changes of `seen`.
void SimulationRun::StopFor(double seen) {
  stop_ = TickFrom(seen);
  leave_from_ = std::min(leave_from_, stop_);
}

bool SimulationRun::Advance(double limit, double foreseeable) {
  limit = std::min(limit, stop_);
  if (has_ended() || t_ >= limit) {
    return false;
  }
  leave_from_ = limit;
  const bool goes_on = AdvanceTo(limit, foreseeable);
  leave_from_ = kNever;
  return goes_on;
}

bool SimulationRun::Settle() {
  return is_settled_ || Evaluate(t_, x_, LoopStart::kAccepted);
}

bool SimulationRun::Change(
    std::span<const std::pair<std::size_t, double>> states) {
  if (has_ended()) {
    return false;
  }
  std::vector<double> beyond;
  if (!states.empty()) {
    ode_.ExpectEvents();
    beyond = x_;
    for (const auto& [state, value] : states) {
      beyond[state] = value;
      NoteSetState(state);
    }
    needs_restart_ = true;
  }
  const bool goes_on = HandleEvent(&EventEngine::Run, beyond);
  grid_.SkipTo(t_);
  return goes_on;
}

}  // namespace orrery::internal
