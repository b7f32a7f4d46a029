#include "orrery/process/recording.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/internal/shown_name.h"

namespace orrery::process {

namespace {

// What a reading has become when time has passed.
Reading After(const Reading& reading, Duration time) {
  const auto* const curve = std::get_if<Polynomial>(&reading);
  return curve == nullptr ? reading : Reading(curve->Shifted(time));
}

}  // namespace

Reading Profile::At(Duration time) const {
  const auto next =
      std::ranges::upper_bound(segments_, time, {}, &Segment::begin);
  if (next == segments_.begin()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell what '" + path_ + "' is at " +
                    orrery::ToText(time) + ": its profile begins later");
  }
  const Segment& segment = *std::prev(next);
  return After(segment.reading, time - segment.begin);
}

void Profile::Add(Duration now, Reading reading) {
  if (!segments_.empty() && segments_.back().begin == now) {
    segments_.pop_back();
  }
  if (!segments_.empty()) {
    const Segment& last = segments_.back();
    if (After(last.reading, now - last.begin) == reading) {
      return;
    }
  }
  segments_.push_back({.begin = now, .reading = std::move(reading)});
}

void EventLog::Renumber(std::span<const std::uint32_t> numbers) {
  std::vector<EventEntry> batch;
  for (std::size_t i = events_end_; i < events_.size(); ++i) {
    batch.push_back(events_[i]);
    batch.back().segment = numbers[batch.back().segment];
  }
  std::ranges::stable_sort(batch, {}, &EventEntry::segment);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    events_[events_end_ + i] = batch[i];
  }
}

// From the last segment to the first, so that what follows one is known before
// it is put in front.
Commit EventLog::At(std::size_t commit) const {
  if (commit >= commits_.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot show commit " + std::to_string(commit) +
                    ": there are " + std::to_string(commits_.size()));
  }
  const CommitEntry& entry = commits_[commit];
  const bool is_last = commit + 1 == commits_.size();
  const std::size_t end_segment =
      is_last ? segments_.size() : commits_[commit + 1].first_segment;
  const std::size_t end_event =
      is_last ? events_end_ : commits_[commit + 1].first_event;

  using Graph = EventGraph<Event>;
  const std::size_t size = end_segment - entry.first_segment;
  std::vector<Graph> own(size);
  for (std::size_t i = entry.first_event; i < end_event; ++i) {
    const EventEntry& event = events_[i];
    Record record;
    event.source->Describe(event.number, record);
    Graph& graph = own[event.segment];
    graph = Graph::Sequentially(
        std::move(graph),
        Graph::Atom(
            {.source = event.source->path(),
             .fields = {record.fields().begin(), record.fields().end()},
             .task = std::string(internal::ShownName(
                 segments_[entry.first_segment + event.segment].task))}));
  }
  Commit result{.time = entry.time, .microstep = entry.microstep, .graph = {}};
  std::vector<Graph> after(size);
  for (std::size_t i = size; i-- > 0;) {
    Graph graph = Graph::Sequentially(std::move(own[i]), std::move(after[i]));
    const std::uint32_t parent = segments_[entry.first_segment + i].parent;
    Graph& beside = parent == internal::kNoIndex ? result.graph : after[parent];
    beside = Graph::Concurrently(std::move(graph), std::move(beside));
  }
  return result;
}

}  // namespace orrery::process
