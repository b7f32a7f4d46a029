#include "orrery/server/http/json_response.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace orrery::server {

std::string PrintJson(const nlohmann::ordered_json& json) {
  return json.dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Response JsonResponse(std::string text) {
  return {.body = std::move(text), .headers = {}, .stream = {}};
}

Response JsonResponse(const nlohmann::ordered_json& json) {
  return JsonResponse(PrintJson(json));
}

Response NoContent() {
  return {.status = 204, .type = "", .headers = {}, .stream = {}};
}

}  // namespace orrery::server
