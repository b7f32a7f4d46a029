#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/files/file_set.h"
#include "orrery/lsp/session/child.h"
#include "orrery/lsp/session/json.h"

namespace orrery::lsp {

/// A class to compile, in a text as it stands in the editor.
struct CheckRequest {
  /// The wish: its findings, or its sorted equations.
  enum class Task : std::uint8_t { kFindings, kEquations };

  Task task = Task::kFindings;
  std::string path;
  std::string class_name;
  int version = 0;
  FileSet files;
};

/// Findings of the compiler: `[{severity, message, hint, file, line, column,
/// length}]`, lines and columns as in a Diagnostic. For equations `{equations:
/// [{latex, text, block, path, file, begin, end}]}` or `{error}`.
struct CheckResult {
  std::string path;
  int version = 0;
  Json findings;
};

/// Compiles classes in copies of this process, one at a time: whatever happens
/// to a copy, this process goes on. A copy may use 4 GB and 20 s, and calls no
/// foreign code.
class Checker {
 public:
  /// Ends the check before, and starts this one.
  void Start(const CheckRequest& request);

  /// Ends the check; nothing is heard of it.
  void Stop();

  /// Becomes readable when there is more for Read(); -1 without a check.
  [[nodiscard]] int descriptor() const noexcept { return child_.descriptor(); }

  /// Reads what has come.
  /// @returns the findings if the check has ended.
  std::optional<CheckResult> Read();

 private:
  Child child_;
  std::string path_;
  std::string class_name_;
  CheckRequest::Task task_ = CheckRequest::Task::kFindings;
  int version_ = 0;
};

}  // namespace orrery::lsp
