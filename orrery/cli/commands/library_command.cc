#include "orrery/cli/commands/library_command.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/request/library_path.h"
#include "orrery/cli/request/requests.h"
#include "orrery/sdk/model/class_place.h"

namespace orrery::cli {
namespace {

using modelica::Library;

void PrintJson(const std::vector<Library>& libraries) {
  auto list = nlohmann::ordered_json::array();
  for (const Library& library : libraries) {
    list.push_back({{"name", library.name},
                    {"version", library.version},
                    {"file", library.file}});
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"libraries", list}}.dump(2));
}

void PrintTable(const std::vector<Library>& libraries) {
  std::size_t name_width = 0;
  std::size_t version_width = 0;
  for (const Library& library : libraries) {
    name_width = std::max(name_width, library.name.size());
    version_width = std::max(version_width, library.version.size());
  }
  for (const Library& library : libraries) {
    fmt::print("{:<{}}  {:<{}}  {}\n",
               library.name,
               name_width,
               library.version,
               version_width,
               library.file);
  }
  if (std::ranges::find(libraries, "Modelica", &Library::name) ==
      libraries.end()) {
    fmt::print(
        "A part of the Modelica Standard Library is built in (orrery blocks). "
        "For all of it, name the folder that its folder is in by --library DIR "
        "or by the environment variable MODELICAPATH.\n");
  }
}

}  // namespace

int Libraries(bool as_json) {
  const std::vector<Library> libraries =
      modelica::LibrariesIn(FoldersOfClasses());
  if (as_json) {
    PrintJson(libraries);
  } else {
    PrintTable(libraries);
  }
  return kSuccess;
}

}  // namespace orrery::cli
