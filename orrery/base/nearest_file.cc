#include "orrery/base/nearest_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {

std::string SuggestFile(const std::string& path) {
  constexpr std::size_t kMostFiles = 2000;
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator
           file(folder.empty() ? "." : folder, error),
       end;
       !error && file != end && names.size() < kMostFiles;
       file.increment(error)) {
    names.push_back(file->path().filename().string());
  }
  std::ranges::sort(names);  // The order in a folder is arbitrary.
  const std::string nearest = Nearest(wanted.filename().string(), names);
  return nearest.empty()
             ? ""
             : "did you mean '" + (folder / nearest).string() + "'?";
}

}  // namespace orrery
