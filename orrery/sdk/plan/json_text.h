#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::sdk::internal {

/// A value in a JSON text, with its place: for files that people write, to
/// point at mistakes.
struct JsonValue {
  enum class Kind : std::uint8_t {
    kNull,
    kTruth,
    kNumber,
    kText,
    kArray,
    kObject
  };

  Kind kind = Kind::kNull;
  SourceSpan span;
  /// The contents of a text; the spelling of a number or Boolean.
  std::string text;
  std::vector<JsonValue> elements;  ///< If it is an array or object.
  std::string name;                 ///< If it is a member of an object.
  SourceSpan name_span;

  /// Returns the member of an object by its name; null if there is none.
  [[nodiscard]] const JsonValue* Find(std::string_view wanted) const;
};

/// "a text", "a number", "an object", ...
[[nodiscard]] std::string_view NameOf(JsonValue::Kind kind) noexcept;

/// Parses a text by RFC 8259; values may be nested up to a hundred levels.
/// @returns nothing, with the first mistake in `diagnostics`, for a text that
///     is no JSON; duplicate names in an object are reported, too, and kept.
[[nodiscard]] std::optional<JsonValue> ParseJson(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics);

}  // namespace orrery::sdk::internal
