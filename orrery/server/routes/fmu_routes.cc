#include "orrery/server/routes/fmu_routes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/server/children/child.h"
#include "orrery/server/files/folder.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

constexpr std::size_t kMostDescription = std::size_t{32} << 20U;
constexpr std::size_t kMostMessages = 4000;
constexpr int kDescriptionSeconds = 20;
constexpr int kExportSeconds = 120;

bool IsDone(const ChildOutput& told) {
  return told.end.exit_code == 0 && told.end.signal == 0;
}

[[noreturn]] void FailFmu(int status, std::string message) {
  throw HttpError{.status = status,
                  .code = "fmu",
                  .message = std::move(message),
                  .hint = ""};
}

std::string AsFile(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

// Forwards the command's description of an FMU, which runs none of its code.
Response DescribeFmu(const StudioContext& studio, const Request& request) {
  const std::string path = request.Parameter("path");
  CheckPath(path);
  if (!IsFmu(path) || !studio.folder.Contains(path)) {
    FailFmu(404, "cannot describe '" + path + "': there is no such FMU");
  }
  ChildOutput told = RunToEnd({.argv = {studio.options.programs + "/orrery",
                                        "check",
                                        "--json",
                                        AsFile(path)},
                               .folder = studio.folder.path()},
                              kMostDescription,
                              kDescriptionSeconds);
  const Json answer = ParseJsonIfSound(told.text);
  if (!IsDone(told) || !answer.is_object()) {
    FailFmu(422,
            answer.is_object() ? answer.value("message", "cannot read this FMU")
                               : "cannot read '" + path + "'");
  }
  return JsonResponse(std::move(told.text));
}

// The FMU gets the name of the class, beside the model; one that is there goes
// to the trash.
Response ExportFmu(StudioContext& studio, const Request& request) {
  const Json json = ParseJson(request.body);
  const auto file = json.at("file").get<std::string>();
  const std::string name = json.value("class", "");
  CheckPath(file);
  if (!studio.folder.Contains(file) || name.empty() || name.starts_with('-') ||
      name.find('/') != std::string::npos) {
    FailFmu(404, "cannot export '" + name + "' of '" + file + "'");
  }
  if (file.ends_with(".so") && !studio.trust.is_trusted()) {
    throw HttpError{
        .status = 403,
        .code = "trust",
        .message = "cannot export '" + file +
                   "': it is code, and this folder is not trusted",
        .hint = "trust the folder, if you know who has made what is in it"};
  }
  const std::string path = file.substr(0, file.rfind('/') + 1) +
                           name.substr(name.rfind('.') + 1) + ".fmu";
  CheckPath(path);
  const std::string made = path + ".part.fmu";
  const std::vector<std::string> argv = {studio.options.programs + "/orrery",
                                         "fmu",
                                         "export",
                                         AsFile(file),
                                         name,
                                         "--output=" + made};
  const ChildOutput told = RunToEnd(
      {.argv = argv, .folder = studio.folder.path(), .joins_errors = true},
      kMostMessages,
      kExportSeconds);
  if (!IsDone(told)) {
    FailFmu(422, told.text);
  }
  if (studio.folder.Contains(path)) {
    static_cast<void>(studio.folder.Remove(path));
  }
  studio.folder.Move(made, path);
  return JsonResponse(Json{{"path", path}});
}

}  // namespace

void AddFmuRoutes(Router& router, StudioContext& studio) {
  router.Add(
      "GET", "/api/fmu", [&studio](const Request& request, const Parts&) {
        return DescribeFmu(studio, request);
      });
  router.Add(
      "POST", "/api/fmu", [&studio](const Request& request, const Parts&) {
        return ExportFmu(studio, request);
      });
}

}  // namespace orrery::server
