#include "orrery/cli/commands/model_warnings.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "orrery/cli/request/library_path.h"
#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {
namespace {

// True for findings in texts of libraries.
class IsOfLibrary {
 public:
  IsOfLibrary() : folders_(LibraryFolders()) {
    for (std::string& folder : folders_) {
      if (!folder.ends_with('/')) {
        folder += '/';
      }
    }
  }

  bool operator()(const Diagnostic& found) const {
    return IsBuiltIn(found.file) ||
           std::ranges::any_of(folders_, [&found](const std::string& folder) {
             return found.file.starts_with(folder);
           });
  }

 private:
  // True for built-in texts such as "Modelica/Blocks/Math.mo".
  static bool IsBuiltIn(const std::string& file) {
    std::error_code ignored;
    return file.starts_with("Modelica/") &&
           !std::filesystem::exists(file, ignored);
  }

  std::vector<std::string> folders_;
};

// The kind of a message: the text without what stands in quotes, and without
// numbers.
std::string KindOf(const std::string& message) {
  std::string kind;
  bool is_quoted = false;
  for (const char c : message) {
    is_quoted = is_quoted != (c == '\'');
    if (!is_quoted && (c < '0' || c > '9')) {
      kind += c;
    }
  }
  return kind;
}

// The diagnostics that `is_wanted`, each with the notes after it, which belong
// to it.
template <typename IsWanted>
std::vector<Diagnostic> SelectWithNotes(std::span<const Diagnostic> list,
                                        IsWanted is_wanted) {
  std::vector<Diagnostic> selected;
  bool is_selected = true;
  for (const Diagnostic& found : list) {
    if (found.severity != Severity::kNote) {
      is_selected = is_wanted(found);
    }
    if (is_selected) {
      selected.push_back(found);
    }
  }
  return selected;
}

// Prints the first warnings of each kind, and the number of others.
void PrintSomeOfEachKind(std::span<const Diagnostic> list) {
  constexpr std::size_t kMost = 20;
  std::map<std::string, std::size_t> count_of;
  std::size_t num_hidden = 0;
  PrintDiagnostics(SelectWithNotes(list, [&](const Diagnostic& found) {
    const bool is_shown = found.severity == Severity::kError ||
                          ++count_of[KindOf(found.message)] <= kMost;
    num_hidden += is_shown ? 0 : 1;
    return is_shown;
  }));
  if (num_hidden > 0) {
    PrintError("orrery: {} more warnings of the same {} (all by --json)\n",
               num_hidden,
               count_of.size() == 1 ? "kind" : "kinds");
  }
}

}  // namespace

void PrintModelWarnings(std::span<const Diagnostic> list, bool of_libraries) {
  if (of_libraries) {
    PrintSomeOfEachKind(list);
    return;
  }
  const IsOfLibrary is_of_library;
  PrintSomeOfEachKind(SelectWithNotes(
      list, [&](const Diagnostic& found) { return !is_of_library(found); }));
}

void PrintModelErrors(std::span<const Diagnostic> list) {
  const IsOfLibrary is_of_library;
  std::vector<Diagnostic> told;
  PrintDiagnostics(SelectWithNotes(list, [&](const Diagnostic& found) {
    const bool is_wanted =
        found.severity == Severity::kError || !is_of_library(found);
    if (!is_wanted || std::ranges::find(told, found) != told.end()) {
      return false;
    }
    told.push_back(found);
    return true;
  }));
}

}  // namespace orrery::cli
