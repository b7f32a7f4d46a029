#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace orrery::server {

/// Reads JSON from elsewhere, nested to kMostJsonNesting at most.
/// @throws HttpError 400 for a text that is nested deeper; the exception of the
///     library of JSON for one that is no JSON.
[[nodiscard]] nlohmann::ordered_json ParseJson(std::string_view text);

/// The same without exceptions.
/// @returns a discarded value, which is of no type, for a text that is refused.
[[nodiscard]] nlohmann::ordered_json ParseJsonIfSound(std::string_view text);

}  // namespace orrery::server
