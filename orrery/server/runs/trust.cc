#include "orrery/server/runs/trust.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "orrery/server/children/child.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

constexpr std::size_t kMostListed = 1'000'000;
constexpr int kSecondsToTrust = 10;

ChildOutput CarryOutTrust(const std::string& command,
                          const std::string& folder,
                          std::vector<std::string> arguments) {
  std::vector<std::string> argv = {command, "trust"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return RunToEnd({.argv = argv, .folder = folder, .joins_errors = true},
                  kMostListed,
                  kSecondsToTrust);
}

}  // namespace

bool Trust::Ask() const {
  std::istringstream lines(CarryOutTrust(command_, folder_, {}).text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() &&
        (folder_ == line || folder_.starts_with(line + "/") || line == "/")) {
      return true;
    }
  }
  return false;
}

bool Trust::is_trusted() const {
  const std::lock_guard lock(mutex_);
  if (!known_) {
    known_ = Ask();
  }
  return *known_;
}

void Trust::Set(bool is_trusted) {
  const std::lock_guard lock(mutex_);
  // A real path begins with '/', and is no option.
  std::vector<std::string> arguments = {folder_};
  if (!is_trusted) {
    arguments.emplace_back("--remove");
  }
  const ChildOutput told = CarryOutTrust(command_, folder_, arguments);
  known_.reset();
  if (told.end.signal != 0 || told.end.exit_code != 0) {
    throw HttpError{
        .status = 409,
        .code = "trust",
        .message = told.text,
        .hint = "'orrery trust' lists the folders that are trusted"};
  }
}

}  // namespace orrery::server
