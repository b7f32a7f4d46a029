#include "orrery/cli/request/trust.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "ORRERY_EXTERNAL";
constexpr std::string_view kTrusted = "trusted:";  // Folders follow.

// Returns an empty text if it is not set. No thread changes the environment.
std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

void SetRights(const std::string& rights) {
  setenv(kVariable, rights.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

// The file that lists the trusted folders, one a line.
fs::path ListFile() {
  const std::string folder = Environment("XDG_CONFIG_HOME");
  return (folder.empty() ? fs::path(Environment("HOME")) / ".config"
                         : fs::path(folder)) /
         "orrery" / "trusted";
}

std::vector<std::string> ListedFolders() {
  std::vector<std::string> folders;
  const fs::path list = ListFile();
  std::error_code none;
  if (!fs::exists(list, none)) {
    return folders;
  }
  std::istringstream lines(
      std::string(SourceFile::Read(list.string())->text()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) {
      folders.push_back(line);
    }
  }
  return folders;
}

void WriteList(const std::vector<std::string>& folders) {
  const fs::path list = ListFile();
  std::error_code failed;
  fs::create_directories(list.parent_path(), failed);
  OutputFile file(list.string());
  file.Write(fmt::format("{}\n", fmt::join(folders, "\n")));
  file.Commit();
}

void Trust(const std::string& folder, bool is_removed) {
  std::vector<std::string> folders = ListedFolders();
  if (folder.empty()) {
    fmt::print("{}{}", fmt::join(folders, "\n"), folders.empty() ? "" : "\n");
    return;
  }
  std::error_code failed;
  const std::string place = fs::weakly_canonical(folder, failed).string();
  const auto found = std::ranges::find(folders, place);
  if (is_removed) {
    if (found == folders.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot distrust '{}': it is not trusted{}",
                              place,
                              Clause(Suggest(place, folders))));
    }
    folders.erase(found);
  } else {
    if (!fs::is_directory(place, failed)) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("cannot trust '{}': there is no such folder", folder));
    }
    if (place.find_first_of(":\n") != std::string::npos) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot trust '{}': the list cannot hold a name "
                              "with ':' or a line end; rename it",
                              place));
    }
    if (found != folders.end()) {
      return;
    }
    folders.push_back(place);
  }
  WriteList(folders);
}

}  // namespace

void LimitModels(std::string_view command) {
  constexpr std::array<std::string_view, 11> kCarryingOut = {"run",
                                                             "sweep",
                                                             "sensitivity",
                                                             "calibrate",
                                                             "optimize",
                                                             "steady",
                                                             "linearize",
                                                             "frequency",
                                                             "fmu",
                                                             "rerun",
                                                             "resume"};
  const std::string given = Environment(kVariable);
  if (given == "off" || command == "worker") {
    return;
  }
  if (std::ranges::find(kCarryingOut, command) == kCarryingOut.end()) {
    SetRights("describe");
  } else if (given.empty()) {
    std::vector<std::string> folders = ListedFolders();
    // A user who sets it has chosen the libraries there.
    folders.push_back(Environment("MODELICAPATH"));
    SetRights(fmt::format("{}{}", kTrusted, fmt::join(folders, ":")));
  }
}

void TrustForNow(const std::string& folder) {
  const std::string given = Environment(kVariable);
  if (given.starts_with(kTrusted)) {
    SetRights(given + ":" + folder);
  }
}

void AddExternal(CLI::App& app) {
  app.add_flag_callback(
      "--external",
      [] {
        if (Environment(kVariable) != "off") {
          SetRights("on");
        }
      },
      "Run external functions (C, Fortran) and FMUs of the model, which may do "
      "all that you may; see trust");
}

void AddTrust(CLI::App& app) {
  CLI::App* const trust = app.add_subcommand(
      "trust",
      "Let models in a folder run external functions; list these folders");
  const auto folder = std::make_shared<std::string>();
  const auto is_removed = std::make_shared<bool>(false);
  CLI::Option* const which =
      trust->add_option("FOLDER", *folder, "A folder, with all in it")
          ->type_name("");
  trust->add_flag("--remove", *is_removed, "Do not trust it any more")
      ->needs(which);
  trust->callback([folder, is_removed] { Trust(*folder, *is_removed); });
}

}  // namespace orrery::cli
