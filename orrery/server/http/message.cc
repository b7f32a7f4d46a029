#include "orrery/server/http/message.h"

#include <nlohmann/json.hpp>

#include "orrery/server/http/json_response.h"

namespace orrery::server {

std::optional<std::string> Request::Header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::nullopt : std::optional(found->second);
}

std::string Request::Parameter(std::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

Response ErrorResponse(const HttpError& error) {
  const nlohmann::ordered_json json = {
      {"error",
       {{"code", error.code},
        {"message", error.message},
        {"hint", error.hint},
        {"diagnostics", nlohmann::ordered_json::array()}}}};
  Response response = JsonResponse(json);
  response.status = error.status;
  return response;
}

}  // namespace orrery::server
