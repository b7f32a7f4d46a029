#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/server/files/descriptor.h"

namespace orrery::server {

/// How a program is started. Plain data.
struct ChildOptions {
  std::vector<std::string> argv;  ///< The first one is the path of the program.
  std::string folder;             ///< Where it works.

  bool has_report = false;  ///< Has a pipe as its descriptor 3.

  /// Its standard error goes where its standard output goes; else to ours.
  bool joins_errors = false;
  int nice = 0;
  std::size_t most_memory = 0;  ///< Bytes of addresses; 0: no limit.
};

/// How a program has ended. Plain data.
struct ChildEnd {
  int exit_code = 0;  ///< If no signal ended it.
  int signal = 0;     ///< 0 for none.
};

/// A program that was started, in a process group of its own. It ends with us,
/// has none of our files, and leaves no core. If it has not ended at the end of
/// this object, it is killed.
class Child {
 public:
  /// @throws Error kIo if it cannot be started.
  explicit Child(const ChildOptions& options);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Where it reads from; ours to write.
  [[nodiscard]] Descriptor& input() noexcept { return input_; }

  /// The pipe that it writes to.
  [[nodiscard]] Descriptor& output() noexcept { return output_; }

  [[nodiscard]] Descriptor& report() noexcept { return report_; }

  /// Can be read once it has ended (a pidfd).
  [[nodiscard]] const Descriptor& process() const noexcept { return process_; }

  /// Sends a signal to it and all that it has started.
  void Signal(int signal) const noexcept;

  /// How it has ended, once it has.
  [[nodiscard]] std::optional<ChildEnd> Ended();

 private:
  pid_t pid_ = -1;
  Descriptor input_;
  Descriptor output_;
  Descriptor report_;
  Descriptor process_;
  std::optional<ChildEnd> end_;
};

/// Adds to a text what there is to read, for which it waits.
/// @returns false at the end, where it closes the descriptor.
bool TakeFrom(Descriptor& from, std::string& text);

/// Output and end of a program. Plain data.
struct ChildOutput {
  std::string text;
  ChildEnd end;
};

/// Starts a program, and waits for its end.
/// @param most bytes of its output; more of it are dropped.
/// @throws Error kIo if it cannot be started, or takes more than `seconds`.
[[nodiscard]] ChildOutput RunToEnd(const ChildOptions& options,
                                   std::size_t most,
                                   int seconds);

/// Starts a program that stays when we end, in a session of its own: a browser.
/// Its input and its output are /dev/null. Nobody waits for its end.
/// @returns false if the system cannot make a process.
bool StartDetached(const std::vector<std::string>& argv);

/// `SIGSEGV` and the like.
[[nodiscard]] std::string NameOfSignal(int signal);

}  // namespace orrery::server
