#include "orrery/compile/emit/step_search.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::compile::internal {

std::span<const Expr> FormulasOf(const Step& step) {
  return step.equation != nullptr ? std::span(&step.equation->value, 1)
                                  : std::span(step.loop->residuals);
}

StepSearch::StepSearch(System& system, std::span<const Step> steps)
    : system_(system),
      steps_(steps),
      step_of_(system.scalars.size(), kNone),
      found_in_(steps.size(), 0) {
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].equation != nullptr) {
      step_of_[steps[i].equation->scalar] = i;
      continue;
    }
    for (const std::uint32_t scalar : steps[i].loop->torn) {
      step_of_[scalar] = i;
    }
  }
}

std::vector<std::uint32_t> StepSearch::For(std::vector<std::uint32_t> scalars) {
  ++search_;
  std::vector<std::uint32_t> found;
  while (!scalars.empty()) {
    const std::uint32_t step = step_of_[scalars.back()];
    scalars.pop_back();
    if (step == kNone || found_in_[step] == search_) {
      continue;
    }
    found_in_[step] = search_;
    found.push_back(step);
    const auto inside = system_.walk.Scalars(FormulasOf(steps_[step]));
    scalars.insert(scalars.end(), inside.begin(), inside.end());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<bool> FindNeeded(System& system,
                             std::span<const Step> steps,
                             std::span<const std::uint32_t> scalars) {
  std::vector<bool> is_needed(steps.size());
  StepSearch search(system, steps);
  for (const std::uint32_t i : search.For({scalars.begin(), scalars.end()})) {
    is_needed[i] = true;
  }
  return is_needed;
}

}  // namespace orrery::compile::internal
