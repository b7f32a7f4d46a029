#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/record/event_graph.h"
#include "orrery/process/run/event_source.h"
#include "orrery/process/run/segments.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/options.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A piece of a profile: the value of a resource from `begin` until the next
/// piece begins or, for the last one, the run ends.
struct Segment {
  Duration begin{};
  Reading reading;

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A resource over time. A piece that continues the one before it is joined to
/// it.
class Profile {
 public:
  explicit Profile(const Resource& resource)
      : path_(resource.Path()), unit_(resource.unit()) {}

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }

  [[nodiscard]] std::span<const Segment> segments() const noexcept {
    return segments_;
  }

  /// The value at a time; where two pieces meet, that of the later one.
  /// @throws Error kInvalidArgument before the profile begins.
  [[nodiscard]] Reading At(Duration time) const;

  /// Adds the value from now on. The last value of an instant counts.
  void Add(Duration now, Reading reading);

 private:
  std::string path_;
  std::string unit_;
  std::vector<Segment> segments_;
};

/// The state of a task at the end of its span.
enum class SpanEnd : std::uint8_t { kOpen, kCompleted, kFailed, kCancelled };

/// The time of a task, from its first step until the task and all that it
/// spawned are over.
struct Span {
  std::string name;
  std::optional<std::size_t> parent;  ///< The span of the task that spawned it.
  Duration begin{};
  Duration end{};  ///< Valid if the task is over.
  SpanEnd state = SpanEnd::kOpen;
  std::vector<Record::Field> attributes;
};

/// An effect on a cell, or a message on a topic.
struct Event {
  std::string source;  ///< The path of the cell or topic.
  /// A description of the effect or message.
  std::vector<Record::Field> fields;
  std::string task;  ///< The name of the task that caused it.
};

/// The events that were committed together.
struct Commit {
  Duration time{};
  std::int64_t microstep = 0;
  EventGraph<Event> graph;
};

/// The events of a run by commits. They are kept as they came, and described on
/// request.
class EventLog {
 public:
  [[nodiscard]] std::size_t num_commits() const noexcept {
    return commits_.size();
  }

  [[nodiscard]] std::size_t num_events() const noexcept {
    return events_.size();
  }

  /// @throws Error kInvalidArgument if there is no commit of this number.
  [[nodiscard]] Commit At(std::size_t commit) const;

  /// Adds an event of the batch at work, not before its last one. Called by
  /// runs.
  void Add(std::uint32_t segment,
           const internal::EventSource& source,
           std::size_t number) {
    batch_.push_back(segment);
    events_.Add(
        {.source = &source, .number = static_cast<std::uint32_t>(number)});
  }

  /// Removes the events of the batch at work from a segment on. Called by runs.
  void Undo(std::uint32_t first_segment);

  /// Gives the segments of the batch at work new numbers. Called by runs.
  void Renumber(std::span<const std::uint32_t> numbers);

  /// Commits the batch. Called by runs.
  /// @param task_of returns the name of the task of a segment.
  template <typename TaskOf>
  void Close(Duration time,
             std::int64_t microstep,
             const internal::Segments& segments,
             TaskOf task_of) {
    if (batch_.empty()) {
      return;
    }
    BeginCommit(time, microstep);
    auto event = static_cast<std::uint32_t>(events_.size() - batch_.size());
    auto next = batch_.begin();
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      segments_.Add({.task = task_of(i),
                     .parent = segments.parent(i),
                     .first_event = event});
      for (; next != batch_.end() && *next == i; ++next) {
        ++event;
      }
    }
    ORRERY_CHECK(next == batch_.end());
    batch_.clear();
  }

 private:
  struct CommitEntry {
    Duration time;
    std::uint32_t microstep;
    std::uint32_t first_segment;
  };

  struct SegmentEntry {
    const char* task;
    std::uint32_t parent;  // Its number in the commit.
    std::uint32_t first_event;
  };

  struct EventEntry {
    const internal::EventSource* source;
    std::uint32_t number;
  };

  [[nodiscard]] Event EventAt(std::size_t segment, std::size_t event) const;
  void BeginCommit(Duration time, std::int64_t microstep);

  // In 32 bits: memory per event is the cost of a log.
  internal::Column<CommitEntry> commits_;
  internal::Column<SegmentEntry> segments_;
  internal::Column<EventEntry> events_;
  std::vector<std::uint32_t> batch_;  // Segments of the events at work.
};

/// The records of a run that its options asked for. Valid as long as the run.
struct Recording {
  std::vector<Profile> profiles;  ///< In the order of declaration.
  std::vector<Span> spans;        ///< Parents before their children.
  EventLog events;
};

}  // namespace orrery::process
