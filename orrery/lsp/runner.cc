#include "orrery/lsp/runner.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace orrery::lsp {
namespace {

constexpr std::size_t kMostOutput = 1U << 20U;
constexpr int kCannotStart = 127;  // As shells say it.
constexpr int kBySignal = 128;

[[noreturn]] void BeProgram(const std::vector<char*>& words,
                            const std::string& folder,
                            int output) {
  prctl(PR_SET_PDEATHSIG, SIGINT);
  setpgid(0, 0);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool is_ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                        dup2(output, STDOUT_FILENO) >= 0 &&
                        dup2(output, STDERR_FILENO) >= 0 &&
                        chdir(folder.c_str()) == 0;
  if (is_ready) {
    execvp(words.front(), words.data());
  }
  _exit(kCannotStart);
}

}  // namespace

Runner::~Runner() {
  if (child_ > 0) {
    kill(-child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(descriptor_);
  }
}

bool Runner::Start(const std::vector<std::string>& words,
                   const std::string& folder) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return false;
  }
  std::vector<std::string> kept = words;
  std::vector<char*> pointers;
  for (std::string& word : kept) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    BeProgram(pointers, folder, ends[1]);
  }
  close(ends[1]);
  if (child_ < 0) {
    close(ends[0]);
    return false;
  }
  setpgid(child_, child_);
  descriptor_ = ends[0];
  output_.clear();
  return true;
}

void Runner::Interrupt() {
  if (child_ > 0) {
    kill(-child_, SIGINT);
  }
}

std::optional<Runner::Result> Runner::Read() {
  std::array<char, 65536> buffer{};
  const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
  if (count > 0) {
    const std::size_t room = kMostOutput - output_.size();
    output_.append(buffer.data(),
                   std::min(room, static_cast<std::size_t>(count)));
    return std::nullopt;
  }
  if (count < 0 && errno == EINTR) {
    return std::nullopt;
  }
  int status = 0;
  waitpid(child_, &status, 0);
  close(descriptor_);
  child_ = -1;
  descriptor_ = -1;
  return Result{.status = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status)
                                              : WEXITSTATUS(status),
                .output = std::exchange(output_, {})};
}

}  // namespace orrery::lsp
