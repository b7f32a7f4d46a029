#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/json_nesting.h"
#include "orrery/base/time.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/json/json_values.h"

namespace orrery::sdk::internal {

[[nodiscard]] Json AsJson(const RunDocument& document);

/// @throws Error kUnsupported for a document of a newer Orrery; the exceptions
///     of Json.
[[nodiscard]] RunDocument RunDocumentOf(const Json& json);

/// Converts a value of a document to JSON, and back; `null` is no value.
template <typename T>
Json FieldAsJson(const T& value) {
  return value;
}

inline Json FieldAsJson(const Seconds& value) {
  return value.value;
}

template <typename T>
Json FieldAsJson(const std::optional<T>& value) {
  return value ? FieldAsJson(*value) : Json();
}

template <typename T>
void TakeField(const Json& json, T& value) {
  json.get_to(value);
}

inline void TakeField(const Json& json, Seconds& value) {
  value = json.get<double>();
}

template <typename T>
void TakeField(const Json& json, std::optional<T>& value) {
  TakeField(json, value.emplace());
}

/// Adds the fields of a document that differ from those of `Document()`.
/// @param for_each_field calls `field(name, value)` for each field of a
///     document that may have its default: `(Document&, field)`.
template <typename Document, typename ForEachField>
void AddFields(const Document& document,
               const ForEachField& for_each_field,
               Json& json) {
  const Document defaults{};
  std::vector<Json> default_values;
  for_each_field(defaults, [&](const char*, const auto& value) {
    default_values.push_back(FieldAsJson(value));
  });
  auto default_value = default_values.begin();
  for_each_field(document, [&](const char* name, const auto& value) {
    if (Json its = FieldAsJson(value); its != *default_value++) {
      json[name] = std::move(its);
    }
  });
}

/// Reads the fields that AddFields() has added.
template <typename Document, typename ForEachField>
void TakeFields(const Json& json,
                const ForEachField& for_each_field,
                Document& document) {
  for_each_field(document, [&](const char* name, auto& value) {
    if (const auto found = json.find(name); found != json.end()) {
      TakeField(*found, value);
    }
  });
}

/// On one line. Replaces invalid UTF-8.
[[nodiscard]] inline std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Applies `read` to the JSON in `text`.
/// @throws Error kInvalidArgument for a text that is no document.
template <typename Read>
auto ReadDocument(const std::string& text, Read read) {
  if (NestingOfJson(text) > kMostJsonNesting) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read the document of an experiment: its arrays and "
                "objects are nested too deep");
  }
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot read the document of an experiment: it is "
                            "damaged, or was written by hand: ") +
                    error.what());
  }
}

}  // namespace orrery::sdk::internal
