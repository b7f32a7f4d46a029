#include "orrery/server/studio.h"

#include <unistd.h>

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

// Of this machine; models that need more end, before the machine stands still.
std::size_t HalfOfMemory() {
  constexpr std::size_t kLeast = std::size_t{2} << 30U;
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::max(kLeast, pages * size / 2);
}

// Events of a studio have numbers above those of the studios before it: a page
// that knew one of those learns that it has missed some. None publishes a
// thousand a second all its life.
std::uint64_t NumberBeforeTheFirstEvent() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now().time_since_epoch())
          .count());
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
    : options_(options),
      folder_(options.folder),
      drafts_(options.state, folder_.path()),
      page_(options.page),
      trust_(options.programs + "/orrery", folder_.path()),
      events_(EventRing::kCapacity,
              EventRing::kMostBytes,
              NumberBeforeTheFirstEvent()),
      runs_({.command = options.programs + "/orrery",
             .folder = folder_.path(),
             .most_memory = HalfOfMemory()},
            events_),
      language_({.argv = options.language_server.empty()
                             ? std::vector{options.programs + "/orrery-lsp"}
                             : options.language_server,
                 .folder = folder_.path()},
                events_),
      results_(folder_.path() + "/orrery.db"),
      traces_(results_),
      plans_({.command = options.programs + "/orrery",
              .folder = folder_.path(),
              .most_memory = HalfOfMemory()}),
      http_({.address = options.address, .port = options.port}),
      rules_{.address = options.address,
             .port = http_.port(),
             .session = sessions_.session()},
      watch_(folder_.path(), [this](const auto& path, const auto& what) {
        language_.TellOfFile(path, what);
        PublishFile(path, what);
      }) {
  AddRoutes();
  AddFileRoutes();
  AddDraftRoutes();
  AddWriterRoutes();
  AddRunRoutes();
  AddLanguageRoutes();
  AddExperimentRoutes();
  AddReportRoutes();
  AddFmuRoutes();
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
  events_.Close();
  http_.Stop();
}

void Studio::PublishFile(const std::string& path, const std::string& what) {
  events_.Publish("file", PrintJson(Json{{"path", path}, {"what", what}}));
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
        trust_.Set(ParseJson(request.body).at("trusted").get<bool>());
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
  for (const LibraryPlace& library : options_.libraries) {
    libraries.push_back({{"name", library.name},
                         {"version", library.version},
                         {"path", library.path},
                         {"readonly", true}});
  }
  return JsonResponse(Json{{"version", Version()},
                           {"folder", folder_.path()},
                           {"trusted", trust_.is_trusted()},
                           {"stores", Json::array({"orrery.db"})},
                           {"libraries", libraries},
                           {"limits",
                            {{"text", Folder::kMostBytes},
                             {"body", rules_.most_bytes},
                             {"streams", kMostStreams}}},
                           {"seq", events_.newest()}});
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
           : events_.newest();
  const auto send =
      [this, place, next = known, is_begun = false](const Send& write) mutable {
        if (!is_begun) {
          is_begun = true;
          return write(fmt::format("event: hello\ndata: {{\"seq\":{}}}\n\n",
                                   events_.newest()));
        }
        const EventRing::Missed missed = events_.After(next, kBeat);
        if (events_.is_closed()) {
          return false;
        }
        std::string text;
        if (missed.has_gap) {
          next = events_.newest();
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
