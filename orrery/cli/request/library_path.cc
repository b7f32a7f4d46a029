#include "orrery/cli/request/library_path.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/error.h"
#include "orrery/cli/request/trust.h"
#include "orrery/sdk/model/class_place.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPath = "MODELICAPATH";

std::string LibraryPath() {
  // No thread changes the environment.
  const char* const value =
      std::getenv(kPath);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

void RequireFolder(const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot use --library {}: there is no such folder; "
                            "name the one that the folder of the library is in",
                            folder));
  }
  if (folder.find(':') != std::string::npos) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot use --library {}: a ':' parts folders; "
                            "rename it",
                            folder));
  }
}

bool IsNameOfModelFile(const std::string& name) {
  constexpr std::array kEndings = {
      ".mo", ".cbd", ".so", ".fmu", ".ssp", ".ssd"};
  return std::ranges::find(kEndings, FormatEnding(name)) != kEndings.end();
}

}  // namespace

std::vector<std::string> LibraryFolders() {
  return modelica::FoldersIn(LibraryPath());
}

std::vector<std::string> FoldersOfClasses() {
  std::vector<std::string> folders = LibraryFolders();
  folders.insert(folders.begin(), ".");
  return folders;
}

void AddLibraries(CLI::App& app) {
  app.add_option_function<std::vector<std::string>>(
         "--library",
         [](const std::vector<std::string>& folders) {
           for (const std::string& folder : folders) {
             RequireFolder(folder);
             TrustForNow(folder);
           }
           // The compiler, helpers and workers look there.
           std::string path = fmt::format("{}", fmt::join(folders, ":"));
           if (const std::string rest = LibraryPath(); !rest.empty()) {
             path += ":" + rest;
           }
           setenv(kPath, path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
         },
         "Look for libraries in this folder, before those of MODELICAPATH")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void FindClassOf(std::string& file, std::string& class_name) {
  const std::string library = LibraryOf(file);
  std::error_code failed;
  if (library.empty() || IsNameOfModelFile(file) || fs::exists(file, failed)) {
    return;
  }
  std::optional<std::string> found = FileOfClass(file, FoldersOfClasses());
  if (!found) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot find {}: it is no file, and as a class its "
                            "library {} is neither in this folder nor in one "
                            "of --library or MODELICAPATH; orrery libraries "
                            "lists those that are",
                            file,
                            library));
  }
  if (!class_name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take the class '{}' of {}, which is a "
                            "class; write the whole name in its place",
                            class_name,
                            file));
  }
  class_name = std::exchange(file, *std::move(found));
}

}  // namespace orrery::cli
