#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace orrery::process::internal {

/// Erases the entries of the last step for which `is_undone` is true.
/// @param all what steps of a batch asked for, in the order of the steps.
template <typename T, typename Predicate>
void EraseOfLastStep(std::vector<T>& all,
                     std::uint32_t step,
                     Predicate is_undone) {
  auto first = all.end();
  while (first != all.begin() && std::prev(first)->step == step) {
    --first;
  }
  all.erase(std::remove_if(first, all.end(), is_undone), all.end());
}

/// Gives the steps of the entries other numbers, and sorts by these.
/// @param ranks by step.
template <typename T>
void RenumberSteps(std::vector<T>& all, std::span<const std::uint32_t> ranks) {
  for (T& entry : all) {
    entry.step = ranks[entry.step];
  }
  std::ranges::stable_sort(all, {}, &T::step);
}

}  // namespace orrery::process::internal
