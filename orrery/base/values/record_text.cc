#include "orrery/base/values/record_text.h"

#include <charconv>
#include <cmath>
#include <iterator>
#include <variant>

#include "orrery/base/duration.h"

namespace orrery {
namespace {

template <typename T>
void AppendNumber(std::string& line, T value) {
  char text[32];
  line.append(text, std::to_chars(std::begin(text), std::end(text), value).ptr);
}

// JSON has no infinity and no NaN.
struct ValueWriter {
  std::string& line;
  bool is_json;

  void operator()(std::monostate) const { line += is_json ? "null" : ""; }

  void operator()(bool value) const { line += value ? "true" : "false"; }

  void operator()(std::int64_t value) const { AppendNumber(line, value); }

  void operator()(double value) const {
    if (is_json && !std::isfinite(value)) {
      line += "null";
    } else {
      AppendNumber(line, value);
    }
  }

  void operator()(Duration value) const {
    if (value == Duration::max()) {
      line += is_json ? "null" : "inf";
    } else {
      line += SecondsText(value);
    }
  }

  void operator()(const std::string& value) const {
    is_json ? AppendJson(line, value) : AppendCsv(line, value);
  }
};

}  // namespace

void AppendCsv(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line.append(c == '"' ? 2 : 1, c);
  }
  line += '"';
}

void AppendJson(std::string& line, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  line += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (byte < 0x20) {
      line += "\\u00";
      line += kHex[byte >> 4U];
      line += kHex[byte & 15U];
    } else {
      line += c;
    }
  }
  line += '"';
}

void AppendCsvValue(std::string& line, const Record::Value& value) {
  std::visit(ValueWriter{.line = line, .is_json = false}, value);
}

void AppendJsonValue(std::string& line, const Record::Value& value) {
  std::visit(ValueWriter{.line = line, .is_json = true}, value);
}

}  // namespace orrery
