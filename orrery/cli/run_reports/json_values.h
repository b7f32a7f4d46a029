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

/// Null for a value that is not finite, for which JSON has no number.
[[nodiscard]] Json NumberOrNull(double value);

/// Null for no value; durations are seconds.
[[nodiscard]] Json ValueAsJson(const Record::Value& value);

[[nodiscard]] Json DiagnosticsAsJson(const std::vector<Diagnostic>& list);

/// The warnings among the "diagnostics" of a report in JSON; none without a
/// report.
[[nodiscard]] std::vector<Diagnostic> StoredWarnings(const std::string& report);

/// "status": "error"; the first error as "message"; null for each of `keys`;
/// "diagnostics".
[[nodiscard]] Json ErrorAsJson(const Error& error,
                               const std::vector<const char*>& keys);

/// The results of a run, from its report in JSON; null if there is none.
[[nodiscard]] Json FinalOf(const std::string& report);

/// Reads the output of `Print`. Json::parse compares each key with the keys
/// before it, which takes long for a large model with a number for each signal.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] Json ParsePrinted(const std::string& text);

/// Indented, with a newline at its end.
[[nodiscard]] std::string Print(const Json& json);

/// On one line, without its end.
[[nodiscard]] std::string PrintOnALine(const Json& json);

}  // namespace orrery::cli
