#include "orrery/server/routes/file_routes.h"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

Response TextResponse(FileText file, int status = 200) {
  return {.status = status,
          .type = "text/plain; charset=utf-8",
          .body = std::move(file.text),
          .headers = {{"ETag", file.etag}},
          .stream = {}};
}

// The text on the disk, for a page that knows another one; 404 if it is gone.
Response Conflict(const Folder& folder, const std::string& path) {
  if (!folder.Contains(path)) {
    throw HttpError{.status = 412,
                    .code = "gone",
                    .message = "cannot save '" + path +
                               "': somebody has removed it meanwhile",
                    .hint = "save it as a new file, with If-None-Match: *"};
  }
  return TextResponse(folder.Read(path), 412);
}

// The state of the file that the page has changed; nothing for a new file.
std::optional<std::string> KnownEtag(const Request& request) {
  const std::optional<std::string> known = request.Header("if-match");
  if (!known && request.Header("if-none-match") != "*") {
    throw HttpError{.status = 428,
                    .code = "state",
                    .message = "cannot save a file without its former state",
                    .hint =
                        "send If-Match with its ETag, or If-None-Match: * "
                        "for a new file"};
  }
  return known;
}

Response TellOfWriter(StudioContext& studio,
                      const std::string& path,
                      const Writers::Writer& writer) {
  const Json json = {
      {"path", path}, {"page", writer.page}, {"leaving", writer.leaving}};
  studio.events.Publish("writer", PrintJson(json));
  return JsonResponse(json);
}

void PublishDraft(StudioContext& studio, const std::string& path) {
  studio.events.Publish("draft", PrintJson({{"path", path}}));
}

}  // namespace

void AddFileRoutes(Router& router, StudioContext& studio) {
  router.Add(
      "GET", "/api/files", [&studio](const Request& request, const Parts&) {
        Json items = Json::array();
        for (const FileInfo& file :
             studio.folder.List(request.Parameter("under"))) {
          items.push_back({{"path", file.path},
                           {"kind", file.is_folder ? "folder" : "file"},
                           {"size", file.size}});
        }
        return JsonResponse({{"items", items}});
      });
  router.Add(
      "GET", "/api/file", [&studio](const Request& request, const Parts&) {
        return TextResponse(studio.folder.Read(request.Parameter("path")));
      });
  router.Add(
      "PUT", "/api/file", [&studio](const Request& request, const Parts&) {
        const std::string path = request.Parameter("path");
        const auto etag =
            studio.folder.Write(path, request.body, KnownEtag(request));
        if (!etag) {
          return Conflict(studio.folder, path);
        }
        studio.drafts.Drop(path);
        Response response = JsonResponse({{"etag", *etag}});
        response.headers.emplace_back("ETag", *etag);
        return response;
      });
  router.Add(
      "DELETE", "/api/file", [&studio](const Request& request, const Parts&) {
        const std::string path = request.Parameter("path");
        const std::string trash = studio.folder.Remove(path);
        studio.drafts.Drop(path);
        return JsonResponse({{"trash", trash}});
      });
  router.Add("POST",
             "/api/file/move",
             [&studio](const Request& request, const Parts&) {
               const Json json = ParseJson(request.body);
               studio.folder.Move(json.at("from").get<std::string>(),
                                  json.at("to").get<std::string>());
               return NoContent();
             });
}

void AddDraftRoutes(Router& router, StudioContext& studio) {
  router.Add("GET", "/api/drafts", [&studio](const Request&, const Parts&) {
    Json items = Json::array();
    for (const Draft& draft : studio.drafts.All()) {
      items.push_back(
          {{"path", draft.path}, {"base", draft.base}, {"text", draft.text}});
    }
    return JsonResponse({{"items", items}});
  });
  router.Add(
      "PUT", "/api/draft", [&studio](const Request& request, const Parts&) {
        const std::string path = request.Parameter("path");
        const std::string page = request.Parameter("page");
        CheckPath(path);
        if (!page.empty() && !studio.writers.MayKeep(path, page)) {
          throw HttpError{.status = 409,
                          .code = "taken",
                          .message = "cannot keep the text of '" + path +
                                     "': another page edits it now",
                          .hint = "take it over"};
        }
        if (request.body.size() > Folder::kMostBytes) {
          throw HttpError{.status = 413,
                          .code = "size",
                          .message = "cannot keep a text of more than 5 MB",
                          .hint = ""};
        }
        studio.drafts.Keep({.path = path,
                            .base = request.Header("if-match").value_or(""),
                            .text = request.body});
        PublishDraft(studio, path);
        return NoContent();
      });
  router.Add(
      "DELETE", "/api/draft", [&studio](const Request& request, const Parts&) {
        const std::string path = request.Parameter("path");
        studio.drafts.Drop(path);
        PublishDraft(studio, path);
        return NoContent();
      });
}

void AddWriterRoutes(Router& router, StudioContext& studio) {
  router.Add(
      "POST", "/api/writer", [&studio](const Request& request, const Parts&) {
        const Json json = ParseJson(request.body);
        const auto path = json.at("path").get<std::string>();
        const auto page = json.at("page").get<std::string>();
        CheckPath(path);
        const bool takes = json.value("take", false);
        return TellOfWriter(
            studio, path, studio.writers.Ask(path, page, takes));
      });
  router.Add(
      "DELETE", "/api/writer", [&studio](const Request& request, const Parts&) {
        const std::string path = request.Parameter("path");
        return TellOfWriter(
            studio,
            path,
            studio.writers.Leave(path, request.Parameter("page")));
      });
}

}  // namespace orrery::server
