#include "orrery/fmi/clocks/running_clocks.h"

#include <algorithm>

namespace orrery::fmi {

std::vector<VariableIndex> ToldClocksOf(const Description& description) {
  std::vector<VariableIndex> told;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.clock != nullptr && !variable.alias_of &&
        variable.causality != Causality::kInput) {
      told.push_back(static_cast<VariableIndex>(i));
    }
  }
  return told;
}

RunningClocks::RunningClocks(const Description& description,
                             std::span<const InputClock> inputs,
                             ClockCalls& calls)
    : description_(description),
      inputs_(inputs),
      calls_(calls),
      times_(description, inputs),
      told_(ToldClocksOf(description)),
      counts_(told_.size()),
      has_ticked_(inputs.size()),
      is_active_(description.variables.size()) {}

void RunningClocks::Start(double t) {
  std::ranges::fill(counts_, 0.0);
  std::ranges::fill(has_ticked_, std::uint8_t{0});
  std::ranges::fill(is_active_, std::uint8_t{0});
  times_.Start(t, calls_);
}

void RunningClocks::Activate(double t) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (times_.IsDue(i, t)) {
      times_.Take(i);
      has_ticked_[i] = 1;
      Trigger(inputs_[i].variable, t);
    }
  }
}

void RunningClocks::Trigger(VariableIndex clock, double t) {
  is_active_[clock] = 1;
  calls_.Activate(description_.variables[clock], t);
}

// A clock that belongs to others can be asked for only while one of them is
// active, which may itself be told by the FMU.
void RunningClocks::FindTicked() {
  for (bool has_found = true; has_found;) {
    has_found = false;
    for (std::size_t k = 0; k < told_.size(); ++k) {
      const Variable& clock = description_.variables[told_[k]];
      const bool can_be_asked =
          is_active_[told_[k]] == 0 &&
          (clock.clocks.empty() || IsAnyActive(clock.clocks));
      if (can_be_asked && calls_.HasTicked(clock)) {
        is_active_[told_[k]] = 1;
        ++counts_[k];
        has_found = true;
      }
    }
  }
}

void RunningClocks::EndInstant(double t) {
  times_.Ask(t, has_ticked_, calls_);
  std::ranges::fill(has_ticked_, std::uint8_t{0});
  std::ranges::fill(is_active_, std::uint8_t{0});
}

bool RunningClocks::IsAnyActive(
    std::span<const VariableIndex> clocks) const noexcept {
  return std::ranges::any_of(clocks, [this](VariableIndex clock) {
    const auto& base = description_.variables[clock].alias_of;
    return is_active_[base.value_or(clock)] != 0;
  });
}

}  // namespace orrery::fmi
