#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/batch.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/segments.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/options.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

class Resource;
struct Recording;

namespace internal {

class EventSource;
class PlanProgress;
struct SavedRecords;

/// Records what the options of a run ask for: profiles of resources, spans of
/// tasks, the log of events.
class Recorder {
 public:
  explicit Recorder(const Records& wanted);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] const Recording& recording() const noexcept {
    return *recording_;
  }

  // --- Profiles.

  [[nodiscard]] bool has_profiles() const noexcept { return wanted_.profiles; }

  /// Adds the profile of a resource, if profiles are recorded and `is_sampled`.
  void AddResource(const Resource& resource, bool is_sampled);

  /// Adds a sample of a resource, from `now` on.
  void AddSample(std::uint32_t resource,
                 Duration now,
                 std::variant<Polynomial, bool, std::string> reading);

  // --- Events.

  [[nodiscard]] bool has_events() const noexcept { return wanted_.events; }

  /// The logged effects of a type.
  template <typename Effect>
  Column<Effect>& LoggedEffects() {
    std::any& column = logged_effects_[typeid(Effect)];
    if (!column.has_value()) {
      column.emplace<Column<Effect>>();
    }
    return *std::any_cast<Column<Effect>>(&column);
  }

  /// Adds an event of a segment of the batch at work.
  void AddEvent(std::uint32_t segment,
                const EventSource& source,
                std::size_t number);

  /// Commits the events of the batch.
  void CommitEvents(Duration now,
                    std::int64_t microstep,
                    const Segments& segments,
                    std::span<const Step> steps);

  // --- Spans.

  /// Adds an attribute to the span of the task of a step.
  void Annotate(std::uint32_t step, Record::Field field);

  /// Begins the spans of the tasks whose first step is in the batch, and adds
  /// the attributes.
  void BeginSpans(Duration now,
                  const NodePool& tasks,
                  std::span<const Step> steps,
                  const PlanProgress& plan) {
    if (wanted_.spans) {
      BeginAllSpans(now, tasks, steps, plan);
    }
  }

  /// Ends the span of a task: it and all that it spawned is over.
  void EndSpan(Duration now, const Node& task) {
    if (wanted_.spans) {
      EndSpanOf(now, task);
    }
  }

  // --- Batches and snapshots.

  /// Drops what the last step has added.
  /// @param first_segment the first of its segments.
  void UndoStep(std::uint32_t step, std::uint32_t first_segment);

  /// Gives steps and segments other numbers.
  void Renumber(std::span<const std::uint32_t> ranks,
                std::span<const std::uint32_t> numbers);

  [[nodiscard]] SavedRecords Save() const;
  void Restore(const SavedRecords& saved);

 private:
  // An attribute that a step adds to the span of its task.
  struct Annotation {
    std::uint32_t step = kNoIndex;
    Record::Field field;
  };

  void BeginAllSpans(Duration now,
                     const NodePool& tasks,
                     std::span<const Step> steps,
                     const PlanProgress& plan);
  void EndSpanOf(Duration now, const Node& task);

  Records wanted_;
  std::unique_ptr<Recording> recording_;
  LoggedEffectsByType logged_effects_;
  std::vector<std::size_t> profile_of_;  // By resource, if it has one.
  std::vector<std::uint32_t> spans_of_;  // By task.
  std::vector<Annotation> annotations_;  // Made in the batch at work.
};

}  // namespace internal
}  // namespace orrery::process
