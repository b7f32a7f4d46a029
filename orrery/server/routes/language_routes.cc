#include "orrery/server/routes/language_routes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "orrery/server/files/folder.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/page/page.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

constexpr long long kMostItems = 1000;
constexpr std::size_t kMostPicture = 20'000'000;  // Bytes.

[[noreturn]] void FailMissing(const std::string& uri) {
  throw HttpError{.status = 404,
                  .code = "missing",
                  .message = "cannot find '" + uri + "'",
                  .hint = "modelica://LIBRARY/PATH of a picture of a library"};
}

// A picture of a library, by `modelica://Library/path`: of no other folder, and
// of no other kind, as documentation may name anything.
Response Resource(const StudioContext& studio, const Request& request) {
  constexpr std::string_view kScheme = "modelica://";
  constexpr std::array<std::string_view, 5> kKinds = {
      ".png", ".jpg", ".jpeg", ".gif", ".svg"};
  const std::string uri = request.Parameter("uri");
  const std::size_t slash = uri.find('/', kScheme.size());
  if (!uri.starts_with(kScheme) || slash == std::string::npos ||
      std::ranges::none_of(
          kKinds, [&](std::string_view kind) { return uri.ends_with(kind); })) {
    FailMissing(uri);
  }
  // The host may be a class: modelica://Modelica.Electrical/x.png
  std::string name = uri.substr(kScheme.size(), slash - kScheme.size());
  std::string path = uri.substr(slash + 1);
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    std::string within = name.substr(dot + 1);
    std::ranges::replace(within, '.', '/');
    path = within + "/" + path;
    name.resize(dot);
  }
  for (const LibraryPlace& library : studio.options.libraries) {
    if (library.name != name) {
      continue;
    }
    if (const Folder folder(library.path); folder.Contains(path)) {
      return {.type = TypeOf(path),
              .body = folder.ReadBytes(path, kMostPicture),
              .headers = {},
              .stream = {}};
    }
  }
  FailMissing(uri);
}

// A text of a library, which a definition may lead to: Modelica alone, as
// folders of libraries may be anywhere.
Response LibraryText(const StudioContext& studio, const Request& request) {
  const std::string path = request.Parameter("path");
  for (const std::string& folder : studio.options.library_folders) {
    if (path.starts_with(folder + "/") && path.ends_with(".mo")) {
      FileText file = Folder(folder).Read(path.substr(folder.size() + 1));
      return {.type = "text/plain; charset=utf-8",
              .body = std::move(file.text),
              .headers = {{"ETag", file.etag}},
              .stream = {}};
    }
  }
  throw HttpError{
      .status = 404,
      .code = "missing",
      .message = "cannot show '" + path + "': it is no text of a library",
      .hint = "a .mo file in a folder of MODELICAPATH"};
}

}  // namespace

void AddLanguageRoutes(Router& router, StudioContext& studio) {
  router.Add(
      "POST", "/api/lsp", [&studio](const Request& request, const Parts&) {
        std::optional<std::string> answer =
            studio.language.Exchange(request.body);
        if (!answer) {
          return NoContent();
        }
        return JsonResponse(*std::move(answer));
      });
  router.Add(
      "GET", "/api/tree", [&studio](const Request& request, const Parts&) {
        return JsonResponse(studio.language.Ask(
            "orrery/classes",
            {{"under", request.Parameter("under")},
             {"offset", CountIn(request, "offset", 0)},
             {"limit", std::min(CountIn(request, "limit", 200), kMostItems)}}));
      });
  router.Add(
      "GET", "/api/search", [&studio](const Request& request, const Parts&) {
        Json found = studio.language.Ask(
            "orrery/search",
            {{"query", request.Parameter("q")},
             {"limit", std::min(CountIn(request, "limit", 50), kMostItems)}});
        if (found.is_object() && !found.contains("total")) {
          found["total"] = found.value("items", Json::array()).size();
        }
        return JsonResponse(found);
      });
  router.Add(
      "GET", "/api/icon/{}", [&studio](const Request&, const Parts& parts) {
        Response response = JsonResponse(
            studio.language.Ask("orrery/icon", {{"icons", {parts[0]}}}));
        response.headers.emplace_back("Cache-Control",
                                      "private, max-age=31536000, immutable");
        return response;
      });
  router.Add(
      "GET", "/api/library", [&studio](const Request& request, const Parts&) {
        return LibraryText(studio, request);
      });
  router.Add(
      "GET", "/api/resource", [&studio](const Request& request, const Parts&) {
        return Resource(studio, request);
      });
}

}  // namespace orrery::server
