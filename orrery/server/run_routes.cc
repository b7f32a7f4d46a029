#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/server/http/json_response.h"
#include "orrery/server/http/or_missing.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/results/stored_code.h"
#include "orrery/server/runs/run_request.h"
#include "orrery/server/studio.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

[[noreturn]] void FailUnknown(long long id) {
  throw HttpError{.status = 404,
                  .code = "missing",
                  .message = fmt::format("cannot find run {}", id),
                  .hint = ""};
}

[[noreturn]] void FailUntrusted(const std::string& what) {
  throw HttpError{
      .status = 403,
      .code = "trust",
      .message =
          "cannot run " + what + ": it is code, and this folder is not trusted",
      .hint = "trust the folder, if you know who has made what is in it"};
}

}  // namespace

// A store may come from anybody, as the models do: its record names any file as
// the code to run.
void Studio::CheckTrustOf(const RunWords& asked) {
  if (trust_.is_trusted()) {
    return;
  }
  if (asked.is_code) {
    FailUntrusted("'" + asked.files.front() + "'");
  }
  if (!asked.experiment) {
    return;
  }
  std::string code;
  results_.Read([&](ExperimentStore& store) {
    code = OrMissing(
        [&] { return StoredCode(store, *asked.experiment, folder_.path()); });
  });
  if (!code.empty()) {
    FailUntrusted(
        fmt::format("experiment {} with '{}'", *asked.experiment, code));
  }
}

// The command of a request, whose files are there, and whose code is trusted.
RunWords Studio::AcceptRun(const std::string& body) {
  RunWords asked = ParseRunRequest(body);
  for (const std::string& file : asked.files) {
    if (!folder_.Contains(file)) {
      throw HttpError{.status = 404,
                      .code = "missing",
                      .message = "cannot run with '" + file +
                                 "': there is no such file in the folder",
                      .hint = ""};
    }
  }
  CheckTrustOf(asked);
  return asked;
}

Response Studio::StartRun(const Request& request) {
  RunWords asked = AcceptRun(request.body);
  const std::int64_t id = runs_.Add(asked.words);
  asked.words.insert(asked.words.begin(), "orrery");
  return JsonResponse(Json{{"id", id}, {"argv", asked.words}});
}

// The request names a model as one for a run does, and has the line for the
// command that carries out plans (`orrery run --resident`).
Response Studio::CarryOutPlan(const Request& request) {
  const Json json = ParseJson(request.body);
  if (!json.is_object() || !json.value("run", Json()).is_object() ||
      !json.value("plan", Json()).is_object()) {
    throw HttpError{
        .status = 400,
        .code = "request",
        .message =
            "cannot carry out a plan: the request has no objects `run` "
            "and `plan`",
        .hint = ""};
  }
  const RunWords asked = AcceptRun(PrintJson(json.at("run")));
  return JsonResponse(plans_.Answer(asked, PrintJson(json.at("plan"))));
}

void Studio::AddRunRoutes() {
  router_.Add("POST", "/api/plan", [this](const Request& request, const auto&) {
    return CarryOutPlan(request);
  });
  router_.Add("POST", "/api/runs", [this](const Request& request, const auto&) {
    return StartRun(request);
  });
  router_.Add("GET", "/api/runs", [this](const Request&, const Parts&) {
    std::string items;
    for (RunState& run : runs_.All()) {
      run.log.clear();
      items += (items.empty() ? "" : ",") + ToJson(run, true);
    }
    return JsonResponse("{\"items\":[" + items + "]}");
  });
  router_.Add(
      "GET", "/api/runs/{}", [this](const Request&, const Parts& parts) {
        const auto run = runs_.Find(IdOf(parts[0]));
        if (!run) {
          FailUnknown(IdOf(parts[0]));
        }
        return JsonResponse(ToJson(*run, true));
      });
  router_.Add(
      "DELETE", "/api/runs/{}", [this](const Request&, const Parts& parts) {
        if (!runs_.Stop(IdOf(parts[0]))) {
          FailUnknown(IdOf(parts[0]));
        }
        return NoContent();
      });
  router_.Add("POST",
              "/api/runs/{}/do",
              [this](const Request& request, const Parts& parts) {
                const long long id = IdOf(parts[0]);
                if (!runs_.Send(id, ParseRunAction(request.body))) {
                  throw HttpError{
                      .status = 409,
                      .code = "ended",
                      .message = fmt::format("cannot tell run {} anything: it "
                                             "does not go on",
                                             id),
                      .hint = ""};
                }
                return NoContent();
              });
}

}  // namespace orrery::server
