#include "orrery/server/studio.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/sdk/classes/version.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/http/target.h"
#include "orrery/server/routes/experiment_routes.h"
#include "orrery/server/routes/file_routes.h"
#include "orrery/server/routes/fmu_routes.h"
#include "orrery/server/routes/language_routes.h"
#include "orrery/server/routes/report_routes.h"
#include "orrery/server/routes/run_routes.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

constexpr std::chrono::milliseconds kBeat{2000};

Response Redirect(const std::string& to) {
  return {.status = 303,
          .type = "text/plain; charset=utf-8",
          .body = "",
          .headers = {{"Location", to}, {"Cache-Control", "no-store"}},
          .stream = {}};
}

// Headers that all answers have, unless they say something else.
void Complete(Response& response) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kHeaders = {
      {{"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cache-Control", "no-store"},
       {"Content-Security-Policy",
        "default-src 'none'; frame-ancestors 'none'; sandbox"}}};
  for (const auto& header : kHeaders) {
    const bool is_there = std::ranges::any_of(
        response.headers,
        [&](const auto& given) { return given.first == header.first; });
    if (!is_there) {
      response.headers.emplace_back(header.first, header.second);
    }
  }
}

// One of a limited number of streams.
class StreamPlace {
 public:
  explicit StreamPlace(std::atomic<int>& count) : count_(count) { ++count_; }

  StreamPlace(const StreamPlace&) = delete;
  StreamPlace& operator=(const StreamPlace&) = delete;

  ~StreamPlace() { --count_; }

 private:
  std::atomic<int>& count_;
};

}  // namespace

Studio::Studio(const StudioOptions& options)
    : context_(options),
      page_(options.page),
      http_({.address = options.address, .port = options.port}),
      rules_{.address = options.address,
             .port = http_.port(),
             .session = sessions_.session()},
      watch_(context_.folder.path(),
             [this](const auto& path, const auto& what) {
               context_.language.TellOfFile(path, what);
               PublishFile(path, what);
             }) {
  AddRoutes();
  AddFileRoutes(router_, context_);
  AddDraftRoutes(router_, context_);
  AddWriterRoutes(router_, context_);
  AddRunRoutes(router_, context_);
  AddLanguageRoutes(router_, context_);
  AddExperimentRoutes(router_, context_);
  AddReportRoutes(router_, context_);
  AddFmuRoutes(router_, context_);
}

Studio::~Studio() = default;

std::string Studio::NewUrl() {
  return fmt::format("{}/?token={}", rules_.origin(), sessions_.NewToken());
}

void Studio::Run() {
  http_.Run(
      [this](const Request& request) {
        std::optional<Response> refusal = Refusal(request, rules_);
        if (refusal) {
          Complete(*refusal);
        }
        return refusal;
      },
      [this](const Request& request) {
        Response response = router_.Answer(request);
        Complete(response);
        return response;
      });
}

void Studio::Stop() {
  context_.events.Close();
  http_.Stop();
}

void Studio::PublishFile(const std::string& path, const std::string& what) {
  context_.events.Publish("file",
                          PrintJson(Json{{"path", path}, {"what", what}}));
}

void Studio::AddRoutes() {
  router_.Add("GET", "/", [this](const Request& request, const Parts&) {
    return request.query.contains("token") ? Enter(request)
                                           : page_.Index(request);
  });
  router_.Add(
      "GET", "/assets/*", [this](const Request& request, const Parts& path) {
        return page_.Asset(request, path);
      });
  // The picture of the page.
  router_.Add("GET", "/{}", [this](const Request& request, const Parts& path) {
    return page_.RootFile(request, path[0]);
  });
  router_.Add(
      "POST", "/api/token", [this](const Request& request, const Parts&) {
        if (!AreEqualSecrets(request.Header("x-orrery-key").value_or(""),
                             sessions_.key())) {
          throw HttpError{.status = 401,
                          .code = "key",
                          .message =
                              "cannot give a token without the "
                              "key of this studio",
                          .hint = ""};
        }
        return Response{.type = "text/plain; charset=utf-8",
                        .body = NewUrl(),
                        .headers = {},
                        .stream = {}};
      });
  router_.Add("GET", "/api/session", [this](const Request&, const Parts&) {
    return Session();
  });
  router_.Add(
      "PUT", "/api/trust", [this](const Request& request, const Parts&) {
        context_.trust.Set(ParseJson(request.body).at("trusted").get<bool>());
        return Session();
      });
  router_.Add(
      "GET", "/api/events", [this](const Request& request, const Parts&) {
        return Stream(request);
      });
}

Response Studio::Enter(const Request& request) {
  const std::string cookie =
      CookieIn(request.Header("cookie").value_or(""), rules_.cookie());
  const bool is_in = AreEqualSecrets(cookie, rules_.session);
  if (!sessions_.Take(request.Parameter("token")) && !is_in) {
    return {.status = 403,
            .type = "text/plain; charset=utf-8",
            .body =
                "cannot open the studio: this address was used before, or "
                "is of an earlier studio; 'orrery studio --url' prints "
                "another one\n",
            .headers = {},
            .stream = {}};
  }
  Response response = Redirect("/");
  response.headers.emplace_back(
      "Set-Cookie",
      fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/",
                  rules_.cookie(),
                  rules_.session));
  return response;
}

Response Studio::Session() const {
  Json libraries = Json::array();
  for (const LibraryPlace& library : context_.options.libraries) {
    libraries.push_back({{"name", library.name},
                         {"version", library.version},
                         {"path", library.path},
                         {"readonly", true}});
  }
  return JsonResponse(Json{{"version", Version()},
                           {"folder", context_.folder.path()},
                           {"trusted", context_.trust.is_trusted()},
                           {"stores", Json::array({"orrery.db"})},
                           {"libraries", libraries},
                           {"limits",
                            {{"text", Folder::kMostBytes},
                             {"body", rules_.most_bytes},
                             {"streams", kMostStreams}}},
                           {"seq", context_.events.newest()}});
}

Response Studio::Stream(const Request& request) {
  auto place = std::make_shared<StreamPlace>(streams_);
  if (streams_ > kMostStreams) {
    throw HttpError{.status = 503,
                    .code = "streams",
                    .message = fmt::format("cannot send events to more than {} "
                                           "browsers at once",
                                           kMostStreams),
                    .hint = "close the studio in another browser"};
  }
  const std::optional<std::string> last = request.Header("last-event-id");
  // A text that is no number is none of ours: there is a gap.
  const std::uint64_t known =
      last ? static_cast<std::uint64_t>(ParseId(*last).value_or(-1))
           : context_.events.newest();
  const auto send =
      [this, place, next = known, is_begun = false](const Send& write) mutable {
        if (!is_begun) {
          is_begun = true;
          return write(fmt::format("event: hello\ndata: {{\"seq\":{}}}\n\n",
                                   context_.events.newest()));
        }
        const EventRing::Missed missed = context_.events.After(next, kBeat);
        if (context_.events.is_closed()) {
          return false;
        }
        std::string text;
        if (missed.has_gap) {
          next = context_.events.newest();
          text = fmt::format("id: {}\nevent: resync\ndata: {{}}\n\n", next);
        }
        for (const Event& event : missed.events) {
          text += StreamText(event);
          next = event.id;
        }
        return write(text.empty() ? ": beat\n\n" : text);
      };
  return {
      .type = "text/event-stream", .body = "", .headers = {}, .stream = send};
}

}  // namespace orrery::server
