#include "orrery/process/record/recording.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process {

namespace {

// A reading after some time has passed.
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

void EventLog::Undo(std::uint32_t first_segment) {
  std::size_t size = events_.size();
  for (; !batch_.empty() && batch_.back() >= first_segment; --size) {
    batch_.pop_back();
  }
  events_.Truncate(size);
}

void EventLog::Renumber(std::span<const std::uint32_t> numbers) {
  const std::size_t begin = events_.size() - batch_.size();
  std::vector<std::pair<std::uint32_t, EventEntry>> batch;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    batch.emplace_back(numbers[batch_[i]], events_[begin + i]);
  }
  std::ranges::stable_sort(
      batch, {}, &std::pair<std::uint32_t, EventEntry>::first);
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    batch_[i] = batch[i].first;
    events_[begin + i] = batch[i].second;
  }
}

void EventLog::BeginCommit(Duration time, std::int64_t microstep) {
  static constexpr std::size_t kMost =
      std::numeric_limits<std::uint32_t>::max();
  ORRERY_CHECK(events_.size() <= kMost && segments_.size() <= kMost &&
               microstep <= std::int64_t{kMost});
  commits_.Add({.time = time,
                .microstep = static_cast<std::uint32_t>(microstep),
                .first_segment = static_cast<std::uint32_t>(segments_.size())});
}

Event EventLog::EventAt(std::size_t segment, std::size_t event) const {
  const EventEntry& entry = events_[event];
  Record record;
  entry.source->Describe(entry.number, record);
  return {.source = entry.source->path(),
          .fields = {record.fields().begin(), record.fields().end()},
          .task = std::string(internal::ShownName(segments_[segment].task))};
}

// Composes from the last segment to the first, so that the followers of a
// segment are complete before it is put in front of them.
Commit EventLog::At(std::size_t commit) const {
  if (commit >= commits_.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot show commit " + std::to_string(commit) +
                    ": there are " + std::to_string(commits_.size()));
  }
  const CommitEntry& entry = commits_[commit];
  const std::size_t end_segment = commit + 1 == commits_.size()
                                      ? segments_.size()
                                      : commits_[commit + 1].first_segment;
  using Graph = EventGraph<Event>;
  const std::size_t size = end_segment - entry.first_segment;
  std::vector<Graph> own(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t segment = entry.first_segment + i;
    const std::size_t end = segment + 1 == segments_.size()
                                ? events_.size() - batch_.size()
                                : segments_[segment + 1].first_event;
    for (std::size_t k = segments_[segment].first_event; k < end; ++k) {
      own[i] = Graph::Sequentially(std::move(own[i]),
                                   Graph::Atom(EventAt(segment, k)));
    }
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
