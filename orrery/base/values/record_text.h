#pragma once

#include <string>
#include <string_view>

#include "orrery/base/values/record.h"

namespace orrery {

/// Appends a text to a line of comma-separated values, quoted if necessary.
void AppendCsv(std::string& line, std::string_view text);

/// Appends a text to JSON, in quotes.
void AppendJson(std::string& line, std::string_view text);

/// Append a value, likewise. Durations are exact seconds; their maximum is
/// infinite. JSON has null instead of numbers that are not finite.
void AppendCsvValue(std::string& line, const Record::Value& value);
void AppendJsonValue(std::string& line, const Record::Value& value);

}  // namespace orrery
