#include "orrery/lsp/session/runner.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

bool Runner::Start(const std::vector<std::string>& words,
                   const std::string& folder) {
  std::vector<std::string> kept = words;
  std::vector<char*> pointers;
  pointers.reserve(kept.size() + 1);
  for (std::string& word : kept) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return child_.Start([&](int output) { BeProgram(pointers, folder, output); });
}

void Runner::Interrupt() const {
  child_.Signal(SIGINT);
}

std::optional<Runner::Result> Runner::Read() {
  auto ended = child_.Read(kMostOutput);
  if (!ended) {
    return std::nullopt;
  }
  const int status = ended->status;
  return Result{.status = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status)
                                              : WEXITSTATUS(status),
                .output = std::move(ended->output)};
}

}  // namespace orrery::lsp
