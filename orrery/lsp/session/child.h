#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace orrery::lsp {

/// A process that this one has started, and what it writes to a pipe.
class Child {
 public:
  Child() = default;
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Starts a copy of this process, in a group of its own. No other one may be
  /// running.
  /// @param be what the copy does with the pipe's end; it should not return.
  /// @returns false if it cannot be started.
  [[nodiscard]] bool Start(const std::function<void(int)>& be);

  [[nodiscard]] bool is_running() const noexcept { return child_ > 0; }

  /// Sends a signal to the group; nothing happens without a process.
  void Signal(int signal) const;

  /// Kills the group; nothing is heard of it.
  void Kill();

  /// Becomes readable when there is more for Read(); -1 without a process.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  struct Result {
    int status = 0;  ///< As waitpid() gives it.
    std::string output;
  };

  /// Reads what has come.
  /// @param most how much of the output is kept.
  /// @returns the result if the process has ended.
  std::optional<Result> Read(std::size_t most = std::string::npos);

 private:
  pid_t child_ = -1;
  int descriptor_ = -1;
  std::string output_;
};

}  // namespace orrery::lsp
