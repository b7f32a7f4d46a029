#include "orrery/devs/engine/router.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace orrery::devs::internal {

// A list gets at most one segment from each of its outputs.
void Router::LayOut() {
  mail_ = {};
  mail_.outputs.resize(network_.num_outputs());
  mail_.lists.resize(network_.num_lists());
  for (std::uint32_t source = 0;
       source < network_.num_outputs() + network_.num_lists();
       ++source) {
    for (const Network::Place place : network_.places(source)) {
      ++mail_.lists[place.list].capacity;
    }
  }
  std::uint32_t size = 0;
  std::size_t num_levels = 0;
  for (std::uint32_t i = 0; i < network_.num_lists(); ++i) {
    mail_.lists[i].first = size;
    size += mail_.lists[i].capacity;
    num_levels =
        std::max<std::size_t>(num_levels, network_.level_of_list(i) + 1);
  }
  mail_.segments.resize(size);
  filled_.resize(num_levels);
}

std::int64_t Router::Deliver(std::span<const std::uint32_t> sent) {
  num_arrived_ = 0;
  for (const std::uint32_t output : sent) {
    const Segment segment = mail_.outputs[output];
    Reach(output, segment.count);
    for (const Network::Place place : network_.places(output)) {
      Append(place, segment);
    }
  }
  for (std::size_t level = 1; level < filled_.size(); ++level) {
    SortLists();
    for (const std::uint32_t number : filled_[level]) {
      DeliverList(number);
    }
  }
  SortLists();
  return num_arrived_;
}

void Router::DeliverList(std::uint32_t number) {
  const SegmentList list = mail_.lists[number];
  const std::uint32_t source = network_.num_outputs() + number;
  Reach(source, list.num_messages);
  for (const Network::Place place : network_.places(source)) {
    // Appending may move segments.
    for (std::uint32_t i = 0; i < list.count; ++i) {
      Append(place, mail_.segments[list.first + i]);
    }
  }
}

void Router::Append(Network::Place place, Segment segment) {
  SegmentList& list = mail_.lists[place.list];
  if (list.count == 0) {
    filled_[network_.level_of_list(place.list)].push_back(place.list);
  } else if (mail_.SegmentsOf(list).back().capacity > place.position) {
    unsorted_.push_back(place.list);
  }
  if (place.receiver != Network::kNothing) {
    num_arrived_ += segment.count;
    Receive(place.receiver);
  }
  segment.capacity = place.position;
  mail_.Append(list, segment);
}

// Sorts by place, and keeps the order of messages from one place.
// (std::stable_sort allocates.)
void Router::SortLists() {
  std::ranges::sort(unsorted_);
  unsorted_.erase(std::unique(unsorted_.begin(), unsorted_.end()),
                  unsorted_.end());
  for (const std::uint32_t list : unsorted_) {
    const std::span<Segment> segments = mail_.SegmentsOf(mail_.lists[list]);
    sorted_.clear();
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      sorted_.emplace_back(i, segments[i]);
    }
    std::ranges::sort(sorted_, {}, [](const auto& entry) {
      return std::pair(entry.second.capacity, entry.first);
    });
    for (std::size_t i = 0; i < segments.size(); ++i) {
      segments[i] = sorted_[i].second;
    }
  }
  unsorted_.clear();
}

bool Router::has_exits() const {
  return std::ranges::any_of(
      network_.source_of_exits(), [&](std::uint32_t source) {
        return source != Network::kNothing &&
               (source < network_.num_outputs()
                    ? mail_.outputs[source].count > 0
                    : mail_.lists[source - network_.num_outputs()].count > 0);
      });
}

void Router::Clear(std::span<const std::uint32_t> sent) {
  receivers_.clear();
  for (auto& lists : filled_) {
    for (const std::uint32_t list : lists) {
      mail_.lists[list].count = 0;
      mail_.lists[list].num_messages = 0;
    }
    lists.clear();
  }
  for (const std::uint32_t output : sent) {
    mail_.outputs[output] = {};
  }
}

}  // namespace orrery::devs::internal
