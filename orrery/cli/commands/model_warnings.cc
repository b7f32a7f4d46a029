#include "orrery/cli/commands/model_warnings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {
namespace {

// The folders of libraries, each with a '/' at its end.
std::vector<std::string> LibraryFolders() {
  std::vector<std::string> folders;
  const char* const listed =
      std::getenv("MODELICAPATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream stream(listed == nullptr ? "" : listed);
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (!folder.empty()) {
      folders.push_back(folder.ends_with('/') ? folder : folder + '/');
    }
  }
  return folders;
}

// True for built-in texts such as "Modelica/Blocks/Math.mo".
bool IsBuiltIn(const std::string& file) {
  std::error_code ignored;
  return file.starts_with("Modelica/") &&
         !std::filesystem::exists(file, ignored);
}

}  // namespace

void PrintModelWarnings(std::span<const Diagnostic> list, bool of_libraries) {
  if (of_libraries) {
    PrintDiagnostics(list);
    return;
  }
  const std::vector<std::string> folders = LibraryFolders();
  std::vector<Diagnostic> own;
  bool is_own = true;
  for (const Diagnostic& found : list) {
    // A note belongs to the diagnostic before it.
    if (found.severity != Severity::kNote) {
      const auto is_around = [&found](const std::string& folder) {
        return found.file.starts_with(folder);
      };
      is_own =
          !IsBuiltIn(found.file) && std::ranges::none_of(folders, is_around);
    }
    if (is_own) {
      own.push_back(found);
    }
  }
  PrintDiagnostics(own);
}

}  // namespace orrery::cli
