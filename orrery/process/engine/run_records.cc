#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/process/model/resource.h"
#include "orrery/process/plan/agenda.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/run/run.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

std::uint32_t Run::AddResource(Resource& resource) {
  resources_.push_back({.resource = &resource});
  if (!resource.takes_samples) {
    MarkChanged(resource);
  } else if (options_.records.profiles) {
    resources_.back().profile = recording_->profiles.size();
    recording_->profiles.emplace_back(resource);
    MarkChanged(resource);
  }
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

void Run::AddSample(std::uint32_t resource, Reading reading) {
  ++statistics_.samples;
  recording_->profiles[resources_[resource].profile].Add(now_,
                                                         std::move(reading));
}

void Run::SampleLater(std::uint32_t resource, Duration delay) {
  std::uint32_t& stamp = resources_[resource].stamp;
  DropEntry(stamp);
  stamp = AddEntry(TimeAfter(delay), resource | kResourceBit);
}

void Run::SampleResources() {
  for (Dependent* resource : changed_resources_) {
    resource->is_changed = false;
    resource->Evaluate(*this);
  }
  changed_resources_.clear();
}

bool Run::LogEvent(const EventSource& source, std::size_t number) {
  if (nodes_->run == nullptr) {
    return false;
  }
  CheckInStep("speak on '" + source.path() + "'");
  CountOperation();
  if (!options_.records.events || replay_ != nullptr) {
    return false;
  }
  LogEvent(OpenSegment(), source, number);
  return true;
}

void Run::LogEvent(std::uint32_t segment,
                   const EventSource& source,
                   std::size_t number) {
  recording_->events.Add(segment, source, number);
}

void Run::RecordCommit() {
  if (!options_.records.events || segments_.size() == 0) {
    return;
  }
  recording_->events.Close(
      now_, microstep_, segments_, [this](std::uint32_t segment) {
        return steps_[segments_.step(segment)].task->name;
      });
}

void Run::Annotate(Record::Field field) {
  CheckInStep("annotate a task");
  if (options_.records.spans && replay_ == nullptr) {
    annotations_.push_back({.step = step_, .field = std::move(field)});
  }
}

// Spans begin in the order of steps, in which a spawning step comes before its
// tasks.
void Run::BeginSpans() {
  spans_of_.resize(nodes_->size(), kNoIndex);
  for (const internal::Step& step : steps_) {
    const Node& node = *step.task;
    if (spans_of_[node.index] != kNoIndex || node.parent == kNoIndex) {
      continue;
    }
    const std::uint32_t parent = spans_of_[node.parent];
    if (*node.name == '\0') {
      spans_of_[node.index] = parent;  // A part of AnyOf or AllOf has no span.
      continue;
    }
    spans_of_[node.index] =
        static_cast<std::uint32_t>(recording_->spans.size());
    recording_->spans.push_back(
        {.name = std::string(ShownName(node.name)),
         .parent = parent == kNoIndex ? std::nullopt
                                      : std::optional<std::size_t>(parent),
         .begin = now_});
    if (node.is_planned) {
      recording_->spans.back().attributes =
          agenda_->entries[planned_.at(node.index)].attributes;
    }
  }
  for (Annotation& annotation : annotations_) {
    const std::uint32_t span = spans_of_[steps_[annotation.step].task->index];
    recording_->spans[span].attributes.push_back(std::move(annotation.field));
  }
  annotations_.clear();
}

void Run::EndSpan(const Node& node) {
  const std::uint32_t index = std::exchange(spans_of_[node.index], kNoIndex);
  if (index == kNoIndex || *node.name == '\0') {
    return;
  }
  Span& span = recording_->spans[index];
  span.end = now_;
  span.state = node.has_failed     ? SpanEnd::kFailed
               : node.is_cancelled ? SpanEnd::kCancelled
                                   : SpanEnd::kCompleted;
}

}  // namespace orrery::process::internal
