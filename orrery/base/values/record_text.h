#pragma once

#include <string>
#include <string_view>

#include "orrery/base/values/record.h"

namespace orrery {

/// Adds a text to a line of comma-separated values, quoted if need be.
void AppendCsv(std::string& line, std::string_view text);

/// Adds a text to JSON, in quotes.
void AppendJson(std::string& line, std::string_view text);

/// Adds a value, likewise. Durations are seconds, exactly; their greatest is
/// infinite. What JSON has no number for is null there.
void AppendCsvValue(std::string& line, const Record::Value& value);
void AppendJsonValue(std::string& line, const Record::Value& value);

}  // namespace orrery
