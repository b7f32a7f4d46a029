#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "orrery/sim/machine/delay_lines.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/types/rounding.h"

/// Delays along ways, on which a motion carries quantities.
namespace orrery::sim::internal {

std::vector<TransportProfile>& DelayLines::profiles() noexcept {
  return evaluator_.context().profiles;
}

void DelayLines::StartWays() {
  const std::span<const double> memory = std::as_const(evaluator_).memory();
  profiles().assign(delays_.size(), {});
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (!delays_[i].way) {
      continue;
    }
    std::vector<double> places;
    std::vector<double> values;
    for (const std::uint32_t slot : delays_[i].way->place_slots) {
      places.push_back(memory[slot]);
    }
    for (const std::uint32_t slot : delays_[i].way->value_slots) {
      values.push_back(memory[slot]);
    }
    profiles()[i].Start(
        delays_[i].way->end, memory[delays_[i].time_slot], places, values);
  }
}

// A step must not carry anything along the whole of a way: how it goes on would
// not be known.
bool DelayLines::PassesInPart(const DenseOutput& dense,
                              double reached,
                              InputSignals& inputs) {
  const auto is_way = [](const Delay& delay) {
    return delay.way.has_value();
  };
  const double length = reached - history().end();
  if (std::ranges::none_of(delays_, is_way) ||
      EvaluateOperands(dense, reached, inputs)) {
    return true;  // Recording it will tell.
  }
  double moved = 0;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (delays_[i].way) {
      moved = std::max(moved, std::abs(used_[i] - profiles()[i].position()));
    }
  }
  constexpr double kMost = 0.9;
  history().passage = moved > 0 ? kMost / 2 * length / moved : kInfinity;
  if (!(moved > kMost) || !(length > Rounding(reached))) {
    return true;
  }
  longest_ = history().passage;
  return false;
}

// A position that jumps brings as much on its way, with the value after the
// event.
void DelayLines::EnterByJumps() {
  constexpr double kLeast = 1e-9;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (delays_[i].way &&
        std::abs(used_[i] - profiles()[i].position()) > kLeast) {
      profiles()[i].Break(0);
      profiles()[i].Enter(used_[i], {right_[i]}, 0);
      static_cast<void>(profiles()[i].MoveTo(delays_[i].way->end - used_[i]));
    }
  }
}

// Brings on its way what was sampled last.
void DelayLines::Enter() {
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (delays_[i].way) {
      const double size = std::abs(samples_[i].front());
      profiles()[i].Enter(
          positions_[i].back(),
          along_[i].polynomial,
          10 * (accuracy_.relative * size + accuracy_.absolute));
    }
  }
}

}  // namespace orrery::sim::internal
