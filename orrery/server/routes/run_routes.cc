#include "orrery/server/routes/run_routes.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/server/http/json_response.h"
#include "orrery/server/http/or_missing.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/results/stored_code.h"
#include "orrery/server/runs/run_request.h"

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

// A store may come from anybody, as the models do: its record names any file as
// the code to run.
void CheckTrustOf(StudioContext& studio, const RunWords& asked) {
  if (studio.trust.is_trusted()) {
    return;
  }
  if (asked.is_code) {
    FailUntrusted("'" + asked.files.front() + "'");
  }
  if (!asked.experiment) {
    return;
  }
  std::string code;
  studio.results.Read([&](ExperimentStore& store) {
    code = OrMissing([&] {
      return StoredCode(store, *asked.experiment, studio.folder.path());
    });
  });
  if (!code.empty()) {
    FailUntrusted(
        fmt::format("experiment {} with '{}'", *asked.experiment, code));
  }
}

// The command of a request, whose files are there, and whose code is trusted.
RunWords AcceptRun(StudioContext& studio, const std::string& body) {
  RunWords asked = ParseRunRequest(body);
  for (const std::string& file : asked.files) {
    if (!studio.folder.Contains(file)) {
      throw HttpError{.status = 404,
                      .code = "missing",
                      .message = "cannot run with '" + file +
                                 "': there is no such file in the folder",
                      .hint = ""};
    }
  }
  CheckTrustOf(studio, asked);
  return asked;
}

Response StartRun(StudioContext& studio, const Request& request) {
  RunWords asked = AcceptRun(studio, request.body);
  const std::int64_t id = studio.runs.Add(asked.words);
  asked.words.insert(asked.words.begin(), "orrery");
  return JsonResponse(Json{{"id", id}, {"argv", asked.words}});
}

// The request names a model as one for a run does, and has the line for the
// command that carries out plans (`orrery run --resident`).
Response CarryOutPlan(StudioContext& studio, const Request& request) {
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
  const RunWords asked = AcceptRun(studio, PrintJson(json.at("run")));
  return JsonResponse(studio.plans.Answer(asked, PrintJson(json.at("plan"))));
}

}  // namespace

void AddRunRoutes(Router& router, StudioContext& studio) {
  router.Add(
      "POST", "/api/plan", [&studio](const Request& request, const auto&) {
        return CarryOutPlan(studio, request);
      });
  router.Add(
      "POST", "/api/runs", [&studio](const Request& request, const auto&) {
        return StartRun(studio, request);
      });
  router.Add("GET", "/api/runs", [&studio](const Request&, const Parts&) {
    std::string items;
    for (RunState& run : studio.runs.All()) {
      run.log.clear();
      items += (items.empty() ? "" : ",") + ToJson(run, true);
    }
    return JsonResponse("{\"items\":[" + items + "]}");
  });
  router.Add(
      "GET", "/api/runs/{}", [&studio](const Request&, const Parts& parts) {
        const auto run = studio.runs.Find(IdOf(parts[0]));
        if (!run) {
          FailUnknown(IdOf(parts[0]));
        }
        return JsonResponse(ToJson(*run, true));
      });
  router.Add(
      "DELETE", "/api/runs/{}", [&studio](const Request&, const Parts& parts) {
        if (!studio.runs.Stop(IdOf(parts[0]))) {
          FailUnknown(IdOf(parts[0]));
        }
        return NoContent();
      });
  router.Add("POST",
             "/api/runs/{}/do",
             [&studio](const Request& request, const Parts& parts) {
               const long long id = IdOf(parts[0]);
               if (!studio.runs.Send(id, ParseRunAction(request.body))) {
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
