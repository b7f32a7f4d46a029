#include <algorithm>
#include <exception>
#include <iterator>
#include <span>
#include <vector>

#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {

void Run::RunClassic() {
  if (!injections_.empty() && injections_.top().time == now_) {
    CountMicrostep({});
    SendInjected();
    Deliver();
    ShowExits();
  } else {
    const std::uint32_t chosen = Select();
    if (chosen == Lane::kNone) {
      return;
    }
    CountMicrostep(std::span(&chosen, 1));
    CallOutput(lane_, chosen);
    if (marks_[chosen].is_observed) {
      ShowOutput(chosen);
    }
    Deliver();
    ShowExits();
    Move(chosen, Transition::kInternal);
  }
  for (const std::uint32_t model : receivers_) {
    Move(model, Transition::kExternal);
  }
  Forget();
}

std::uint32_t Run::Select() {
  while (by_rank_ && !imminent_.empty()) {
    std::ranges::pop_heap(imminent_, LaterRank());
    const std::uint32_t model = imminent_.back();
    imminent_.pop_back();
    marks_[model].is_imminent = false;
    if (slots_[model].next == now_) {
      return model;
    }
  }
  std::erase_if(imminent_, [&](std::uint32_t model) {
    marks_[model].is_imminent = slots_[model].next == now_;
    return !marks_[model].is_imminent;
  });
  if (imminent_.empty()) {
    return Lane::kNone;
  }
  const std::uint32_t model = SelectByParts();
  marks_[model].is_imminent = false;
  std::erase(imminent_, model);
  return model;
}

const Model& Run::CallSelect(const Coupled& coupled,
                             std::span<const Model* const> parts) {
  const Model* chosen = nullptr;
  try {
    chosen = &coupled.select()(parts);
  } catch (const std::exception& error) {
    Fail("in SELECT of " + coupled.Path() + ": " + error.what());
  }
  if (std::ranges::find(parts, chosen) == parts.end()) {
    Fail("SELECT of " + coupled.Path() + " chooses " + chosen->Path() +
         ", in which nothing is due; choose among the models given");
  }
  return *chosen;
}

// SELECT at each coupled model on the way from the outermost one down.
std::uint32_t Run::SelectByParts() {
  std::vector<const Model*> candidates;
  for (const std::uint32_t model : imminent_) {
    candidates.push_back(slots_[model].model);
  }
  const Coupled* at = &network_.root();
  while (true) {
    const auto part_of = [&](const Model* model) {
      while (model->parent() != at) {
        model = model->parent();
      }
      return model;
    };
    std::vector<const Model*> parts;
    std::ranges::transform(candidates, std::back_inserter(parts), part_of);
    std::ranges::sort(parts, {}, &Model::position);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    const Model* chosen = parts.front();
    if (parts.size() > 1 && at->select() != nullptr) {
      chosen = &CallSelect(*at, parts);
    }
    if (chosen->ops() != nullptr) {
      return network_.NumberOf(*chosen);
    }
    std::erase_if(candidates,
                  [&](const Model* model) { return part_of(model) != chosen; });
    at = static_cast<const Coupled*>(chosen);
  }
}

}  // namespace orrery::devs::internal
