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
#include "orrery/process/run/steps.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/options.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A piece of a profile: what a resource is from a time until the next piece
/// begins or, of the last one, the run ends.
struct Segment {
  Duration begin{};
  Reading reading;

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A resource over time. Pieces that go on as the one before them are joined to
/// it, so that nothing is lost and nothing said twice.
class Profile {
 public:
  explicit Profile(const Resource& resource)
      : path_(resource.Path()), unit_(resource.unit()) {}

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  [[nodiscard]] const std::string& unit() const noexcept { return unit_; }

  [[nodiscard]] std::span<const Segment> segments() const noexcept {
    return segments_;
  }

  /// What it is at a time: of two pieces that meet there the later one.
  /// @throws Error kInvalidArgument before it begins.
  [[nodiscard]] Reading At(Duration time) const;

  /// The run says what the resource is from now on; the last word of an instant
  /// counts.
  void Add(Duration now, Reading reading);

 private:
  std::string path_;
  std::string unit_;
  std::vector<Segment> segments_;
};

/// How the time of a task ended.
enum class SpanEnd : std::uint8_t { kOpen, kCompleted, kFailed, kCancelled };

/// The time of a task, from its first step until it and all that it spawned
/// are over.
struct Span {
  std::string name;
  std::optional<std::size_t> parent;  ///< The span of who spawned it.
  Duration begin{};
  Duration end{};  ///< If it is over.
  SpanEnd state = SpanEnd::kOpen;
  std::vector<Record::Field> attributes;
};

/// An effect on a cell, or what was said on a topic.
struct Event {
  std::string source;                 ///< The path of the cell or topic.
  std::vector<Record::Field> fields;  ///< What it was.
  std::string task;                   ///< Whose it was.
};

/// What was committed together.
struct Commit {
  Duration time{};
  std::int64_t microstep = 0;
  EventGraph<Event> graph;
};

/// The events of a run by commits. They are kept as they came, and described
/// when they are asked for.
class EventLog {
 public:
  [[nodiscard]] std::size_t num_commits() const noexcept {
    return commits_.size();
  }

  [[nodiscard]] std::size_t num_events() const noexcept {
    return events_.size();
  }

  /// @throws Error kInvalidArgument if there is none of this number.
  [[nodiscard]] Commit At(std::size_t commit) const;

  /// For runs: an event of the batch at work, not before its last one.
  void Add(std::uint32_t segment,
           const internal::EventSource& source,
           std::size_t number) {
    batch_.push_back(segment);
    events_.Add(
        {.source = &source, .number = static_cast<std::uint32_t>(number)});
  }

  /// For runs: takes back the events of the batch at work from a segment on.
  void Undo(std::uint32_t first_segment);

  /// For runs: segments of the batch at work have new numbers.
  void Renumber(std::span<const std::uint32_t> numbers);

  /// For runs: the batch is committed.
  /// @param task_of gives the name of the task whose a segment is.
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
    std::uint32_t parent;  // In the commit.
    std::uint32_t first_event;
  };

  struct EventEntry {
    const internal::EventSource* source;
    std::uint32_t number;
  };

  [[nodiscard]] Event EventAt(std::size_t segment, std::size_t event) const;
  void BeginCommit(Duration time, std::int64_t microstep);

  // In 32 bits, since what is kept of each event is what a log costs.
  internal::Column<CommitEntry> commits_;
  internal::Column<SegmentEntry> segments_;
  internal::Column<EventEntry> events_;
  std::vector<std::uint32_t> batch_;  // Segments of the events at work.
};

/// What is kept of a run, as its options want it. It holds as long as the run.
struct Recording {
  std::vector<Profile> profiles;  ///< In the order of declaration.
  std::vector<Span> spans;        ///< Parents before their children.
  EventLog events;
};

}  // namespace orrery::process
