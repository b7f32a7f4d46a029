#include "orrery/sim/ensemble/lane_ode.h"

#include <algorithm>
#include <utility>

#include "orrery/base/numbers/all_finite.h"

namespace orrery::sim::internal {

LaneOde::LaneOde(const Program& program,
                 NativeSection values,
                 std::size_t lanes)
    : program_(program),
      values_(values),
      lanes_(lanes),
      memory_(program.initial_memory.size() * lanes) {
  for (const std::uint8_t is_position : program.is_position) {
    positions_.insert(positions_.end(), lanes, is_position);
  }
}

bool LaneOde::Evaluate(double t, std::span<const double> x) {
  std::fill_n(At(program_.time_slot), lanes_, t);
  for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
    std::copy_n(x.data() + i * lanes_, lanes_, At(program_.state_slots[i]));
  }
  return values_(memory()) == 0;
}

bool LaneOde::AreFinite(std::span<const SlotRange> slots) {
  return std::ranges::all_of(slots, [this](const SlotRange& range) {
    return AllFinite(std::span<const double>(At(range.begin), At(range.end)));
  });
}

Evaluation LaneOde::Derivative(double t,
                               std::span<const double> x,
                               std::span<double> dx) {
  if (has_failed_ || !Evaluate(t, x)) {
    return Evaluation::kFail;
  }
  for (std::size_t i = 0; i < program_.derivatives_at.size(); ++i) {
    const Reference& from = program_.derivatives_at[i];
    const double* const slopes = At(from.slot);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      dx[i * lanes_ + lane] = static_cast<double>(from.sign) * slopes[lane];
    }
  }
  return Evaluation::kOk;
}

bool LaneOde::TakeSteps(const ExplicitTableau& tableau,
                        std::span<const double> times,
                        std::int64_t count,
                        double h,
                        std::span<double> x,
                        std::span<double> work) {
  const NativeSteps& steps = Steps(tableau);
  if (steps.function == nullptr) {
    return false;
  }
  times_.clear();
  for (const double t : times) {
    times_.insert(times_.end(), lanes_, t);
  }
  has_failed_ =
      !steps.Take(memory_.all(), times_, count, h, x, work) || !AllFinite(x);
  return !has_failed_;
}

// The code for the values held in all lanes.
const NativeSteps& LaneOde::Steps(const ExplicitTableau& tableau) {
  const bool is_new = std::exchange(is_new_, false);
  for (std::size_t lane = 0; is_new && lane < lanes_; ++lane) {
    if (steps_ == nullptr ||
        (!steps_->uniform.empty() && !steps_->IsFor(MemoryOf(lane)))) {
      steps_ = &program_.native->MakeSteps(
          program_, tableau, lanes_, MemoryOf(lane));
    }
  }
  return *steps_;
}

std::span<const double> LaneOde::MemoryOf(std::size_t lane) {
  of_lane_.resize(program_.initial_memory.size());
  for (std::size_t slot = 0; slot < of_lane_.size(); ++slot) {
    of_lane_[slot] = memory_[slot * lanes_ + lane];
  }
  return of_lane_;
}

}  // namespace orrery::sim::internal
