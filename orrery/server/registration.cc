#include "orrery/server/registration.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery::server {
namespace {

[[noreturn]] void FailToRegister(const std::string& path, int error) {
  throw Error(ErrorCode::kIo,
              fmt::format("cannot keep the place of the studio in '{}': {}",
                          path,
                          std::generic_category().message(error)));
}

// Makes a folder for this user alone, or takes the one that is there.
void MakePrivate(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    FailToRegister(path, errno);
  }

  struct stat status {};

  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 077U) != 0) {
    throw Error(ErrorCode::kIo,
                fmt::format("cannot keep the place of the studio in '{}': "
                            "others may use that folder, too; name another "
                            "one by XDG_RUNTIME_DIR",
                            path));
  }
}

}  // namespace

std::string RuntimeFolder(const std::string& given) {
  if (!given.empty()) {
    return given;
  }
  std::string path = fmt::format("/tmp/orrery-{}", geteuid());
  MakePrivate(path);
  return path;
}

Registration::Registration(const std::string& runtime,
                           const std::string& folder) {
  const std::string place = runtime + "/orrery";
  MakePrivate(place);
  path_ = fmt::format("{}/studio-{:016x}", place, StableHash(folder));
  file_ = Descriptor(
      open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_) {
    FailToRegister(path_, errno);
  }
  is_ours_ = flock(file_.number(), LOCK_EX | LOCK_NB) == 0;
  if (is_ours_ && ftruncate(file_.number(), 0) != 0) {
    FailToRegister(path_, errno);
  }
}

std::optional<StudioPlace> Registration::Other() const {
  std::array<char, 4096> buffer{};
  const ssize_t size = pread(file_.number(), buffer.data(), buffer.size(), 0);
  if (size <= 0) {
    return std::nullopt;
  }
  const auto json = nlohmann::json::parse(
      std::string_view(buffer.data(), static_cast<std::size_t>(size)),
      nullptr,
      false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  return StudioPlace{.address = json.value("address", ""),
                     .port = json.value("port", 0),
                     .key = json.value("key", "")};
}

void Registration::Announce(const StudioPlace& place) const {
  const std::string text = nlohmann::json{
      {"address", place.address},
      {"port", place.port},
      {"key", place.key}}.dump();
  if (pwrite(file_.number(), text.data(), text.size(), 0) !=
      static_cast<ssize_t>(text.size())) {
    FailToRegister(path_, errno);
  }
}

}  // namespace orrery::server
