#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "orrery/base/diagnostic.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/values/record.h"

namespace orrery::sdk::internal {

/// Keys keep their order.
using Json = nlohmann::ordered_json;

/// Null for a value that is not finite, for which JSON has no number.
[[nodiscard]] Json NumberOrNull(double value);

/// Likewise, an array.
[[nodiscard]] Json NumbersAsJson(const std::vector<double>& values);

/// Reads the output of NumberOrNull.
/// @param missing the value of null.
[[nodiscard]] double NumberFrom(const Json& json, double missing = kNaN);

/// Null for no value; durations are seconds.
[[nodiscard]] Json ValueAsJson(const Record::Value& value);

[[nodiscard]] Json DiagnosticsAsJson(const std::vector<Diagnostic>& list);

/// Reads the output of `Print`. Json::parse compares each key with the keys
/// before it, which takes long for a large model with a number for each signal.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] Json ParsePrinted(const std::string& text);

/// Indented, with a newline at its end.
[[nodiscard]] std::string Print(const Json& json);

/// On one line, without its end.
[[nodiscard]] std::string PrintOnALine(const Json& json);

}  // namespace orrery::sdk::internal
