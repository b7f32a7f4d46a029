#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/lsp/session/child.h"

namespace orrery::lsp {

/// Runs the command `orrery`, one at a time, in a process of its own.
class Runner {
 public:
  /// Starts a program in a folder. No other one may be running.
  /// @param words the program's path, and its arguments.
  /// @returns false if it cannot be started.
  [[nodiscard]] bool Start(const std::vector<std::string>& words,
                           const std::string& folder);

  [[nodiscard]] bool is_running() const noexcept { return child_.is_running(); }

  /// Asks the program to end, which keeps what it has.
  void Interrupt() const;

  /// Becomes readable when there is more for Read(); -1 without a program.
  [[nodiscard]] int descriptor() const noexcept { return child_.descriptor(); }

  struct Result {
    int status = 0;      ///< Its exit code; 128 and the signal that ended it.
    std::string output;  ///< Its output, at most the first megabyte.
  };

  /// Reads what has come.
  /// @returns the result if the program has ended.
  std::optional<Result> Read();

 private:
  Child child_;
};

}  // namespace orrery::lsp
