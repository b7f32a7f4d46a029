// Clocks in Model Exchange: what ticks in an instant of an event.
#include <cstddef>
#include <span>
#include <vector>

#include "orrery/fmi/exchange/exchange_instance.h"

namespace orrery::fmi {

void ExchangeInstance::SortDiscrete() {
  const Description& its = model_.description();
  const VariableRow& row = model_.layout().discrete;
  std::vector<VariableIndex> others;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < row.variables().size(); ++k) {
    if (its.variables[row.variables()[k]].clocks.empty()) {
      others.push_back(row.variables()[k]);
      places.push_back(row.place(k));
    } else {
      clocked_.push_back(k);
    }
  }
  discrete_groups_ = GroupByType(its, others, places);
}

// An instant of an event.
DiscreteUpdate ExchangeInstance::UpdateOnce(const EventInputs& inputs) {
  if (!clocks_) {
    SetDiscrete(inputs.discrete);
    return calls_.UpdateDiscreteStates();
  }
  clocks_->Activate(t_);
  LetTick(inputs.tick_counts);
  SetDiscrete(inputs.discrete);
  clocks_->FindTicked();
  GetClocked(/*are_all_active=*/false);
  const DiscreteUpdate update = calls_.UpdateDiscreteStates();
  clocks_->EndInstant(t_);
  return update;
}

void ExchangeInstance::LetTick(std::span<const double> tick_counts) {
  const auto& triggered = model_.layout().triggered_clocks;
  for (std::size_t k = 0; k < triggered.size(); ++k) {
    if (tick_counts[k] > tick_counts_[k]) {
      clocks_->Trigger(triggered[k], t_);
    }
    tick_counts_[k] = tick_counts[k];
  }
}

void ExchangeInstance::GetClocked(bool are_all_active) {
  const Description& its = model_.description();
  const VariableRow& row = model_.layout().discrete;
  for (const std::size_t k : clocked_) {
    if (are_all_active ||
        clocks_->IsAnyActive(its.variables[row.variables()[k]].clocks)) {
      instance_->GetNumbers(row.group(k), clocked_values_);
    }
  }
}

}  // namespace orrery::fmi
