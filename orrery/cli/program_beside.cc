#include "orrery/cli/program_beside.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace orrery::cli {

void BecomeProgramBeside(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command.empty() || !std::ranges::all_of(command, [](char c) {
        return c >= 'a' && c <= 'z';
      })) {
    return;
  }
  std::error_code failed;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string program =
      (self.parent_path() / ("orrery-" + std::string(command))).string();
  if (failed || access(program.c_str(), X_OK) != 0) {
    return;
  }
  std::vector<char*> words(argv + 1, argv + argc);
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
}

}  // namespace orrery::cli
