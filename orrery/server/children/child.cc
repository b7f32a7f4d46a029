#include "orrery/server/children/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <linux/close_range.h>

#include "orrery/base/error.h"

namespace orrery::server {
namespace {

constexpr int kReport = 3;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(
        ErrorCode::kIo,
        "cannot start a program: " + std::generic_category().message(errno));
  }
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

// As a program expects it that no other one has prepared.
void ResetSignals() noexcept {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) {
    signal(number, SIG_DFL);
  }
}

// Work of a new process between fork() and exec(), where only functions that
// are safe in a signal handler may be called.
struct Start {
  const ChildOptions& options;
  char* const* argv;
  int input;
  int output;
  int report;  // -1 for none.
  int failure;
  pid_t parent;

  [[noreturn]] void operator()() const noexcept {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
      _exit(1);
    }
    ResetSignals();
    if (options.nice != 0) {
      setpriority(PRIO_PROCESS, 0, options.nice);
    }
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (options.most_memory > 0) {
      const rlimit memory{.rlim_cur = options.most_memory,
                          .rlim_max = options.most_memory};
      setrlimit(RLIMIT_AS, &memory);
    }
    // First out of the way: one may be the number of another.
    const int high_report =
        report < 0 ? -1 : fcntl(report, F_DUPFD_CLOEXEC, 10);
    const int high_failure = fcntl(failure, F_DUPFD_CLOEXEC, 10);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    if (options.joins_errors) {
      dup2(output, STDERR_FILENO);
    }
    if (high_report >= 0) {
      dup2(high_report, kReport);
    }
    close_range(
        high_report >= 0 ? kReport + 1 : kReport, ~0U, CLOSE_RANGE_CLOEXEC);
    if (chdir(options.folder.c_str()) == 0) {
      execve(argv[0], argv, environ);
    }
    const int why = errno;
    [[maybe_unused]] const ssize_t written =
        write(high_failure, &why, sizeof(why));
    _exit(127);
  }
};

// The same for a program that is none of ours. The one between us and it ends
// at once, so that the first process of the system waits for it.
[[noreturn]] void Detach(char* const* argv) noexcept {
  setsid();
  if (fork() != 0) {
    _exit(0);
  }
  ResetSignals();
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    dup2(nothing, number);
  }
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (chdir("/") == 0) {
    execve(argv[0], argv, environ);
  }
  _exit(127);
}

}  // namespace

Child::Child(const ChildOptions& options) {
  Pipe input = MakePipe();
  Pipe output = MakePipe();
  Pipe failure = MakePipe();
  Pipe report = options.has_report ? MakePipe() : Pipe();
  std::vector<std::string> words = options.argv;
  const std::vector<char*> argv = Pointers(words);
  const Start start{.options = options,
                    .argv = argv.data(),
                    .input = input.read.number(),
                    .output = output.write.number(),
                    .report = report.write.number(),
                    .failure = failure.write.number(),
                    .parent = getpid()};
  pid_ = fork();
  if (pid_ == 0) {
    start();
  }
  int why = pid_ < 0 ? errno : 0;
  failure.write.Close();
  if (pid_ > 0) {
    setpgid(pid_, pid_);  // Whoever of the two comes first.
    while (read(failure.read.number(), &why, sizeof(why)) < 0 &&
           errno == EINTR) {
    }
  }
  if (why != 0) {
    if (pid_ > 0) {
      waitpid(pid_, nullptr, 0);
    }
    throw Error(ErrorCode::kIo,
                fmt::format("cannot start '{}': {}",
                            options.argv.front(),
                            std::generic_category().message(why)));
  }
  process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0U)));
  input_ = std::move(input.write);
  output_ = std::move(output.read);
  report_ = std::move(report.read);
}

Child::~Child() {
  if (!end_) {
    Signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void Child::Signal(int signal) const noexcept {
  if (!end_) {
    kill(-pid_, signal);
  }
}

std::optional<ChildEnd> Child::Ended() {
  int status = 0;
  if (!end_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    // Ends processes that it has started and left behind.
    kill(-pid_, SIGKILL);
    end_ = {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
  }
  return end_;
}

bool TakeFrom(Descriptor& from, std::string& text) {
  std::array<char, 1U << 16U> buffer{};
  const ssize_t count = read(from.number(), buffer.data(), buffer.size());
  if (count <= 0) {
    from.Close();
    return false;
  }
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

ChildOutput RunToEnd(const ChildOptions& options,
                     std::size_t most,
                     int seconds) {
  using Clock = std::chrono::steady_clock;
  Child child(options);
  child.input().Close();
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  ChildOutput result;
  std::array<char, 1U << 14U> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    if (left.count() <= 0) {
      throw Error(ErrorCode::kIo,
                  fmt::format("cannot wait for '{}': it takes more than {} s",
                              fmt::join(options.argv, " "),
                              seconds));
    }
    pollfd wanted{
        .fd = child.output().number(), .events = POLLIN, .revents = 0};
    if (poll(&wanted, 1, static_cast<int>(left.count())) <= 0) {
      continue;
    }
    const ssize_t count =
        read(child.output().number(), buffer.data(), buffer.size());
    if (count <= 0) {
      break;
    }
    const std::size_t room = most - std::min(most, result.text.size());
    result.text.append(buffer.data(),
                       std::min(room, static_cast<std::size_t>(count)));
  }
  std::optional<ChildEnd> ended = child.Ended();
  while (!ended && Clock::now() < end) {
    pollfd wanted{
        .fd = child.process().number(), .events = POLLIN, .revents = 0};
    poll(&wanted, 1, 100);
    ended = child.Ended();
  }
  result.end = ended.value_or(ChildEnd{.exit_code = 0, .signal = SIGKILL});
  return result;
}

bool StartDetached(const std::vector<std::string>& argv) {
  std::vector<std::string> words = argv;
  const std::vector<char*> pointers = Pointers(words);
  const pid_t pid = fork();
  if (pid == 0) {
    Detach(pointers.data());
  }
  return pid > 0 && waitpid(pid, nullptr, 0) == pid;
}

std::string NameOfSignal(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace orrery::server
