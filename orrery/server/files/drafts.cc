#include "orrery/server/files/drafts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/sdk/results.h"
#include "orrery/server/http/message.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

}  // namespace

Drafts::Drafts(const std::string& state, const std::string& folder)
    : place_(
          fmt::format("{}/orrery/drafts/{:016x}", state, StableHash(folder))) {}

std::string Drafts::PlaceOf(std::string_view path) const {
  return fmt::format("{}/{:016x}.json", place_, StableHash(path));
}

void Drafts::Keep(const Draft& draft) const {
  std::error_code failed;
  fs::create_directories(place_, failed);
  fs::permissions(place_, fs::perms::owner_all, failed);
  try {
    OutputFile file(PlaceOf(draft.path));
    file.Write(
        Json{{"path", draft.path}, {"base", draft.base}, {"text", draft.text}}
            .dump());
    file.Commit();
  } catch (const Error& error) {
    throw HttpError{.status = 507,
                    .code = "draft",
                    .message = error.what(),
                    .hint = "save the file, or make room on the disk"};
  }
}

void Drafts::Drop(const std::string& path) const {
  std::error_code ignored;
  fs::remove(PlaceOf(path), ignored);
}

std::vector<Draft> Drafts::All() const {
  std::vector<Draft> drafts;
  std::error_code failed;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(place_, failed)) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Json json = ParseJsonIfSound(text);
    if (json.is_object()) {
      drafts.push_back({.path = json.value("path", ""),
                        .base = json.value("base", ""),
                        .text = json.value("text", "")});
    }
  }
  std::ranges::sort(drafts, {}, &Draft::path);
  return drafts;
}

}  // namespace orrery::server
