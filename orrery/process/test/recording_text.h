#pragma once

#include <string>
#include <variant>

#include "orrery/base/duration.h"
#include "orrery/process/record/recording.h"

namespace orrery::process {

/// All that is recorded, as lines: commits, spans, and profiles of numbers.
[[nodiscard]] inline std::string RecordingText(const Recording& recording) {
  std::string text;
  const EventLog& events = recording.events;
  for (std::size_t i = 0; i < events.num_commits(); ++i) {
    const Commit commit = events.At(i);
    text += "\n" + orrery::ToText(commit.time) + " " +
            commit.graph.ToText([](const Event& event) {
              return event.task + "." + event.source;
            });
  }
  for (const Span& span : recording.spans) {
    text += "\n" + span.name + " " +
            (span.parent ? std::to_string(*span.parent) : "-") + " " +
            orrery::ToText(span.begin) + " " + orrery::ToText(span.end);
  }
  for (const Profile& profile : recording.profiles) {
    for (const Segment& segment : profile.segments()) {
      text += "\n" + profile.path() + " " + orrery::ToText(segment.begin) +
              " " + ToText(std::get<Polynomial>(segment.reading));
    }
  }
  return text;
}

}  // namespace orrery::process
