#include "orrery/modelica/external/call_apart.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <linux/futex.h>

#include "orrery/base/system/stop_request.h"
#include "orrery/base/system/stop_scope.h"

namespace orrery::modelica::internal {
namespace {

using Clock = std::chrono::steady_clock;

// A function that is called in a process apart.
struct ApartFunction {
  std::size_t num_inputs;
  std::size_t num_outputs;
  NumbersCall call;
};

// All registered functions. A process apart knows those registered before its
// start.
struct ApartFunctions {
  std::mutex mutex;
  std::vector<std::weak_ptr<const ApartFunction>> all;
};

ApartFunctions& KnownFunctions() {
  static ApartFunctions functions;
  return functions;
}

std::size_t Register(const std::shared_ptr<const ApartFunction>& function) {
  ApartFunctions& functions = KnownFunctions();
  const std::lock_guard lock(functions.mutex);
  functions.all.push_back(function);
  return functions.all.size() - 1;
}

// A number that one process increments and another one waits for.
struct Counter {
  std::atomic<std::uint32_t> number = 0;
  std::atomic<bool> has_sleeper = false;

  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

void Announce(std::uint32_t number, Counter& counter) {
  counter.number = number;
  if (counter.has_sleeper) {
    syscall(SYS_futex, &counter.number, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

// Waits for such a number. It spins for a while before it sleeps, since waking
// up takes longer than a short function. If spinning was in vain several times,
// as on a machine with more work than processors, it rarely spins.
class Waiter {
 public:
  /// Returns false if the number is not reached within `patience`.
  bool Await(std::uint32_t wanted,
             std::chrono::nanoseconds patience,
             Counter& counter) {
    if (IsThereSoon(wanted, counter)) {
      return true;
    }
    const timespec time{.tv_sec = 0, .tv_nsec = patience.count()};
    counter.has_sleeper = true;
    const std::uint32_t seen = counter.number;
    if (seen != wanted) {
      syscall(SYS_futex, &counter.number, FUTEX_WAIT, seen, &time, nullptr, 0);
    }
    counter.has_sleeper = false;
    return counter.number == wanted;
  }

 private:
  bool IsThereSoon(std::uint32_t wanted, const Counter& counter) {
    constexpr std::chrono::microseconds kSoon{5};
    constexpr int kMisses = 4;
    constexpr int kBetweenTrials = 64;
    if (misses_ >= kMisses && ++calls_ % kBetweenTrials != 0) {
      return counter.number == wanted;
    }
    const Clock::time_point end = Clock::now() + kSoon;
    do {
      if (counter.number == wanted) {
        misses_ = 0;
        return true;
      }
    } while (Clock::now() < end);
    ++misses_;
    return false;
  }

  int misses_ = 0;
  int calls_ = 0;
};

// The header of the memory shared by both processes. The numbers follow it.
struct Desk {
  Counter asked;     // Number of calls.
  Counter answered;  // Number of answered calls.
  std::size_t function = 0;
  bool has_failed = false;
  std::array<char, 4000> message{};  // The reason, if so.
};

// Shared memory for a desk and numbers.
class SharedDesk {
 public:
  explicit SharedDesk(std::size_t num_numbers)
      : size_(kNumbers + num_numbers * sizeof(double)),
        address_(mmap(nullptr,
                      size_,
                      PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS,
                      -1,
                      0)) {
    if (address_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
    new (address_) Desk;
  }

  SharedDesk(const SharedDesk&) = delete;
  SharedDesk& operator=(const SharedDesk&) = delete;

  ~SharedDesk() { munmap(address_, size_); }

  [[nodiscard]] Desk& desk() const { return *static_cast<Desk*>(address_); }

  // The inputs of a call, then its outputs.
  [[nodiscard]] double* numbers() const {
    return reinterpret_cast<double*>(static_cast<std::byte*>(address_) +
                                     kNumbers);
  }

 private:
  static constexpr std::size_t kNumbers =
      (sizeof(Desk) + alignof(double) - 1) / alignof(double) * alignof(double);

  std::size_t size_;
  void* address_;
};

// Runs in the process apart.
class Answerer {
 public:
  explicit Answerer(const SharedDesk& shared) : shared_(shared) {}

  [[noreturn]] void Serve() {
    constexpr std::chrono::milliseconds kPatience{500};
    Desk& desk = shared_.desk();
    Waiter waiter;
    for (std::uint32_t next = 1;; ++next) {
      while (!waiter.Await(next, kPatience, desk.asked)) {
      }
      Carry(desk);
      std::fflush(stdout);
      Announce(next, desk.answered);
    }
  }

 private:
  void Carry(Desk& desk) const {
    const auto function = KnownFunctions().all[desk.function].lock();
    double* const inputs = shared_.numbers();
    desk.has_failed = true;
    std::string_view why = "an exception left it";
    try {
      function->call({inputs, function->num_inputs},
                     {inputs + function->num_inputs, function->num_outputs});
      desk.has_failed = false;
    } catch (const std::exception& error) {
      why = error.what();
      Tell(why, desk);
    } catch (...) {
      Tell(why, desk);
    }
  }

  static void Tell(std::string_view why, Desk& desk) {
    const std::size_t size = std::min(why.size(), desk.message.size() - 1);
    std::memcpy(desk.message.data(), why.data(), size);
    desk.message[size] = '\0';
  }

  const SharedDesk& shared_;
};

// Describes how a process ended.
std::string EndOf(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return std::string("signal ") + std::to_string(signal) + " (" +
           sigdescr_np(signal) + ")";
  }
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

// The process apart, seen from the asking one.
class Asker {
 public:
  // Has room for any function registered so far.
  Asker() {
    ApartFunctions& functions = KnownFunctions();
    const std::lock_guard lock(functions.mutex);
    num_functions_ = functions.all.size();
    std::size_t most = 0;
    for (const auto& known : functions.all) {
      if (const auto function = known.lock()) {
        most = std::max(most, function->num_inputs + function->num_outputs);
      }
    }
    shared_.emplace(most);
    Begin();
  }

  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  ~Asker() {
    if (process_ > 0) {
      End();
    }
  }

  [[nodiscard]] bool Knows(std::size_t function) const {
    return process_ > 0 && function < num_functions_;
  }

  void Call(std::size_t function,
            std::span<const double> inputs,
            std::span<double> outputs) {
    Desk& desk = shared_->desk();
    std::ranges::copy(inputs, shared_->numbers());
    desk.function = function;
    Announce(++num_asked_, desk.asked);
    Await();
    if (desk.has_failed) {
      throw std::runtime_error(desk.message.data());
    }
    std::copy_n(
        shared_->numbers() + inputs.size(), outputs.size(), outputs.begin());
  }

 private:
  void Begin() {
    // Otherwise both processes would print what is in the buffers.
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
      BecomeAnswerer(parent);
    }
    if (process_ < 0) {
      Fail();
    }
  }

  [[noreturn]] void BecomeAnswerer(pid_t parent) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // Ends it with the asking thread.
    if (getppid() != parent) {
      _exit(0);
    }
    std::signal(SIGINT, SIG_IGN);  // The asking thread ends it.
    std::signal(SIGTERM, SIG_IGN);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      std::signal(signal, SIG_DFL);
    }
    // The copy must not run this program's exit handlers.
    on_exit(
        [](int status, void* /*nothing*/) {
          std::fflush(stdout);
          _exit(status);
        },
        nullptr);
    Answerer(*shared_).Serve();
  }

  [[noreturn]] static void Fail() {
    throw std::runtime_error("no process can be made to run it in: " +
                             std::generic_category().message(errno));
  }

  // Waits until the call is answered.
  void Await() {
    constexpr std::chrono::milliseconds kBetweenLooks{10};
    constexpr std::chrono::milliseconds kPatience{50};
    std::optional<Clock::time_point> end;  // The deadline after a stop request.
    while (
        !waiter_.Await(num_asked_, kBetweenLooks, shared_->desk().answered)) {
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) != 0) {
        process_ = -1;
        throw std::runtime_error("it ended the process it ran in, by " +
                                 EndOf(status));
      }
      if (IsStopRequested() || IsToStop()) {
        end = end ? end : Clock::now() + kPatience;
        if (Clock::now() > *end) {
          End();
          throw std::runtime_error(
              "it did not return when the run was to stop");
        }
      }
    }
  }

  void End() {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

  std::optional<SharedDesk> shared_;
  std::size_t num_functions_ = 0;
  std::uint32_t num_asked_ = 0;
  Waiter waiter_;
  pid_t process_ = -1;
};

void CallApart(std::size_t function,
               std::span<const double> inputs,
               std::span<double> outputs) {
  thread_local std::unique_ptr<Asker> asker;
  if (asker == nullptr || !asker->Knows(function)) {
    asker.reset();
    asker = std::make_unique<Asker>();
  }
  asker->Call(function, inputs, outputs);
}

}  // namespace

NumbersCall CarryOutApart(std::size_t num_inputs,
                          std::size_t num_outputs,
                          NumbersCall call) {
  const auto function = std::make_shared<const ApartFunction>(
      ApartFunction{.num_inputs = num_inputs,
                    .num_outputs = num_outputs,
                    .call = std::move(call)});
  return [number = Register(function), function](std::span<const double> inputs,
                                                 std::span<double> outputs) {
    CallApart(number, inputs, outputs);
  };
}

}  // namespace orrery::modelica::internal
