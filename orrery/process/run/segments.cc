#include "orrery/process/run/segments.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace orrery::process::internal {

std::span<const std::uint32_t> Segments::Renumber(
    std::span<const std::uint32_t> ranks) {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(
      order, {}, [&](std::uint32_t s) { return ranks[segments_[s].step]; });
  numbers_.resize(size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    numbers_[order[i]] = i;
  }
  std::vector<Segment> segments;
  segments.reserve(size());
  for (const std::uint32_t i : order) {
    const auto [parent, step] = segments_[i];
    segments.push_back(
        {.parent = parent == kNoIndex ? kNoIndex : numbers_[parent],
         .step = ranks[step]});
  }
  segments_ = std::move(segments);
  return numbers_;
}

bool Segments::MarkPath(std::uint32_t tip, std::uint32_t stop) {
  marks_.resize(std::max<std::size_t>(marks_.size(), size()));
  for (std::uint32_t at = tip; at != kNoIndex; at = parent(at)) {
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
    std::uint32_t at = parent(segment);
    while (at != kNoIndex && marks_[at] == 0) {
      at = parent(at);
    }
    nearest_.push_back(at == kNoIndex ? kNoIndex : marks_[at] - 1);
  }
  for (const std::uint32_t segment : involved) {
    marks_[segment] = 0;
  }
  return nearest_;
}

}  // namespace orrery::process::internal
