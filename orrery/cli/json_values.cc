#include "orrery/cli/internal/json_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include <nlohmann/json.hpp>

namespace orrery::cli {
namespace {

struct JsonOfValue {
  Json operator()(std::monostate /*none*/) const { return nullptr; }

  Json operator()(bool value) const { return value; }

  Json operator()(std::int64_t value) const { return value; }

  Json operator()(double value) const { return NumberOrNull(value); }

  Json operator()(Duration value) const { return Seconds(value).value; }

  Json operator()(const std::string& value) const { return value; }
};

}  // namespace

Json NumberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json ValueAsJson(const Record::Value& value) {
  return std::visit(JsonOfValue(), value);
}

Json DiagnosticsAsJson(const std::vector<Diagnostic>& list) {
  Json array = Json::array();
  for (const Diagnostic& diagnostic : list) {
    array.push_back({{"severity", NameOf(diagnostic.severity)},
                     {"message", diagnostic.message},
                     {"hint", diagnostic.hint},
                     {"path", diagnostic.path},
                     {"file", diagnostic.file},
                     {"line", diagnostic.line},
                     {"column", diagnostic.column}});
  }
  return array;
}

std::vector<Diagnostic> StoredWarnings(const std::string& report) {
  std::vector<Diagnostic> warnings;
  const Json json = report.empty() ? Json::object() : Json::parse(report);
  for (const Json& told : json.value("diagnostics", Json::array())) {
    if (told.at("severity") == NameOf(Severity::kWarning)) {
      warnings.push_back({.severity = Severity::kWarning,
                          .message = told.at("message"),
                          .hint = told.at("hint"),
                          .path = told.at("path"),
                          .file = told.at("file"),
                          .line = told.at("line"),
                          .column = told.at("column")});
    }
  }
  return warnings;
}

Json ErrorAsJson(const Error& error, const std::vector<const char*>& keys) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  if (diagnostics.empty()) {
    diagnostics.push_back({.message = error.what()});
  }
  const auto first =
      std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  Json json = {
      {"status", "error"},
      {"message", first == diagnostics.end() ? error.what() : first->message}};
  for (const char* key : keys) {
    json[key] = nullptr;
  }
  json["diagnostics"] = DiagnosticsAsJson(diagnostics);
  return json;
}

Json FinalOf(const std::string& report) {
  return report.empty() ? Json() : Json::parse(report).value("final", Json());
}

// Names and texts may hold bytes that are not UTF-8.
std::string Print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace orrery::cli
