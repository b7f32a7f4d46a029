#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "orrery/process/internal/steps.h"

namespace orrery::process::internal {

std::span<const std::uint32_t> Segments::Renumber(
    std::span<const std::uint32_t> ranks) {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(
      order, {}, [&](std::uint32_t s) { return ranks[steps_[s]]; });
  numbers_.resize(size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    numbers_[order[i]] = i;
  }
  std::vector<std::uint32_t> parents(size());
  std::vector<std::uint32_t> steps(size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t parent = parents_[order[i]];
    parents[i] = parent == kNoIndex ? kNoIndex : numbers_[parent];
    steps[i] = ranks[steps_[order[i]]];
  }
  parents_ = std::move(parents);
  steps_ = std::move(steps);
  return numbers_;
}

bool Segments::MarkPath(std::uint32_t tip, std::uint32_t stop) {
  marks_.resize(std::max<std::size_t>(marks_.size(), size()));
  for (std::uint32_t at = tip; at != kNoIndex; at = parents_[at]) {
    marks_[at] = 1;
    path_.push_back(at);
    if (at == stop) {
      return true;
    }
  }
  return false;
}

void Segments::UnmarkPath() {
  for (const std::uint32_t segment : path_) {
    marks_[segment] = 0;
  }
  path_.clear();
}

std::span<const std::uint32_t> Segments::FindNearest() {
  marks_.resize(std::max<std::size_t>(marks_.size(), size()));
  for (std::uint32_t i = 0; i < involved.size(); ++i) {
    marks_[involved[i]] = i + 1;
  }
  nearest_.clear();
  for (const std::uint32_t segment : involved) {
    std::uint32_t at = parents_[segment];
    while (at != kNoIndex && marks_[at] == 0) {
      at = parents_[at];
    }
    nearest_.push_back(at == kNoIndex ? kNoIndex : marks_[at] - 1);
  }
  for (const std::uint32_t segment : involved) {
    marks_[segment] = 0;
  }
  return nearest_;
}

}  // namespace orrery::process::internal
