#pragma once

#include <span>
#include <string>
#include <string_view>

#include "orrery/process/record/recording.h"

namespace orrery {

/// The attachment of an experiment that holds the spans of tasks, in JSON.
inline constexpr const char* kSpansAttachment = "spans.json";

/// Writes the times of tasks to a file: .csv or .json, a row or object each
/// with `span` (its number), `parent`, `name`, `begin`, `end` (both in seconds;
/// the end of an open one is empty or null), `state` and `attributes`. The file
/// appears complete or not at all.
/// @throws Error kInvalidArgument for another ending, kIo if the file cannot be
///     written.
void WriteSpans(const std::string& path, std::span<const process::Span> spans);

/// The same in JSON as a text.
[[nodiscard]] std::string SpansAsJson(std::span<const process::Span> spans);

/// Writes the event graph of a run to a file: .csv or .json, a row or object
/// each with `time` in seconds, `microstep`, `level`, `join`, `source`, `task`
/// and `fields`: see process::EventRow.
/// @throws Error as WriteSpans.
void WriteEvents(const std::string& path, const process::EventLog& events);

/// The same for the recorded commits of a run.
void WriteEvents(const std::string& path,
                 std::span<const process::Commit> commits);

/// Finds out whether such a file can be written; changes nothing.
/// @throws Error as WriteSpans.
void CheckRecordFile(const std::string& path);

/// "open", "completed", "failed" or "cancelled".
[[nodiscard]] std::string_view Describe(process::SpanEnd end) noexcept;

}  // namespace orrery
