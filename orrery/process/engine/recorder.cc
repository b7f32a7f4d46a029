#include "orrery/process/run/recorder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "orrery/process/engine/saved_run.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/run/plan_progress.h"
#include "orrery/process/run/step_entries.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

Recorder::Recorder(const Records& wanted)
    : wanted_(wanted), recording_(std::make_unique<Recording>()) {}

Recorder::~Recorder() = default;

void Recorder::AddResource(const Resource& resource, bool is_sampled) {
  profile_of_.push_back(recording_->profiles.size());
  if (wanted_.profiles && is_sampled) {
    recording_->profiles.emplace_back(resource);
  }
}

void Recorder::AddSample(std::uint32_t resource,
                         Duration now,
                         Reading reading) {
  recording_->profiles[profile_of_[resource]].Add(now, std::move(reading));
}

void Recorder::AddEvent(std::uint32_t segment,
                        const EventSource& source,
                        std::size_t number) {
  recording_->events.Add(segment, source, number);
}

void Recorder::CommitEvents(Duration now,
                            std::int64_t microstep,
                            const Segments& segments,
                            std::span<const Step> steps) {
  if (!wanted_.events) {
    return;
  }
  recording_->events.Close(
      now, microstep, segments, [&](std::uint32_t segment) {
        return steps[segments.step(segment)].task->name;
      });
}

void Recorder::Annotate(std::uint32_t step, Record::Field field) {
  if (wanted_.spans) {
    annotations_.push_back({.step = step, .field = std::move(field)});
  }
}

// Spans begin in the order of steps, in which a spawning step comes before its
// tasks.
void Recorder::BeginAllSpans(Duration now,
                             const NodePool& tasks,
                             std::span<const Step> steps,
                             const PlanProgress& plan) {
  spans_of_.resize(tasks.size(), kNoIndex);
  for (const Step& step : steps) {
    const Node& task = *step.task;
    if (spans_of_[task.index] != kNoIndex || task.parent == kNoIndex) {
      continue;
    }
    const std::uint32_t parent = spans_of_[task.parent];
    if (*task.name == '\0') {
      spans_of_[task.index] = parent;  // A part of AnyOf or AllOf has no span.
      continue;
    }
    spans_of_[task.index] =
        static_cast<std::uint32_t>(recording_->spans.size());
    recording_->spans.push_back(
        {.name = std::string(ShownName(task.name)),
         .parent = parent == kNoIndex ? std::nullopt
                                      : std::optional<std::size_t>(parent),
         .begin = now});
    if (task.is_planned) {
      recording_->spans.back().attributes = plan.AttributesOf(task.index);
    }
  }
  for (Annotation& annotation : annotations_) {
    const std::uint32_t span = spans_of_[steps[annotation.step].task->index];
    recording_->spans[span].attributes.push_back(std::move(annotation.field));
  }
  annotations_.clear();
}

void Recorder::EndSpanOf(Duration now, const Node& task) {
  const std::uint32_t index = std::exchange(spans_of_[task.index], kNoIndex);
  if (index == kNoIndex || *task.name == '\0') {
    return;
  }
  Span& span = recording_->spans[index];
  span.end = now;
  span.state = task.has_failed     ? SpanEnd::kFailed
               : task.is_cancelled ? SpanEnd::kCancelled
                                   : SpanEnd::kCompleted;
}

void Recorder::UndoStep(std::uint32_t step, std::uint32_t first_segment) {
  EraseOfLastStep(annotations_, step, [](const Annotation&) { return true; });
  recording_->events.Undo(first_segment);
}

void Recorder::Renumber(std::span<const std::uint32_t> ranks,
                        std::span<const std::uint32_t> numbers) {
  recording_->events.Renumber(numbers);
  RenumberSteps(annotations_, ranks);
}

SavedRecords Recorder::Save() const {
  return {.recording = *recording_,
          .logged_effects = logged_effects_,
          .spans_of = spans_of_};
}

void Recorder::Restore(const SavedRecords& saved) {
  *recording_ = saved.recording;
  logged_effects_ = saved.logged_effects;
  spans_of_ = saved.spans_of;
  annotations_.clear();
}

}  // namespace orrery::process::internal
