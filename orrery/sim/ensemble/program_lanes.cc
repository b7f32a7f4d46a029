#include "orrery/sim/ensemble/program_lanes.h"

#include <utility>
#include <vector>

#include "orrery/sim/machine/program_series.h"

namespace orrery::sim::internal {
namespace {

// How many of the recurrences' numbers are held: the steady ones, and the first
// row up to the inputs.
std::size_t NumHeld(const TaylorPlan& plan) noexcept {
  return plan.Row(0) + plan.time() + 1 + plan.num_inputs;
}

}  // namespace

bool DoLanesPay(const Program& program, CodeChoice code) {
  constexpr std::size_t kMostStates = 100;  // More fill the vectors of one run.
  return program.native != nullptr && program.native->vector_width() > 1 &&
         program.state_slots.size() <= kMostStates &&
         (code == CodeChoice::kNative ||
          (code == CodeChoice::kAuto && program.native->DoLanesPay(program)));
}

std::size_t NumLanes(const Program& program, std::size_t vectors_of_few) {
  constexpr std::size_t kFew = 4;
  return program.native->vector_width() *
         (program.state_slots.size() > kFew ? 1 : vectors_of_few);
}

ProgramLanes::ProgramLanes(const Program& program,
                           NativeCode& native,
                           std::size_t lanes)
    : program_(program),
      native_(native),
      memory_(program.initial_memory.size() * lanes),
      held_(lanes) {}

// The code for the values held now, with these in memory; null: there is none.
template <typename Code, typename Makes>
const Code* ProgramLanes::Prepare(const Code* code, const Makes& make) {
  const Code* const before = code;
  for (const Held& held : held_) {
    if (held.is_new && (code == nullptr || !code->IsFor(held.memory))) {
      code = &make(held.memory);
    }
  }
  if (code == nullptr || code->function == nullptr) {
    return nullptr;
  }
  for (std::size_t lane = 0; lane < held_.size(); ++lane) {
    Held& held = held_[lane];
    if (held.is_new || (code != before && !held.memory.empty())) {
      Read(code->slots, lane);
      held.is_new = false;
    }
  }
  return code;
}

void ProgramLanes::Read(std::span<const SlotRange> slots, std::size_t lane) {
  for (const SlotRange& range : slots) {
    for (std::size_t slot = range.begin; slot < range.end; ++slot) {
      memory_[slot * held_.size() + lane] = held_[lane].memory[slot];
    }
  }
}

const NativeSteps* ProgramLanes::Steps(const ExplicitTableau& tableau) {
  steps_ = Prepare(steps_, [&](std::span<const double> held) -> decltype(auto) {
    return native_.MakeSteps(program_, tableau, lanes(), held);
  });
  return steps_;
}

bool ProgramLanes::NeedsTimes(const ExplicitTableau& tableau) {
  const NativeSteps* const steps = Steps(tableau);
  return steps != nullptr && steps->needs_times;
}

bool ProgramLanes::TakeSteps(const ExplicitTableau& tableau,
                             std::span<const double> times,
                             std::int64_t count,
                             double h,
                             std::span<double> x,
                             std::span<double> work) {
  const NativeSteps* const steps = Steps(tableau);
  return steps != nullptr &&
         steps->Take(memory_.all(), times, count, h, x, work);
}

bool ProgramLanes::TakeSteps(const EmbeddedMethod& method,
                             const EmbeddedSteps& steps) {
  adaptive_steps_ = Prepare(
      adaptive_steps_, [&](std::span<const double> held) -> decltype(auto) {
        return native_.MakeAdaptiveSteps(program_, method, lanes(), held);
      });
  if (adaptive_steps_ != nullptr) {
    adaptive_steps_->function(memory_.data(), &steps);
  }
  return adaptive_steps_ != nullptr;
}

bool ProgramLanes::TakeSteps(int order, const TaylorSteps& steps) {
  if (plan_ == nullptr) {
    plan_ = &PlanOfSeries(program_, native_);
    numbers_ = AlignedNumbers(NumHeld(*plan_) * lanes());
  }
  if (std::exchange(order_, order) != order) {
    taylor_steps_ = native_.MakeTaylorSteps(*plan_, order, lanes());
  }
  if (taylor_steps_ == nullptr) {
    return false;
  }
  HoldNumbers();
  taylor_steps_(numbers_.data(), &steps);
  return true;
}

void ProgramLanes::HoldNumbers() {
  std::vector<double> of_lane;
  for (std::size_t lane = 0; lane < held_.size(); ++lane) {
    if (!std::exchange(held_[lane].is_new, false)) {
      continue;
    }
    of_lane.resize(plan_->Row(1));
    HoldSeries(program_, *plan_, held_[lane].memory, of_lane.data());
    for (std::size_t i = 0; i < NumHeld(*plan_); ++i) {
      numbers_[i * held_.size() + lane] = of_lane[i];
    }
  }
}

}  // namespace orrery::sim::internal
