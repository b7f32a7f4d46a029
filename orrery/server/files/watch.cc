#include "orrery/server/files/watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace orrery::server {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFolders = 5000;
constexpr std::chrono::milliseconds kMoment{50};

// While others go on writing, as a compiler does.
constexpr std::chrono::milliseconds kLongest{200};
constexpr std::uint32_t kWatched = IN_CLOSE_WRITE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_CREATE | IN_DELETE |
                                   IN_ONLYDIR | IN_EXCL_UNLINK;

std::string Below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

FolderWatch::FolderWatch(std::string folder, Tell tell)
    : folder_(std::move(folder)),
      tell_(std::move(tell)),
      inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      end_(eventfd(0, EFD_CLOEXEC)) {
  if (!inotify_ || !end_) {
    return;  // Without it pages see what others write when they ask for it.
  }
  Add("");
  thread_ = std::thread([this] { Run(); });
}

FolderWatch::~FolderWatch() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written =
        write(end_.number(), &one, sizeof(one));
    thread_.join();
  }
}

void FolderWatch::Add(const std::string& folder) {
  if (watched_.size() >= kMostFolders) {
    return;
  }
  const fs::path place = fs::path(folder_) / folder;
  const int number =
      inotify_add_watch(inotify_.number(), place.c_str(), kWatched);
  if (number < 0) {
    return;
  }
  watched_[number] = folder;
  std::error_code failed;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(place, failed)) {
    const std::string name = entry.path().filename().string();
    std::error_code unknown;
    if (!name.starts_with('.') && entry.is_directory(unknown) &&
        !entry.is_symlink(unknown)) {
      Add(Below(folder, name));
    }
  }
}

// Takes some of them; more are told by the next poll().
void FolderWatch::TakeEvents() {
  alignas(inotify_event) std::array<char, 1U << 16U> buffer{};
  const ssize_t size = read(inotify_.number(), buffer.data(), buffer.size());
  if (size <= 0) {
    return;
  }
  for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
    inotify_event event{};
    std::memcpy(&event, &buffer.at(at), sizeof(event));
    const char* const text = buffer.data() + at + sizeof(event);
    const std::string name = event.len == 0 ? "" : text;
    at += sizeof(event) + event.len;
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      news_[""] = "changed";
    }
    const auto folder = watched_.find(event.wd);
    if ((event.mask & IN_IGNORED) != 0 && folder != watched_.end()) {
      watched_.erase(folder);
      continue;
    }
    if (folder == watched_.end() || name.empty() || name.starts_with('.')) {
      continue;
    }
    const std::string path = Below(folder->second, name);
    if ((event.mask & IN_ISDIR) != 0 &&
        (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0) {
      Add(path);
    }
    if ((event.mask & (IN_DELETE | IN_MOVED_FROM)) != 0) {
      news_[path] = "gone";
    } else if ((event.mask & IN_CREATE) != 0) {
      news_[path] = "made";
    } else if (news_[path] != "made") {
      news_[path] = "changed";
    }
  }
}

void FolderWatch::Run() {
  std::array<pollfd, 2> wanted{
      pollfd{.fd = inotify_.number(), .events = POLLIN, .revents = 0},
      pollfd{.fd = end_.number(), .events = POLLIN, .revents = 0}};
  Clock::time_point first;  // When there was the first news.
  while (true) {
    int wait = -1;
    if (!news_.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          first + kLongest - Clock::now());
      wait = static_cast<int>(
          std::clamp(left, std::chrono::milliseconds(0), kMoment).count());
    }
    const int ready = poll(wanted.data(), wanted.size(), wait);
    if (wanted[1].revents != 0) {
      return;
    }
    if (ready > 0) {
      if (news_.empty()) {
        first = Clock::now();
      }
      TakeEvents();
    }
    if (ready == 0 || (!news_.empty() && Clock::now() >= first + kLongest)) {
      for (const auto& [path, what] : std::exchange(news_, {})) {
        tell_(path, what);
      }
    }
  }
}

}  // namespace orrery::server
