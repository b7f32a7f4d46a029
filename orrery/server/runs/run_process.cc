#include "orrery/server/runs/run_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <string_view>

namespace orrery::server {
namespace {

constexpr std::chrono::seconds kBeforeForce{5};
constexpr std::size_t kMostLine = std::size_t{64} << 20U;

}  // namespace

RunProcess::RunProcess(std::int64_t id, const ChildOptions& options)
    : id_(id), child_(options) {
  // A command that does not read must not keep us from answering others.
  fcntl(child_.input().number(), F_SETFL, O_NONBLOCK);
}

void RunProcess::Stop() {
  if (!force_at_) {
    child_.Signal(SIGINT);
    force_at_ = Clock::now() + kBeforeForce;
  }
}

void RunProcess::Send(const std::string& line) {
  const std::string text = line + "\n";
  [[maybe_unused]] const ssize_t written =
      write(child_.input().number(), text.data(), text.size());
}

void RunProcess::Read(int wake,
                      const std::function<void(const std::string&)>& report,
                      const std::function<void(const std::string&)>& log) {
  constexpr int kMostMs = 100;
  // Those that are closed are left out by their number -1.
  std::array<pollfd, 4> wanted{
      pollfd{.fd = wake, .events = POLLIN, .revents = 0},
      pollfd{.fd = child_.output().number(), .events = POLLIN, .revents = 0},
      pollfd{.fd = child_.report().number(), .events = POLLIN, .revents = 0},
      pollfd{.fd = child_.process().number(), .events = POLLIN, .revents = 0}};
  if (child_.Ended()) {
    wanted[3].fd = -1;
  }
  poll(wanted.data(), wanted.size(), kMostMs);
  if (wanted[0].revents != 0) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = read(wake, &count, sizeof(count));
  }
  if (wanted[1].revents != 0) {
    if (std::string text; TakeFrom(child_.output(), text)) {
      log(text);
    }
  }
  if (wanted[2].revents != 0) {
    TakeFrom(child_.report(), line_);
    std::size_t begin = 0;
    for (std::size_t end = line_.find('\n'); end != std::string::npos;
         end = line_.find('\n', begin)) {
      report(line_.substr(begin, end - begin));
      begin = end + 1;
    }
    line_.erase(0, begin);
    if (line_.size() > kMostLine) {
      line_.clear();
    }
  }
  if (force_at_ && Clock::now() >= *force_at_) {
    child_.Signal(SIGKILL);
  }
}

std::optional<ChildEnd> RunProcess::Ended() {
  const std::optional<ChildEnd> end = child_.Ended();
  return end && !child_.output() && !child_.report() ? end : std::nullopt;
}

}  // namespace orrery::server
