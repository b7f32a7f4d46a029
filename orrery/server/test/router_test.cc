#include "orrery/server/http/router.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"

namespace orrery::server {
namespace {

Request Get(std::vector<std::string> path) {
  return {.method = "GET",
          .target = "",
          .headers = {},
          .path = std::move(path),
          .query = {},
          .body = ""};
}

Response Text(std::string text) {
  return {.body = std::move(text), .headers = {}, .stream = {}};
}

TEST(RouterTest, FindsTheRouteAndItsParts) {
  Router router;
  router.Add("GET",
             "/api/experiments/{}/{}/data",
             [](const Request&, const Router::Parts& parts) {
               return Text(parts.at(0) + "." + parts.at(1));
             });
  EXPECT_EQ(router.Answer(Get({"api", "experiments", "41", "3", "data"})).body,
            "41.3");
}

TEST(RouterTest, GivesTheRestOfAPath) {
  Router router;
  router.Add("GET", "/assets/*", [](const Request&, const auto& parts) {
    return Text(std::to_string(parts.size()) + parts.back());
  });
  EXPECT_EQ(router.Answer(Get({"assets", "fonts", "a.woff2"})).body,
            "2a.woff2");
}

TEST(RouterTest, TellsAnUnknownPathFromAnUnknownMethod) {
  Router router;
  router.Add(
      "POST", "/api/runs", [](const auto&, const auto&) { return Text(""); });
  EXPECT_EQ(router.Answer(Get({"api", "runs"})).status, 405);
  EXPECT_EQ(router.Answer(Get({"api", "run"})).status, 404);
  EXPECT_EQ(router.Answer(Get({"api", "runs", "7"})).status, 404);
  EXPECT_EQ(router.Answer(Get({})).status, 404);
}

TEST(RouterTest, TakesHeadForGet) {
  Router router;
  router.Add("GET", "/", [](const auto&, const auto&) { return Text("x"); });
  Request head = Get({});
  head.method = "HEAD";
  EXPECT_EQ(router.Answer(head).status, 200);
}

TEST(RouterTest, TellsErrorsOfHandlersAsJson) {
  Router router;
  router.Add("GET", "/http", [](const auto&, const auto&) -> Response {
    throw HttpError{
        .status = 409, .code = "taken", .message = "cannot: so", .hint = "do"};
  });
  router.Add("GET", "/orrery", [](const auto&, const auto&) -> Response {
    throw Error(ErrorCode::kInvalidArgument, "cannot \xff");
  });
  router.Add("GET", "/json", [](const auto&, const auto&) -> Response {
    return Text(nlohmann::json::parse("{").dump());
  });
  const Response conflict = router.Answer(Get({"http"}));
  EXPECT_EQ(conflict.status, 409);
  EXPECT_EQ(conflict.body,
            "{\"error\":{\"code\":\"taken\",\"message\":\"cannot: so\","
            "\"hint\":\"do\",\"diagnostics\":[]}}");
  EXPECT_EQ(router.Answer(Get({"orrery"})).status, 400);
  EXPECT_EQ(router.Answer(Get({"json"})).status, 400);
}

TEST(RouterTest, ReadsCountsOfTheQuery) {
  Request request = Get({});
  request.query = {{"limit", "5"}, {"offset", "-1"}};
  EXPECT_EQ(CountIn(request, "limit", 200), 5);
  EXPECT_EQ(CountIn(request, "other", 200), 200);
  EXPECT_THROW(static_cast<void>(CountIn(request, "offset", 0)), HttpError);
}

}  // namespace
}  // namespace orrery::server
