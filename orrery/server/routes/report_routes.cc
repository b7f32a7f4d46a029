#include "orrery/server/routes/report_routes.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/text/xml.h"
#include "orrery/server/children/child.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostExperiments = 20;
constexpr std::size_t kMostOutput = 100'000;
constexpr int kSeconds = 60;

// A folder for files that are read once.
class ScratchFolder {
 public:
  ScratchFolder() : path_(fs::temp_directory_path() / "orrery_report_XXXXXX") {
    std::string pattern = path_.string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw HttpError{.status = 507,
                      .code = "full",
                      .message = "cannot make a folder for the report",
                      .hint = ""};
    }
    path_ = pattern;
  }

  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The part of a page between the tags of its body.
std::string_view BodyOf(std::string_view page) {
  const std::size_t begin = page.find("<body");
  const std::size_t first = begin == std::string_view::npos
                                ? std::string_view::npos
                                : page.find('>', begin);
  const std::size_t end = page.rfind("</body>");
  if (first == std::string_view::npos || end == std::string_view::npos) {
    return page;
  }
  return page.substr(first + 1, end - first - 1);
}

// One page of several, with a note at its top.
std::string Join(const std::vector<std::string>& pages,
                 const std::string& notes) {
  std::string body;
  if (!notes.empty()) {
    body += "<p style=\"white-space:pre-wrap\">" +
            EscapeXml(notes, XmlPlace::kText) + "</p>";
  }
  for (const std::string& page : pages) {
    body += BodyOf(page);
  }
  const std::string& first = pages.front();
  const std::string_view old_body = BodyOf(first);
  if (old_body.size() == first.size()) {
    return body;
  }
  const auto begin = static_cast<std::size_t>(old_body.data() - first.data());
  return first.substr(0, begin) + body + first.substr(begin + old_body.size());
}

// The command writes the report of each experiment, as `orrery export` does.
Response MakeReport(const StudioContext& studio, const Request& request) {
  const Json json = ParseJson(request.body);
  const auto ids = json.at("experiments").get<std::vector<std::int64_t>>();
  if (ids.empty() || ids.size() > kMostExperiments) {
    throw HttpError{.status = 400,
                    .code = "request",
                    .message = fmt::format("cannot report on {} experiments: "
                                           "one to {}",
                                           ids.size(),
                                           kMostExperiments),
                    .hint = ""};
  }
  const ScratchFolder scratch;
  std::vector<std::string> pages;
  for (const std::int64_t id : ids) {
    const std::string path =
        (scratch.path() / fmt::format("{}.html", pages.size())).string();
    const ChildOutput told =
        RunToEnd({.argv = {studio.options.programs + "/orrery",
                           "export",
                           std::to_string(id),
                           path},
                  .folder = studio.folder.path(),
                  .joins_errors = true},
                 kMostOutput,
                 kSeconds);
    if (told.end.exit_code != 0 || told.end.signal != 0) {
      throw HttpError{
          .status = 409, .code = "report", .message = told.text, .hint = ""};
    }
    std::ifstream file(path, std::ios::binary);
    pages.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  return {.type = "text/html; charset=utf-8",
          .body = Join(pages, json.value("notes", "")),
          .headers = {{"Content-Disposition",
                       "attachment; filename=\"report.html\""}},
          .stream = {}};
}

}  // namespace

void AddReportRoutes(Router& router, StudioContext& studio) {
  router.Add("POST",
             "/api/report",
             [&studio](const Request& request, const Router::Parts&) {
               return MakeReport(studio, request);
             });
}

}  // namespace orrery::server
