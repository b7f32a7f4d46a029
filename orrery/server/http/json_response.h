#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "orrery/server/http/message.h"

namespace orrery::server {

/// On one line. Bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string PrintJson(const nlohmann::ordered_json& json);

/// An answer with a text of JSON.
[[nodiscard]] Response JsonResponse(std::string text);
[[nodiscard]] Response JsonResponse(const nlohmann::ordered_json& json);

/// An answer that says no more than that it is done.
[[nodiscard]] Response NoContent();

}  // namespace orrery::server
