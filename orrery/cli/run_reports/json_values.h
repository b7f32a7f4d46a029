#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/values/record.h"

namespace orrery::cli {

/// Keys keep their order.
using Json = nlohmann::ordered_json;

/// JSON has no number for what is not finite.
[[nodiscard]] Json NumberOrNull(double value);

/// Nothing is null; durations are seconds.
[[nodiscard]] Json ValueAsJson(const Record::Value& value);

[[nodiscard]] Json DiagnosticsAsJson(const std::vector<Diagnostic>& list);

/// The warnings among the "diagnostics" of a report in JSON; none of no report.
[[nodiscard]] std::vector<Diagnostic> StoredWarnings(const std::string& report);

/// "status": "error" and, as "message", the first that is one; null for each of
/// `keys`; "diagnostics".
[[nodiscard]] Json ErrorAsJson(const Error& error,
                               const std::vector<const char*>& keys);

/// The numbers that a run came to, as its report in JSON says; null if there is
/// none.
[[nodiscard]] Json FinalOf(const std::string& report);

/// What `Print` has written. Json::parse looks each key up among those before
/// it, which takes long where a large model has a number for each signal.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] Json ParsePrinted(const std::string& text);

/// Indented, with a newline at its end.
[[nodiscard]] std::string Print(const Json& json);

/// On one line, without its end.
[[nodiscard]] std::string PrintOnALine(const Json& json);

}  // namespace orrery::cli
