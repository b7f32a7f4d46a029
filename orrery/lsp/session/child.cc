#include "orrery/lsp/session/child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace orrery::lsp {

Child::~Child() {
  Kill();
}

bool Child::Start(const std::function<void(int)>& be) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return false;
  }
  child_ = fork();
  if (child_ == 0) {
    setpgid(0, 0);
    close(ends[0]);
    be(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (child_ < 0) {
    close(ends[0]);
    return false;
  }
  setpgid(child_, child_);  // It may be killed before it has run.
  descriptor_ = ends[0];
  output_.clear();
  return true;
}

void Child::Signal(int signal) const {
  if (child_ > 0) {
    kill(-child_, signal);
  }
}

void Child::Kill() {
  if (child_ > 0) {
    Signal(SIGKILL);
    waitpid(child_, nullptr, 0);
    close(descriptor_);
  }
  child_ = -1;
  descriptor_ = -1;
}

std::optional<Child::Result> Child::Read(std::size_t most) {
  std::array<char, 65536> buffer{};
  const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
  if (count > 0) {
    output_.append(
        buffer.data(),
        std::min(most - output_.size(), static_cast<std::size_t>(count)));
    return std::nullopt;
  }
  if (count < 0 && errno == EINTR) {
    return std::nullopt;
  }
  Result result = {.output = std::exchange(output_, {})};
  waitpid(child_, &result.status, 0);
  close(descriptor_);
  child_ = -1;
  descriptor_ = -1;
  return result;
}

}  // namespace orrery::lsp
