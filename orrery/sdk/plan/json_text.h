#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::internal {

/// A value in a JSON text, with where it stands: for files that people write,
/// whose mistakes are to be pointed at.
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
  /// What a text says; of numbers and truths how they are written.
  std::string text;
  std::vector<JsonValue> elements;  ///< Of an array or object.
  std::string name;                 ///< Of what is in an object.
  SourceSpan name_span;

  /// What an object has under a name; null if nothing.
  [[nodiscard]] const JsonValue* Find(std::string_view wanted) const;
};

/// "a text", "a number", "an object", ...
[[nodiscard]] std::string_view NameOf(JsonValue::Kind kind) noexcept;

/// The value that a text is, by RFC 8259; what is nested deeper than a hundred
/// times is refused.
/// @returns none, with the first mistake in `diagnostics`, for what is no JSON;
///     names that come twice in an object are told, too, and kept.
[[nodiscard]] std::optional<JsonValue> ParseJson(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics);

}  // namespace orrery::internal
