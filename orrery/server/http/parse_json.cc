#include "orrery/server/http/parse_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/text/json_nesting.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json ParseJson(std::string_view text) {
  if (NestingOfJson(text) > kMostJsonNesting) {
    throw HttpError{
        .status = 400,
        .code = "json",
        .message = fmt::format("cannot read the request: its arrays and "
                               "objects are nested more than {} deep",
                               kMostJsonNesting),
        .hint = ""};
  }
  return Json::parse(text);
}

Json ParseJsonIfSound(std::string_view text) {
  return NestingOfJson(text) > kMostJsonNesting
             ? Json(Json::value_t::discarded)
             : Json::parse(text, nullptr, false);
}

}  // namespace orrery::server
